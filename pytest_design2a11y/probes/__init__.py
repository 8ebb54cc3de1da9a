"""Probes: open a page, act on it, and report what cannot be done or seen."""

from pytest_design2a11y.extending import Probe


def pytest_design2a11y_probes() -> list[Probe]:
    """Return the built-in probes."""
    from pytest_design2a11y.probes import adapting, keyboard, quick, responds

    return [
        Probe("keyboard", keyboard.CHECKS, keyboard.probe_keyboard),
        Probe("reflow", adapting.REFLOW_CHECKS, adapting.probe_reflow),
        Probe("zoom", adapting.ZOOM_CHECKS, adapting.probe_zoom),
        Probe("spacing", adapting.SPACING_CHECKS, adapting.probe_spacing),
        Probe("names", quick.NAMES_CHECKS, quick.probe_names, only_looks=True),
        Probe("targets", quick.TARGETS_CHECKS, quick.probe_targets, only_looks=True),
        Probe("layout", quick.LAYOUT_CHECKS, quick.probe_layout, only_looks=True, needs_screenshot=True),
        Probe("responds", responds.CHECKS, responds.probe_responds, compares=True),
    ]
