"""The assignment of least total cost: SciPy's compiled code alone, whose package takes a second to import."""

from __future__ import annotations

from collections.abc import Callable
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any

import scipy

__all__ = ["linear_sum_assignment"]


def _of_scipy() -> Callable[..., Any]:
    spec = PathFinder.find_spec("_lsap", [str(Path(scipy.__file__).with_name("optimize"))])
    if spec is None or spec.loader is None:  # Another SciPy may keep it elsewhere.
        from scipy.optimize import linear_sum_assignment

        return linear_sum_assignment  # type: ignore[no-any-return]
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.linear_sum_assignment  # type: ignore[no-any-return]


linear_sum_assignment = _of_scipy()
