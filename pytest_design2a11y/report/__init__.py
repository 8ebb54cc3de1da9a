"""Pure functions of a run, one for each output; here, the environments of the templates of several."""

from functools import cache, partial
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.escaping import markdown

if TYPE_CHECKING:
    import jinja2


def template_environment(package: str, *, autoescape: bool) -> "jinja2.Environment":
    """Return an environment for the templates of a package; a name that they are not given is an error."""
    import jinja2

    return jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        autoescape=autoescape,  # Markdown has an escaping of its own
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


def render_markdown(name: str, **values: Any) -> str:
    """Return a template of `report/templates` with its values."""
    return _environment().get_template(name).render(**values)


@cache
def _environment() -> "jinja2.Environment":
    made = template_environment(__package__, autoescape=False)
    made.filters["markdown"] = markdown
    made.filters["line"] = partial(markdown, limit=1000)
    made.filters["number"] = "{:.4f}".format
    made.filters["signed"] = "{:+.4f}".format
    return made
