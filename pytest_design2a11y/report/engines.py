"""What engines besides axe-core counted, and what all of them come to merged, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from pytest_design2a11y.models.engines import AXE, ENGINE_LABELS
from pytest_design2a11y.models.metrics import Impact
from pytest_design2a11y.models.run import Evaluation
from pytest_design2a11y.wording import counted


def engine_lines(evaluation: Evaluation) -> Iterator[str]:
    """Tell what further engines found on one page; nothing where axe-core alone ran."""
    for name, counts in evaluation.engines.items():
        if name != AXE:
            yield (
                f"{_label(name)} {counts.version}: {counts.failed} failed{_by_impact(counts.by_impact)}, "
                "in no rate of axe-core's"
            )
    merged = evaluation.merged
    if merged is not None:
        yield (
            f"merged as the {merged.rule} did: failed_merged {merged.failed_merged}"
            f"{_by_impact(merged.by_impact_merged)}  ir_merged {merged.ir_merged:.4f}  "
            f"iwir_merged {merged.iwir_merged:.4f}  {merged.status_merged}"
        )


def summary_of_engines(evaluations: Sequence[Evaluation]) -> Iterator[str]:
    """Tell what further engines found on all pages; nothing where axe-core alone ran."""
    names = dict.fromkeys(name for one in evaluations for name in one.engines if name != AXE)
    for name in names:
        counts = [one.engines[name] for one in evaluations if name in one.engines]
        impacts = sum((Counter(one.by_impact) for one in counts), Counter[Impact]())
        hit = sum(one.failed > 0 for one in counts)
        yield (
            f"{_label(name)}: {sum(one.failed for one in counts)} failed{_by_impact(impacts)} "
            f"on {hit} of {counted(len(counts), 'page')}, in no rate of axe-core's"
        )
    merged = [one.merged for one in evaluations if one.merged is not None]
    if merged:
        yield (
            f"merged as the {merged[0].rule} did, mean of {counted(len(merged), 'page')}: "
            f"failed_merged {fmean(one.failed_merged for one in merged):.4f}  "
            f"ir_merged {fmean(one.ir_merged for one in merged):.4f}  "
            f"iwir_merged {fmean(one.iwir_merged for one in merged):.4f}"
        )


def engine_versions(evaluation: Evaluation) -> list[tuple[str, str]]:
    """Return name and version of every further engine."""
    return [(_label(name), one.version) for name, one in evaluation.engines.items() if name != AXE]


def _label(name: str) -> str:
    return ENGINE_LABELS.get(name, name)


def _by_impact(counts: Mapping[Impact, int]) -> str:
    told = ", ".join(f"{count} {impact}" for impact, count in counts.items())
    return f" ({told})" if told else ""
