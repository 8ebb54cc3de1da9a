"""Least-cost assignment by SciPy's compiled code alone: importing its package takes a second."""

from __future__ import annotations

from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path

import scipy

_spec = PathFinder.find_spec("_lsap", [str(Path(scipy.__file__).with_name("optimize"))])
if _spec is None or _spec.loader is None:  # Another version of SciPy may keep it elsewhere.
    _module = scipy.optimize
else:
    _module = module_from_spec(_spec)
    _spec.loader.exec_module(_module)

linear_sum_assignment = _module.linear_sum_assignment
