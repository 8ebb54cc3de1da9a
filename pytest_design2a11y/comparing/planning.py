"""How many cases a comparison needs to notice a drop: the power of a one-sided t-test of paired differences.

A case's difference varies by the noise of its old and new samples, and by how differently cases drop. How far
gates agree with it is measured in `studies/plan_check.py`.
"""

from dataclasses import dataclass
from math import inf, sqrt
from statistics import fmean, median, stdev, variance

import numpy
from numpy.typing import NDArray

from pytest_design2a11y.comparing.aggregate import CONFIDENCE
from pytest_design2a11y.comparing.resampling import MIN_CASES
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.metrics import COMPARED
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.wording import command_flag, counted

#: How much the response of cases to a change varies, as a share of its mean: measured on prompt changes,
#: where cases deviated by 0.024 (standard deviation) from the mean of 0.02.
SPREAD_OF_DROPS = 1.2

#: Share of comparisons that must notice the drop.
POWER = 0.8

#: Largest number of cases in a plan.
MAX_CASES = 1_000

#: Numbers of samples per case that are planned for.
NUM_SAMPLES = (1, 2, 3, 5)

#: Drops this far from 0, in standard errors, are noticed for sure; SciPy has no number for some farther ones.
_SURE = 10.0


@dataclass(frozen=True, slots=True)
class Noise:
    """How much the pages of a run vary in one metric."""

    metric: str
    mean: float
    between_cases: float  # Standard deviation of the cases' means; paired comparisons do not see it
    within_cases: float  # Standard deviation of a case's samples, root mean square over the cases
    num_cases: int  # Cases with at least two samples
    num_samples: int  # Samples per case; the median


@dataclass(frozen=True, slots=True)
class Plan:
    """The cases and samples needed to notice a drop."""

    noise: Noise
    drop: float  # Mean worsening that must be noticed
    spread: float  # Standard deviation of the worsening from case to case
    needed: dict[int, int | None]  # Number of cases by samples per case; None if `MAX_CASES` are not enough
    own_power: float  # Share that notices the drop with the run's own numbers of cases and samples


def read_noise(run: Run, metric: str) -> Noise:
    """Return how much the pages of a run vary; ConfigurationError for too few samples, or several models."""
    names = sorted({name for page in run.evaluations for name in page.axes})
    axes = {name: {page.axes.get(name, "") for page in run.evaluations} for name in names}
    if mixed := [name for name in names if len(axes[name]) > 1]:
        raise ConfigurationError(
            f"The run {run.name!r} mixes {', '.join(mixed)}, each of which varies in its own way.",
            advice=f"Plan for one, such as {command_flag('only')}={mixed[0]}={max(axes[mixed[0]])}.",
        )
    values: dict[str, dict[str, list[float]]] = {}
    for page in run.evaluations:
        if (value := page.value(metric)) is not None:
            values.setdefault(page.case, {}).setdefault(page.sample, []).append(value)
    several = [[*map(fmean, samples.values())] for samples in values.values() if len(samples) > 1]
    if len(several) < MIN_CASES:
        raise ConfigurationError(
            f"The run {run.name!r} has {counted(len(several), 'case')} with two samples or more that "
            f"have {metric}; {MIN_CASES} are needed to estimate how much samples vary.",
            advice="Save a run with several samples a case, or join rounds of one prompt "
            "(design2a11y runs merge).",
        )
    means = [*map(fmean, several)]
    return Noise(
        metric=metric,
        mean=fmean(means),
        between_cases=stdev(means),
        within_cases=sqrt(fmean(map(variance, several))),
        num_cases=len(several),
        num_samples=int(median(map(len, several))),
    )


def make_plan(noise: Noise, *, drop: float, spread: float | None = None) -> Plan:
    """Plan how many cases and samples detect a drop, in the metric's unit, in 80 % of comparisons.

    `spread` is the drop's standard deviation from case to case; None: `SPREAD_OF_DROPS` times the drop.
    ConfigurationError if the metric cannot become worse by that much.
    """
    upper = COMPARED[noise.metric].upper
    if not 0 < drop < (inf if upper is None else upper):
        raise ConfigurationError(
            f"{noise.metric} cannot become worse by {drop:g}.", advice="Write a smaller drop, such as 0.02."
        )
    spread = SPREAD_OF_DROPS * drop if spread is None else spread
    needed: dict[int, int | None] = {}
    for samples in NUM_SAMPLES:
        curve = power_curve(noise, drop=drop, spread=spread, num_samples=samples)
        enough = numpy.flatnonzero(curve >= POWER)
        needed[samples] = int(enough[0]) + 1 if len(enough) else None
    power = power_curve(
        noise, drop=drop, spread=spread, num_samples=noise.num_samples, max_cases=noise.num_cases
    )
    return Plan(noise, drop, spread, needed, float(power[-1]))


def power_curve(
    noise: Noise, *, drop: float, spread: float, num_samples: int, max_cases: int = MAX_CASES
) -> NDArray[numpy.float64]:
    """Return the share of comparisons that notice a drop, for 1 to `max_cases` cases.

    With fewer than `MIN_CASES` nothing is noticed.
    """
    from scipy.special import nctdtr, stdtrit

    numbers = numpy.arange(MIN_CASES, max_cases + 1)
    deviation = sqrt(spread**2 + 2 * noise.within_cases**2 / num_samples)
    distances = numpy.minimum(_SURE, drop * numpy.sqrt(numbers) / deviation)
    noticed = 1 - nctdtr(numbers - 1, distances, stdtrit(numbers - 1, CONFIDENCE))
    return numpy.concatenate([numpy.zeros(MIN_CASES - 1), noticed])[:max_cases]
