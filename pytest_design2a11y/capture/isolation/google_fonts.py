"""Google's fonts as those of Fontsource on npm: the style sheet that Google would send, made of theirs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from pytest_design2a11y.capture.isolation.packages import NoPackage, Package

#: Where these style sheets have their files: an address of Google's host, answered from the package.
_FILES = "https://fonts.gstatic.com/fontsource/"
_WEIGHTS = range(100, 1000, 100)
#: What Google's style sheets of icons have besides the font.
_ICONS = """.{name} {{
  font-family: '{family}'; font-weight: normal; font-style: normal; font-size: 24px; line-height: 1;
  letter-spacing: normal; text-transform: none; display: inline-block; white-space: nowrap; word-wrap: normal;
  direction: ltr; font-feature-settings: 'liga'; -webkit-font-smoothing: antialiased;
}}"""


@dataclass(frozen=True, slots=True)
class WebFont:
    """A family that a page asks Google for."""

    family: str
    styles: tuple[tuple[int, bool], ...]  # Weight, and whether italic

    @property
    def name(self) -> str:
        """Its name as Fontsource writes it, and as the class of icons."""
        return self.family.lower().replace(" ", "-")

    @property
    def package(self) -> str:
        """The name of its package."""
        return f"@fontsource/{self.name}"


def fonts_of(url: str) -> Iterator[WebFont]:
    """Read css2?family=Inter:ital,wght@0,400;1,700 and css?family=Open+Sans:400,700italic|Lato."""
    for value in parse_qs(urlsplit(url).query).get("family", ()):
        for text in value.split("|"):
            family, _, styles = text.partition(":")
            yield WebFont(family.strip(), tuple(dict.fromkeys(_styles(styles))) or ((400, False),))


def _styles(text: str) -> Iterator[tuple[int, bool]]:
    axes, at, values = text.partition("@")
    names = axes.split(",") if at else ["wght"]
    for value in (values if at else text.replace(",", ";")).split(";") if text else ():
        parts = dict(zip(names, value.split(","), strict=False))
        weight = parts.get("wght", "400")
        is_italic = parts.get("ital") == "1" or "i" in weight
        numbers = [int(number) for number in re.findall(r"\d{3,4}", weight)]
        if ".." in weight and len(numbers) == 2:
            yield from ((each, is_italic) for each in _WEIGHTS if numbers[0] <= each <= numbers[1])
        else:
            yield (numbers[0] if numbers else 700 if weight.startswith("b") else 400), is_italic


def style_sheet(font: WebFont, package: Package) -> str:
    """Return the style sheet of a family, with the weights that its package has; NoPackage without any."""
    files = [f"{weight}{'-italic' if is_italic else ''}.css" for weight, is_italic in font.styles]
    sheets = [package.files[file].decode() for file in files if file in package.files]
    if not sheets:
        raise NoPackage(f"{package.name}@{package.version} of npm has no {', '.join(files)}")
    sheet = "\n".join(sheets).replace("url(./", f"url({_FILES}{package.name}@{package.version}/")
    is_icons = font.family.startswith("Material ")
    return f"{sheet}\n{_ICONS.format(name=font.name, family=font.family)}" if is_icons else sheet
