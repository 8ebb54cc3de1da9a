"""What the templates of reports have in common, whatever they render."""

from __future__ import annotations

import jinja2


def template_environment(package: str, *, autoescape: bool) -> jinja2.Environment:
    """Return an environment for the templates of a package; a name that they are not given is an error."""
    return jinja2.Environment(
        loader=jinja2.PackageLoader(package),
        autoescape=autoescape,  # Markdown has an escaping of its own
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
