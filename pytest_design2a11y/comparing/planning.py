"""How many cases a comparison needs to notice a drop.

Comparisons are simulated: cases are drawn from the run with replacement, each with an old and a new set of
samples that deviate from its mean as its own samples do, and the new ones are worse. Each is judged as by a
gate with margin 0, but with Student's t, which agrees with resampling to about one in a hundred
(`studies/plan_check.py`) and takes a thousandth of the time.
"""

import math
from dataclasses import dataclass

import numpy
from numpy.typing import NDArray

from pytest_design2a11y.comparing.aggregate import CONFIDENCE, mean_over_cases
from pytest_design2a11y.comparing.pairing import axes_text, axis_values
from pytest_design2a11y.comparing.resampling import MIN_CASES, SEED, student_quantile
from pytest_design2a11y.comparing.table import FailedPages, Values, sample_values
from pytest_design2a11y.exceptions import ConfigurationError
from pytest_design2a11y.models.evaluation import Evaluation
from pytest_design2a11y.models.metrics import COMPARED
from pytest_design2a11y.models.run import Run
from pytest_design2a11y.models.verdicts import CaseKey
from pytest_design2a11y.wording import command_flag, counted

#: How much the response of cases to a change varies, as a share of its mean: measured on prompt changes,
#: where cases deviated by 0.024 (standard deviation) from the mean of 0.02.
SPREAD_OF_DROPS = 1.2

#: Share of comparisons that must notice the drop.
POWER = 0.8

NUM_COMPARISONS = 4_000

#: Largest number of cases in a plan.
MAX_CASES = 1_000

#: This many are tried first: most plans need no more, and simulating them takes a tenth of the time.
_FEW_CASES = 100

#: Numbers of samples per case that are planned for.
NUM_SAMPLES = (1, 2, 3, 5)

_CHUNK = 1_000_000


@dataclass(frozen=True, eq=False)
class Noise:
    """How much the pages of a run vary in one metric."""

    metric: str
    mean: float
    between_cases: float  # Standard deviation of the cases' means; paired comparisons do not see it
    within_cases: float  # Standard deviation of a case's samples, root mean square over the cases
    num_cases: int  # Cases with at least two samples
    num_samples: int  # Samples per case; the most common number
    # Deviation of each sample from its case's mean, (cases, samples), scaled so that its variance is that of
    # the pages; NaN if a case has fewer samples than others
    strays: Values


@dataclass(frozen=True, slots=True)
class Plan:
    """The cases and samples needed to notice a drop."""

    noise: Noise
    drop: float  # Mean worsening that must be noticed
    spread: float  # Standard deviation of the worsening from case to case
    needed: dict[int, int | None]  # Number of cases by samples per case; None if `MAX_CASES` are not enough
    own_power: float  # Share that notices the drop with the run's own numbers of cases and samples


def read_noise(run: Run, metric: str, *, failed_pages: FailedPages = "exclude") -> Noise:
    """Return how much the pages of a run vary; ConfigurationError for too few samples, or several models."""
    by_key: dict[CaseKey, list[Evaluation]] = {}
    for page in run.evaluations:
        by_key.setdefault(page.case_key, []).append(page)
    mixed = {name: values for name, values in axis_values(tuple(by_key)).items() if len(values) > 1}
    if mixed:
        name, mixing = next(iter(mixed.items()))
        raise ConfigurationError(
            f"The run {run.name!r} mixes {', '.join(mixed)}, each of which varies in its own way.",
            advice=f"Plan for one, such as {command_flag('only')}={axes_text(((name, mixing[-1]),))}.",
        )
    found = [
        [value for value in sample_values(pages, metric, failed_pages=failed_pages) if value is not None]
        for pages in by_key.values()
    ]
    several = [numpy.array(values) for values in found if len(values) > 1]
    if len(several) < MIN_CASES:
        raise ConfigurationError(
            f"The run {run.name!r} has {counted(len(several), 'case')} with two samples or more that "
            f"have {metric}; {MIN_CASES} are needed to estimate how much samples vary.",
            advice="Save a run with several samples a case, or join rounds of one prompt "
            "(design2a11y runs merge).",
        )
    means = numpy.array([mean_over_cases(values) for values in several])
    strays = numpy.full((len(several), max(map(len, several))), numpy.nan)
    for row, values in enumerate(several):
        strays[row, : len(values)] = (values - means[row]) * math.sqrt(len(values) / (len(values) - 1))
    return Noise(
        metric=metric,
        mean=mean_over_cases(means),
        between_cases=float(means.std(ddof=1)),
        within_cases=math.sqrt(numpy.mean([values.var(ddof=1) for values in several])),
        num_cases=len(several),
        num_samples=int(numpy.median(list(map(len, several)))),
        strays=strays,
    )


