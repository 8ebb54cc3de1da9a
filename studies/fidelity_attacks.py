"""What pages get that try to buy fidelity with elements and fonts that nobody sees.

    python -m studies.fidelity_attacks

Prints the second table of `studies/attacks.md`; the pages are those of `trials/fidelity_tries.py`.
"""

from __future__ import annotations

from pytest_design2a11y.capture.renderer import open_renderer
from trials.fidelity_tries import gain, make_tries


def main() -> None:
    with open_renderer() as renderer:
        design, pages = make_tries(renderer)
        print("| try | fidelity | without what nobody sees | gain |\n| --- | --: | --: | --: |")
        for one in pages:
            own, seen = gain(renderer, design, one)
            print(f"| {one.name} | {own:.3f} | {seen:.3f} | {own - seen:+.3f} |", flush=True)


if __name__ == "__main__":
    main()
