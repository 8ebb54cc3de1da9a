"""Edits that repair accessibility failures, on the page as it looks after the other edits."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pytest_design2a11y.fixing.draft import UNNAMED
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.models.audit import Audit, CheckedNode
from pytest_design2a11y.models.geometry import color_of_hex, hex_color, readable_colors

if TYPE_CHECKING:
    from pytest_design2a11y.capture.bench import Bench

#: By how much more contrast than required is asked for: colors are rounded.
_MORE = 0.05
_LANGUAGE = "en"
#: What lets a color be seen as it is told.
OPAQUE = {"opacity": "1"}

#: Rules that fields without a name fail; the end of a selector that says what its element is.
_OF_FIELDS = {"label", "select-name", "aria-input-field-name"}
_OWN_NAME = re.compile(r"[#.](?!design\d+-)[^\s:>]+$")
#: Rules whose repair is a name that nothing else has.
_NAMED_APART = {"region", "landmark-unique"}

_Repair = tuple[Mapping[str, str], Mapping[str, str]]
"""CSS and attributes."""


def _readable(node: CheckedNode, _name: str) -> _Repair:
    text, ground = (color_of_hex(str(node.data.get(key))) for key in ("fgColor", "bgColor"))
    if text is None or ground is None:
        return {}, {}
    least = float(str(node.data.get("expectedContrastRatio", "4.5")).partition(":")[0])
    color, _ = readable_colors(text, ground, least + _MORE, keeps_ground=True)
    return {"color": hex_color(color)}, {}


def _labeled(_node: CheckedNode, name: str) -> _Repair:
    return {}, {"aria-label": name}


#: What repairs an element that fails a rule, by rule; the name is that of the element in the design.
REPAIRS: Mapping[str, Callable[[CheckedNode, str], _Repair]] = {
    "color-contrast": _readable,
    "link-in-text-block": lambda _node, _name: ({"text-decoration-line": "underline"}, {}),
    **dict.fromkeys(
        (
            *(
                "link-name",
                "button-name",
                "select-name",
                "label",
                "input-button-name",
                "aria-input-field-name",
            ),
            *("aria-command-name", "aria-toggle-field-name", "frame-title"),
        ),
        _labeled,
    ),
    "image-alt": lambda _node, name: ({}, {"alt": name}),
    "role-img-alt": _labeled,
    "svg-img-alt": _labeled,
    "html-has-lang": lambda _node, _name: ({}, {"lang": _LANGUAGE}),
    "html-lang-valid": lambda _node, _name: ({}, {"lang": _LANGUAGE}),
    "heading-order": lambda _node, _name: ({}, {"role": "heading", "aria-level": "2"}),
    "page-has-heading-one": lambda _node, _name: ({}, {"role": "heading", "aria-level": "1"}),
    "meta-viewport": lambda _node, _name: ({}, {"content": "width=device-width, initial-scale=1"}),
    "scrollable-region-focusable": lambda _node, _name: ({}, {"tabindex": "0"}),
    "region": lambda _node, name: ({}, {"role": "region", "aria-label": name}),
    "landmark-unique": _labeled,
    **dict.fromkeys(
        (f"landmark-{role}-is-top-level" for role in ("banner", "complementary", "contentinfo")),
        lambda _node, _name: ({}, {"role": "group"}),
    ),
}


def repairs_of(audit: Audit, names: Mapping[str, str], bench: "Bench") -> Iterator[Edit]:
    """Yield an edit for every element that fails a rule which one element can repair.

    Args:
        audit: What was found on the page as it stands.
        names: What elements are called, by selector.
        bench: The open page.
    """
    for rule in (rule for rule in audit.rules if rule.rule in REPAIRS and rule.violations):
        selectors = bench.call("named", [node.target for node in rule.violations])
        used = Counter[str]()
        for node, selector in zip(rule.violations, selectors, strict=True):
            if selector is None:
                continue
            for own in bench.call("fixed", rule.rule, selector):
                name = names.get(own) or _plain_name(own)
                if rule.rule in _OF_FIELDS and (own not in names and not _OWN_NAME.search(own)):
                    name = UNNAMED
                if rule.rule in _NAMED_APART:
                    used[name] += 1
                    number = used[name] + (rule.rule == "landmark-unique")
                    name += f" {number}" if number > 1 else ""
                css, attributes = REPAIRS[rule.rule](node, name)
                yield Edit(own, css, attributes=attributes, name=name, reasons=(rule.rule,))
                for faded in bench.call("faded", own) if "color" in css else ():
                    yield Edit(faded, OPAQUE, name=name, reasons=(rule.rule,))
    if any(rule.rule == "document-title" and rule.num_violations for rule in audit.rules):
        title = Edit("title", html="<title>Page</title>", into="head", name="title")
        yield replace(title, reasons=("document-title",))


def repair_of(rule: str, node: CheckedNode) -> _Repair:
    """Return CSS and attributes that repair an element which fails a rule; empty where no value does."""
    is_its_own = rule in REPAIRS and rule != "page-has-heading-one"
    return REPAIRS[rule](node, _plain_name(node.target)) if is_its_own else ({}, {})


def _plain_name(selector: str) -> str:
    """Return the last part of a selector as a name."""
    return selector.rpartition(" > ")[2].partition(":")[0].rpartition(".")[2].lstrip("#").replace("-", " ")
