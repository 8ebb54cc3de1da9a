"""Scores pages that try to gain fidelity by elements, fonts, figures and icons that nobody sees.

    python -m studies.fidelity_attacks

Prints the second table of `studies/attacks.md`; the pages are from `studies/trials/fidelity_tries.py` and
`studies/trials/shop_tries.py`.
"""

from __future__ import annotations

from pytest_design2a11y.capture.renderer import open_renderer
from studies.trials.fidelity_tries import gain, make_tries
from studies.trials.shop_tries import make_shop_tries


def main() -> None:
    with open_renderer() as renderer:
        print("| try | fidelity | without what nobody sees | gain |\n| --- | --: | --: | --: |")
        for make in (make_tries, make_shop_tries):
            design, pages = make(renderer)
            for one in pages:
                own, seen = gain(renderer, design, one)
                print(f"| {one.name} | {own:.3f} | {seen:.3f} | {own - seen:+.3f} |", flush=True)


if __name__ == "__main__":
    main()