def make_plan(noise: Noise, *, drop: float, spread: float | None = None) -> Plan:
    """Plan how many cases and samples detect a drop, in the metric's unit, in 80 % of comparisons.

    `spread` is the drop's standard deviation from case to case; None: `SPREAD_OF_DROPS` times the drop.
    ConfigurationError if the metric cannot become worse by that much.
    """
    upper = COMPARED[noise.metric].upper
    if not 0 < drop < (math.inf if upper is None else upper):
        raise ConfigurationError(
            f"{noise.metric} cannot become worse by {drop:g}.", advice="Write a smaller drop, such as 0.02."
        )
    spread = SPREAD_OF_DROPS * drop if spread is None else spread
    needed: dict[int, int | None] = dict.fromkeys(NUM_SAMPLES)
    for samples in NUM_SAMPLES:
        for max_cases in (_FEW_CASES, MAX_CASES):
            curve = power_curve(noise, drop=drop, spread=spread, num_samples=samples, max_cases=max_cases)
            if (number := int(numpy.flatnonzero(curve < POWER)[-1]) + 2) <= max_cases:
                needed[samples] = number
                break
    power = power_curve(
        noise, drop=drop, spread=spread, num_samples=noise.num_samples, max_cases=noise.num_cases
    )
    return Plan(noise, drop, spread, needed, float(power[-1]))


def power_curve(
    noise: Noise, *, drop: float, spread: float, num_samples: int, max_cases: int = MAX_CASES
) -> NDArray[numpy.float64]:
    """Return the share of simulated comparisons that notice a drop, for 1 to `max_cases` cases.

    A comparison of n cases consists of the first n of one with `max_cases`, so a single draw serves all; with
    fewer than `MIN_CASES` nothing is noticed.
    """
    generator = numpy.random.default_rng([SEED, num_samples])
    counted = numpy.arange(1, max_cases + 1)[:, None]
    # Distance of a mean's one-sided bound from the mean in standard errors, by Student's t.
    numbers = numpy.maximum(counted, MIN_CASES).ravel().tolist()
    quantiles = numpy.array([[student_quantile(1 - CONFIDENCE, number - 1)] for number in numbers])
    counts = numpy.zeros(max_cases)
    at_once = max(1, min(NUM_COMPARISONS, _CHUNK // max_cases))
    num_chunks = math.ceil(NUM_COMPARISONS / at_once)
    for _chunk in range(num_chunks):
        worse_by = draw_strays(noise, (max_cases, at_once), num_samples, generator)
        worse_by += generator.normal(drop, spread, worse_by.shape)
        means = numpy.cumsum(worse_by, axis=0) / counted
        squares = numpy.cumsum(worse_by**2, axis=0) - counted * means**2
        errors = numpy.sqrt(numpy.maximum(squares, 0.0) / numpy.maximum(counted - 1, 1) / counted)
        counts += (means > quantiles * errors).sum(axis=1)
    power: NDArray[numpy.float64] = counts / (num_chunks * at_once)
    power[: MIN_CASES - 1] = 0.0
    return power


def draw_strays(
    noise: Noise, shape: tuple[int, int], num_samples: int, generator: numpy.random.Generator
) -> NDArray[numpy.float64]:
    """Draw the deviations of new sample means from old ones, (cases, comparisons)."""
    cases = generator.integers(0, noise.num_cases, shape)
    num_known = (~numpy.isnan(noise.strays)).sum(axis=1)[cases]
    difference = numpy.zeros(shape)
    for sign in (1.0, -1.0):
        for _sample in range(num_samples):
            sample = (generator.random(shape) * num_known).astype(numpy.intp)
            difference += sign * noise.strays[cases, sample]
    return difference / num_samples
