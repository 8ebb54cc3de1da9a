"""One edit: what to change on one element of a page, with its values."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pytest_design2a11y.models.geometry import Box

#: Attributes that change what people see.
_SEEN = {"placeholder", "value", "checked", "disabled"}


@dataclass(frozen=True)
class Edit:
    """What to change on one element of the page; every property has one value, its last."""

    selector: str  # Of the element
    css: Mapping[str, str] = field(default_factory=dict)
    texts: tuple[str, ...] = ()  # What its own texts are to be, in order; empty: as they are
    attributes: Mapping[str, str | None] = field(default_factory=dict)  # None: it is to have none
    html: str = ""  # Its markup, if it is to be added
    into: str = ""  # Selector of the element at whose end it is to be added
    content: str = ""  # What it is to hold in place of all that it holds
    wrap: str = ""  # Tag of an element to put around its content, if one is missing there
    name: str = ""  # What it is, in words
    reasons: tuple[str, ...] = ()  # What it repairs
    design_box: Box | None = None  # Where it is in the design, px
    page_box: Box | None = None  # Where it is on the page, px

    @property
    def is_empty(self) -> bool:
        """Whether it changes nothing."""
        return not (self.css or self.attributes or self.html or self.content or self.wrap or self.texts)

    @property
    def is_seen(self) -> bool:
        """Whether it changes what people see."""
        return bool(self.css or self.texts or self.html or self.content or _SEEN & {*self.attributes})

    def joined(self, other: "Edit") -> "Edit":
        """Return this and a later edit of the same element as one."""
        return replace(
            self,
            css={**self.css, **other.css},
            texts=() if other.content else other.texts or self.texts,
            attributes={**self.attributes, **other.attributes},
            html=self.html or other.html,
            into=self.into or other.into,
            content=other.content or self.content,
            wrap=self.wrap or other.wrap,
            name=self.name or other.name,
            reasons=(*self.reasons, *other.reasons),
            design_box=self.design_box or other.design_box,
            page_box=self.page_box or other.page_box,
        )


def read_edits(record: Mapping[str, object]) -> list[Edit]:
    """Return the edits of a fix list's JSON."""
    items = record.get("items")
    edits = []
    for item in items if isinstance(items, list) else []:
        for edit in item.get("edits", ()):
            known = {
                name: edit[name]
                for name in ("selector", "css", "attributes", "html", "into", "content", "wrap", "name")
                if name in edit
            }
            edits.append(replace(Edit(str(edit.get("selector", ""))), **known))
    return edits
