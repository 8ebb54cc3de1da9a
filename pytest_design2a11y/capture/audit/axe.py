"""axe-core on a frozen page: counts of everything, details of failures and of what needs a person.

axe runs in an isolated world of every frame, where no script of the page can forge it. Its partial
results are combined in the main frame, as axe's own integrations do. `audit.js` counts in the page.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from pytest_design2a11y.capture.audit.axe_script import (
    Descriptions,
    ElementPath,
    Texts,
    audit_record,
    axe_locale,
    axe_options,
    read_axe_script,
)
from pytest_design2a11y.capture.page.frames import FrameContext, FrozenPage, load_engine, worlds_of_frames
from pytest_design2a11y.exceptions import (
    AxeError,
    AxeTimeout,
    ConfigurationError,
    NothingToCheck,
    RenderTimeout,
)
from pytest_design2a11y.javascript import namespace_of
from pytest_design2a11y.models.audit import Audit, AuditChoice
from pytest_design2a11y.models.option import AXE
from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.wording import command_flag, flag, quotes_advice, setting

#: Failing elements described individually, per rule; all are counted.
MAX_DETAILS = 100

# A frozen page runs no timers, and axe starts every rule with one. Its long timers only guard against frames
# that never answer; here frames run without messages between them.
_TIMERS = """
globalThis.setTimeout = (callback, delay, ...rest) => {
  if (!(delay >= 1000)) Promise.resolve().then(() => callback(...rest));
  return 0;
};
globalThis.clearTimeout = () => {};
"""


_IN_ENGLISH = (
    "axe-core's findings are in English: beside its script are no texts in {}. The npm package axe-core has "
    "some languages, in locales/: give the axe.min.js of that package ({})."
)


def run_audit(
    page: FrozenPage,
    *,
    script: str,
    choice: AuditChoice,
    locale: Any | None = None,
    max_details: int = MAX_DETAILS,
) -> tuple[Audit, tuple[CaptureWarning, ...]]:
    """Return what axe-core found in all frames and open shadow roots, with texts in `locale`, and warnings.

    These are about frames that could not be entered, rules that failed and exclusions that match nothing.
    """
    with page.stage("axe"):
        try:
            run = _AxeRun(page, script)
            main = page.worlds[0]
            load_engine(main, page_script(script), AxeError, "axe-core", stage="axe")
            rules = main.call(_calling("rules")) if choice.has_names else []
            options = axe_options(choice, {rule["rule"]: rule["tags"] for rule in rules})
            selection = {"include": list(choice.include), "exclude": list(choice.exclude)}
            unmatched = tuple(_unmatched_exclusions(main, selection))
            if locale is not None:
                _answer(main, "speak", locale)
            run.worlds[()] = main
            how = (options, choice.minimum_impact, max_details)
            started = _answer(main, "start", selection, *how)
            run.enter_frames(main, (), started["frames"], options)
            found = started.get("found") or _answer(main, "finish", run.partials, *how)
            audit = audit_record(found, *run.told(found))
            return audit, (*unmatched, *run.warnings(found))
        except RenderTimeout as error:
            raise AxeTimeout(
                "The accessibility check did not end within the time that the page has.",
                stage="axe",
                advice=f"Allow more time ({flag('timeout')}), or check less of the page or fewer rules.",
            ) from error


@dataclass
class _AxeRun:
    """One audit; a frame's path lists the numbers of the frame elements that lead to it."""

    page: FrozenPage
    script: str
    worlds: dict[ElementPath, FrameContext] = field(default_factory=dict)
    partials: list[str | None] = field(default_factory=list)
    unentered: list[str] = field(default_factory=list)

    def enter_frames(
        self,
        parent: FrameContext,
        path: ElementPath,
        frames: Sequence[Mapping[str, Any]],
        options: Mapping[str, Any],
    ) -> None:
        """Start axe-core in the frames inside a frame, recursively."""
        worlds = worlds_of_frames(self.page, parent, _calling("frameElement"), len(frames))
        for frame, world in zip(frames, worlds, strict=True):
            if isinstance(world, str):
                self._skip(world)
                continue
            load_engine(world, page_script(self.script), AxeError, "axe-core", stage="axe")
            started = world.call(_calling("startInFrame"), frame["frameContext"], options)
            if "error" in started:
                self._skip(started["error"])
                continue
            inner = (*path, frame["number"])
            self.worlds[inner] = world
            self.partials.append(started["partial"])
            self.enter_frames(world, inner, started["frames"], options)

    def _skip(self, reason: str) -> None:
        self.partials.append(None)
        self.unentered.append(reason)

    def told(self, found: Mapping[str, Any]) -> tuple[Descriptions, Texts | None]:
        """Describe, by path, the elements of findings and the frame elements that lead to them.

        With them, which texts the failing elements are about; None if unknown.
        """
        details = [rule["details"] for rule in found["rules"]]
        nodes = (node for detail in details for node in (*detail["violations"], *detail["incomplete"]))
        steps = (node["path"][:depth] for node in nodes for depth in range(1, len(node["path"]) + 1))
        wanted = dict(_by_frame(steps))
        failed = dict(_by_frame(path for rule in found["rules"] for path, _impact in rule["failed"]))
        descriptions: dict[ElementPath, Mapping[str, Any]] = {}
        texts: dict[ElementPath, Mapping[str, Any]] | None = {}
        for path in sorted({*wanted, *failed}):
            world, (listed, failing) = self.worlds[path], (each.get(path, []) for each in (wanted, failed))
            answer = _answer(world, "tell", listed, failing)
            for number, description in zip(listed, answer["descriptions"], strict=True):
                descriptions[(*path, number)] = {**description, "offset": world.offset}
            if texts is None or answer["texts"] is None:
                texts = None
            else:
                texts |= {
                    (*path, number): text for number, text in zip(failing, answer["texts"], strict=True)
                }
        return descriptions, texts

    def warnings(self, found: Mapping[str, Any]) -> Iterable[CaptureWarning]:
        """Yield warnings about frames and rules that were left out."""
        if number := len(self.unentered):
            reasons = "; ".join(sorted(set(self.unentered)))
            message = f"Frames that the accessibility check could not enter: {number} ({reasons})."
            yield CaptureWarning("iframes_skipped", message, number)
        failed = [f"{rule['rule']} ({rule['error']})" for rule in found["rules"] if rule["error"]]
        if failed:
            message = f"Rules that axe could not finish: {', '.join(failed)}."
            yield CaptureWarning("axe_rules_failed", message, len(failed))


