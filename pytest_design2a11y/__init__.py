"""Visual similarity and accessibility rates of generated pages, in pytest.

`__init__.pyi` lists all public names, which are loaded on first use, so that importing the package is cheap.
"""

from typing import Any

from lazy_loader import attach_stub

_public, __dir__, __all__ = attach_stub(__name__, __file__)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("pytest-design2a11y")
    return _public(name)