def _by_frame(paths: Iterable[Sequence[int]]) -> Iterator[tuple[ElementPath, list[int]]]:
    """Yield each frame's path, and the sorted numbers of its requested elements."""
    wanted = sorted({(tuple(path[:-1]), path[-1]) for path in paths})
    for frame, group in groupby(wanted, key=itemgetter(0)):
        yield frame, [number for _frame, number in group]


@cache
def page_script(script: str) -> str:
    """Return the whole script loaded into a frame: axe-core, and the code that starts it and counts."""
    ours = f"globalThis.design2a11yAudit = {namespace_of('capture/audit/audit.js')};"
    return "\n;".join([_TIMERS, script, ours])


def _calling(name: str) -> str:
    return f"(...given) => design2a11yAudit.{name}(...given)"


def _answer(world: FrameContext, name: str, *arguments: Any) -> Any:
    answer = world.call(_calling(name), *arguments)
    if isinstance(answer, dict) and "error" in answer:
        raise AxeError(f"axe-core failed: {answer['error']}", stage="axe")
    return answer


def _unmatched_exclusions(main: FrameContext, selection: Mapping[str, list[str]]) -> Iterator[CaptureWarning]:
    """Refuse selectors that leave nothing to check; warn of exclusions that match nothing."""
    if not any(selection.values()):
        return
    matches = main.call(_calling("selectors"), selection)
    for selector, count in (*matches["include"], *matches["exclude"]):
        if count is None:
            advice = f"{quotes_advice(selector)}Write it as CSS does."
            raise ConfigurationError(f"{selector!r} is not a CSS selector.", advice=advice)
    if matches["include"] and not any(count for _, count in matches["include"]):
        raise NothingToCheck(
            f"Nothing on the page matches {', '.join(selection['include'])}.",
            stage="axe",
            advice=f"Change what is included ({setting('include')}), or check the whole page.",
        )
    if missing := [selector for selector, count in matches["exclude"] if not count]:
        message = f"Nothing on the page fits what is to be excluded: {', '.join(missing)}."
        yield CaptureWarning("exclude_missing", message, len(missing))


@dataclass(frozen=True, slots=True)
class Axe:
    """Runs axe-core."""

    script: Path | None = None  # The axe-core script; None: the one in axe-playwright-python
    name: str = AXE

    def source(self) -> str:
        """Return axe-core's script."""
        return read_axe_script(self.script)

    def prepare(self, page: FrozenPage | None = None) -> None:
        """Read the script, once per process, and begin to load it into a page."""
        script = self.source()
        if page is not None:
            page.worlds[0].load_ahead(page_script(script))

    def audit(self, page: FrozenPage, choice: AuditChoice) -> tuple[Audit, tuple[CaptureWarning, ...]]:
        """Check a page; see `run_audit`."""
        language = page.viewport.locale
        is_english = language.partition("-")[0] in ("", "en")
        locale = None if is_english else axe_locale(self.script, language)
        audit, warnings = run_audit(page, script=self.source(), choice=choice, locale=locale)
        if locale is None and not is_english:
            message = _IN_ENGLISH.format(language, command_flag("axe_script"))
            warnings = (*warnings, CaptureWarning("axe_in_english", message))
        return audit, warnings
