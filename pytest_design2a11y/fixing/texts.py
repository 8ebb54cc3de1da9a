"""Edits of the texts of a page: words, font, lines and place as the design has them, or away."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_design2a11y.fixing.draft import HIDDEN, Draft, box_of, sought, text_name
from pytest_design2a11y.fixing.edit import Edit
from pytest_design2a11y.fixing.looks import PageLooks, base_css, font_css, line_css, padding_css
from pytest_design2a11y.fixing.repairs import OPAQUE
from pytest_design2a11y.fixing.runs import markup_of_runs, set_lines
from pytest_design2a11y.models.geometry import Box
from pytest_design2a11y.models.page import Capture, TextRun
from pytest_design2a11y.visual.scene.units import Unit

if TYPE_CHECKING:
    from pytest_design2a11y.capture.bench import Bench

#: em; letters of one family are as wide up to this.
_SAME_WIDTH = 0.005
#: px; lengths are the same up to this.
_SAME_LENGTH = 1.0


def edit_texts(bench: "Bench", draft: Draft) -> None:
    """Give paired texts the design's words, font, lines and place; hide those of the page alone."""
    pairs = [(design, made) for design, made in draft.claims.texts if design and made]
    groups = [_group(made, draft) for _, made in pairs]
    wholes = bench.call("common", groups)
    told = _tell_together(pairs, groups, wholes, bench, draft)
    for at, ((design, made), whole) in enumerate(zip(pairs, wholes, strict=True)):
        if at in told:
            continue
        if _lacks_element(design, made, whole, draft):
            _give_element((design, made), f"{draft.prefix}part-{at}", draft)
        else:
            _edit_text(design, made, whole, draft)
    kept = {draft.selector_of(run): design for design, made in pairs for run in made.runs}
    extra = [made for design, made in draft.claims.texts if made and design is None]
    for made in extra:
        for run in made.runs:
            node = draft.node_of(run)
            if not node or (node["field"] and not node["option"]) or draft.is_added(node["selector"]):
                continue
            if node["option"]:
                _tell_option(node, " ", made, draft)
            elif node["selector"] not in kept:
                _remove_text(run, node, draft)
            elif not node["numElements"]:
                draft.add(Edit(node["selector"], texts=(kept[node["selector"]].text,)))


def _tell_option(node: Mapping[str, Any], text: str, made: Unit, draft: Draft) -> None:
    """Give what a menu shows, the option that is chosen, another text."""
    draft.add(Edit(node["option"], texts=(text,), name=text_name(made), page_box=made.box))


def _group(made: Unit, draft: Draft) -> dict[str, Any]:
    selectors = [selector for run in made.runs if (selector := draft.selector_of(run))]
    return {"selectors": selectors, "text": "".join(run.text for run in made.runs)}


def _tell_together(
    pairs: Sequence[tuple[Unit, Unit]],
    groups: Sequence[Mapping[str, Any]],
    wholes: Sequence[Mapping[str, Any] | None],
    bench: "Bench",
    draft: Draft,
) -> set[int]:
    """Tell anew what elements hold that have several texts in other parts; return which texts."""
    told: set[int] = set()
    shared = {
        whole["selector"]
        for (design, made), whole in zip(pairs, wholes, strict=True)
        if whole and not whole["isAll"] and len(design.runs) != len(made.runs)
    }
    for selector in (shared | _with_several(pairs, groups, draft)) - {*draft.places}:
        contents = bench.call("contents", selector, groups)
        inner = {own for at in contents["numbers"] for own in groups[at]["selectors"]}
        if not contents["isAll"] or told.intersection(contents["numbers"]) or inner & {*draft.places}:
            continue
        parts = [_placed_part(pairs[at], f"{draft.prefix}part-{at}", draft) for at in contents["numbers"]]
        draft.add(Edit(selector, content=" ".join(parts), name=text_name(pairs[contents["numbers"][0]][0])))
        told.update(contents["numbers"])
    return told


def _with_several(
    pairs: Sequence[tuple[Unit, Unit]], groups: Sequence[Mapping[str, Any]], draft: Draft
) -> set[str]:
    """Return the elements that hold several texts which move or change apart from each other."""
    moves: dict[str, set[tuple[float, ...]]] = {}
    for (design, made), group in zip(pairs, groups, strict=True):
        shift = (design.box[0] - made.box[0], design.box[1] - made.box[1], made.box[3] - design.box[3])
        for selector in {*group["selectors"]}:
            moves.setdefault(selector, set()).add((*map(round, shift),))
    return {selector for selector, own in moves.items() if len(own) > 1}


def _placed_part(pair: tuple[Unit, Unit], name: str, draft: Draft) -> str:
    """Return a text as markup that has a place of its own."""
    design, made = pair
    base = base_css(design, draft.looks)
    css = {"display": "inline-block", **base, **line_css(design, draft.claims.reference)}
    content = markup_of_runs(design, base, draft, _links_of(made, draft), made.text)
    edit = Edit(f"#{name}", css, name=text_name(design), design_box=design.box, page_box=made.box)
    draft.add(edit, design.box, is_text=True)
    return f'<span id="{name}">{content}</span>'


def _lacks_element(design: Unit, made: Unit, whole: Mapping[str, Any] | None, draft: Draft) -> bool:
    """Return whether a text needs lines of its own, or moves alone, and its element shows more than it."""
    node, lines = draft.node_of(made.runs[0]), line_css(design, draft.claims.reference)
    if whole is None or node is None or _in_one_line(" ".join(node["texts"])) != _read(made):
        return False
    drawn = draft.lines.get(node["selector"])
    if drawn and abs(design.box[0] - made.box[0] - drawn[0][0] + drawn[1][0]) > _SAME_LENGTH:
        return True
    is_other = "width" in lines or len(design.runs) != len(made.runs)
    return is_other and not whole["isAll"] and not _is_as_designed(design, made, draft)


def _give_element(pair: tuple[Unit, Unit], name: str, draft: Draft) -> None:
    """Give a text that stands beside other elements one of its own, where it stands."""
    selector = draft.selector_of(pair[1].runs[0]) or ""
    html = _placed_part(pair, name, draft)
    draft.add(Edit(selector, texts=(" ",), name=text_name(pair[0]), page_box=pair[1].box))
    draft.add(Edit(f"#{name}", html=html, into=selector))


def _links_of(made: Unit, draft: Draft) -> dict[str, str]:
    """Return the addresses of a text's links by their words."""
    nodes = ((run.text.strip(), draft.node_of(run)) for run in made.runs)
    return {words: str(node["link"]) for words, node in nodes if node and node["link"]}


def _remove_text(run: TextRun, node: Mapping[str, Any], draft: Draft) -> None:
    change: dict[str, Any] = {"texts": (" ",)} if node["numElements"] else {"css": HIDDEN}
    name = f'text "{run.text.strip()}"'
    why = (f"{name} that the design does not have",)
    draft.add(Edit(node["selector"], name=name, reasons=why, page_box=box_of(run), **change))


def _edit_text(design: Unit, made: Unit, whole: Mapping[str, Any] | None, draft: Draft) -> None:
    page, runs = draft.claims.reference, runs_of(design, made)
    if whole is not None and _is_told_whole(design, made, whole, draft):
        _tell_whole(design, made, whole, draft)
        return
    groups: dict[str, list[tuple[TextRun, TextRun]]] = {}
    for own, run in runs:
        if selector := draft.selector_of(run):
            groups.setdefault(selector, []).append((own, run))
    box = draft.places.get(whole["selector"]) if whole is not None and whole["isAll"] else None
    if (box is None or box.isText) and _is_as_designed(design, made, draft):
        _keep_places(design, made, whole, groups, draft)
        return
    for at, (selector, parts) in enumerate(groups.items()):
        own, run = parts[0]
        css = font_css(own, draft.looks)
        if _is_same_family(own, run):
            css.pop("font-family", None)
        if own.text != run.text and own.text.lower() == run.text.lower():
            css["text-transform"] = "none"
        if own.is_underlined != run.is_underlined or own.is_link != run.is_link:
            css["text-decoration-line"] = "underline" if own.is_underlined else "none"
        is_alone = len(draft.located[sought(run)]["texts"]) <= len(parts)
        is_of_one_line = "width" not in line_css(design, page)
        if is_alone and is_of_one_line and made.box[3] > design.box[3] + _SAME_LENGTH:
            css["white-space"] = "nowrap"
        edit = Edit(selector, css, name=text_name(design), design_box=design.box, page_box=made.box)
        words = _words(design, made, parts, draft.located[sought(run)], is_first=not at)
        if len(words.get("texts", ())) not in {0, len(draft.located[sought(run)]["texts"])}:
            words = _among_others(selector, parts, words["texts"], draft)
        draft.add(replace(edit, **words))
        for faded in draft.located[sought(run)]["faded"] if "color" in css and run.alpha < 1 else ():
            draft.add(Edit(faded, OPAQUE, name=text_name(design), page_box=made.box))
        _take_drawn(draft.located[sought(run)] if "texts" in words else {}, draft)
    is_field = any(draft.located[sought(run)]["field"] for parts in groups.values() for _, run in parts)
    if whole is not None and whole["isAll"] and not is_field:
        _lay_out(page, design, made, whole, draft)
    else:
        _keep_places(design, made, None, groups, draft)


def _among_others(
    selector: str, parts: Sequence[tuple[TextRun, TextRun]], texts: Sequence[str], draft: Draft
) -> dict[str, tuple[str, ...]]:
    """Return all texts of an element, some of which are to read otherwise; empty if one is not among them.

    An element with fields between its words has many: those that are not told would be lost.
    """
    shown = draft.located[sought(parts[0][1])]["texts"]
    known, own = draft.edits.get(selector), [*map(_in_one_line, shown)]
    told = [*(known.texts if known and len(known.texts) == len(shown) else shown)]
    given = [*texts[: len(parts)], *[" "] * (len(parts) - len(texts))]
    for (_, run), text in zip(parts, given, strict=True):
        words = _in_one_line(run.text)
        if words not in own:
            return {}
        told[own.index(words)] = f" {text.strip()} "
    return {"texts": tuple(told)}


def _in_one_line(text: str) -> str:
    return " ".join(text.split()).lower()


def _is_as_designed(design: Unit, made: Unit, draft: Draft) -> bool:
    """Return whether a text needs no edit but, perhaps, another place."""
    design_looks = replace(draft.looks, families={})
    sizes = zip(design.box[2:], made.box[2:], strict=True)
    return (
        len(design.runs) == len(made.runs)
        and all(abs(own - other) < _SAME_LENGTH for own, other in sizes)
        and all(
            own.text.strip() == run.text.strip()
            and (own.is_underlined, own.alpha) == (run.is_underlined, run.alpha)
            and _is_same_family(own, run)
            and font_css(own, design_looks) == font_css(run, PageLooks(draft.claims.candidate))
            for own, run in zip(design.runs, made.runs, strict=True)
        )
    )


def _keep_places(
    design: Unit,
    made: Unit,
    whole: Mapping[str, Any] | None,
    groups: Mapping[str, Sequence[tuple[TextRun, TextRun]]],
    draft: Draft,
) -> None:
    """Note where a text is to be: as a whole if an element holds it alone, else by its parts."""
    boxes: dict[str, Box] = {}
    if whole is not None and whole["isAll"]:
        boxes = {whole["selector"]: design.box}
    elif len(design.runs) == len(made.runs):
        boxes = {
            selector: box_of(parts[0][0])
            for selector, parts in groups.items()
            if len((node := draft.located[sought(parts[0][1])])["texts"]) <= len(parts) and not node["field"]
        }
    for selector, box in boxes.items():
        if selector not in draft.earlier:
            edit = Edit(selector, name=text_name(design), design_box=design.box, page_box=made.box)
            draft.add(edit, box, is_text=True)


def _is_told_whole(design: Unit, made: Unit, whole: Mapping[str, Any], draft: Draft) -> bool:
    """Return whether an element gets all that it holds anew: it has this text alone, in other parts."""
    nodes = [(draft.node_of(run), run) for run in made.runs]
    inner = {node["selector"] for node, _ in nodes if node} - {whole["selector"]}
    is_free = not inner & {*draft.places} and not any(node and node["field"] for node, _ in nodes)
    parts, own_parts = ([run.text.strip().lower() for run in unit.runs] for unit in (design, made))
    is_other = len(design.runs) > 1 and parts != own_parts
    is_other |= len(design.runs) != len(made.runs) or any(map(draft.boxes.__contains__, design.runs))
    pairs = runs_of(design, made)
    looks = {(draft.selector_of(run), *font_css(own, draft.looks).items()) for own, run in pairs}
    is_other |= len(looks) > len({selector for selector, *_ in looks})
    is_other |= any(set_lines(run, draft.claims.reference) for run in design.runs)
    return bool(whole["isAll"] and whole["isPlain"]) and is_free and is_other


def _tell_whole(design: Unit, made: Unit, whole: Mapping[str, Any], draft: Draft) -> None:
    page = draft.claims.reference
    links = _links_of(made, draft)
    base = base_css(design, draft.looks)
    base["text-decoration-line"] = "none"
    edit = Edit(
        whole["selector"],
        base,
        content=markup_of_runs(
            *(design, base, draft, None if whole["isLink"] else links, made.text), is_set=whole["isCell"]
        ),
        name=text_name(design),
        design_box=design.box,
        page_box=made.box,
    )
    draft.add(edit)
    _take_drawn(draft.node_of(made.runs[0]) or {}, draft)
    _lay_out(page, design, made, whole, draft)


def _take_drawn(node: Mapping[str, Any], draft: Draft) -> None:
    """Take away what an element's pseudo-elements show of a text that its nodes show now."""
    for part in node.get("drawn", ()):
        draft.add(Edit(f"{node['selector']}{part}", {"content": "none"}, name="page"))


def _is_same_family(own: TextRun, run: TextRun) -> bool:
    """Return whether letters of both are as wide, where their weight is the same."""
    if own.font is None or run.font is None or own.font.weight != run.font.weight:
        return False
    pairs = zip(own.font.advances, run.font.advances, strict=True)
    return all(abs(first - second) < _SAME_WIDTH for first, second in pairs)


def _words(
    design: Unit,
    made: Unit,
    parts: Sequence[tuple[TextRun, TextRun]],
    node: Mapping[str, Any],
    *,
    is_first: bool,
) -> dict[str, Any]:
    """Return what makes an element read as the design does, as fields of an edit; empty if it does."""
    if _read(design) == _read(made):
        is_same = " ".join(design.text.split()) == " ".join(made.text.split())
        same_parts = len(design.runs) == len(made.runs)
        return {} if is_same or not same_parts else {"texts": tuple(own.text for own, _ in parts)}
    if node["field"]:
        return {"attributes": {node["field"]: parts[0][0].text}}
    if len(design.runs) == len(made.runs):
        is_other = any(own.text.strip() != run.text.strip() for own, run in parts)
        return {"texts": tuple(own.text for own, _ in parts)} if is_other else {}
    if is_first:
        return {"texts": (design.text,)}
    return {"texts": (" ",)} if node["numElements"] else {"css": dict(HIDDEN)}


def _read(unit: Unit) -> str:
    return _in_one_line(unit.text)


def runs_of(design: Unit, made: Unit) -> list[tuple[TextRun, TextRun]]:
    """Return each run of the page's text with the design's run whose look it is to have."""
    if len(design.runs) == len(made.runs):
        return [*zip(design.runs, made.runs, strict=True)]
    by_text = {run.text.strip().lower(): run for run in design.runs}
    longest = max(design.runs, key=lambda run: len(run.text))
    return [(by_text.get(run.text.strip().lower(), longest), run) for run in made.runs]


def _lay_out(page: Capture, design: Unit, made: Unit, whole: Mapping[str, Any], draft: Draft) -> None:
    """Give a text its lines; in a box that has an edit of its own, its place by padding."""
    selector = whole["selector"]
    css = line_css(design, page)
    if whole["isSet"] and not draft.edits[selector].content:  # Its own spaces and lines are kept.
        css.pop("white-space", None)
    box = draft.places.get(selector) or draft.earlier.get(selector)
    if box is None or box.isText:
        # Its table gives it its width, or it has the design's.
        if whole["isCell"] or draft.is_paired(selector):
            css = {name: value for name, value in css.items() if name not in ("width", "max-width")}
        if whole["isInline"] and "width" in css:
            css["display"] = "inline-block"
        draft.add(Edit(selector, css, name=text_name(design)), design.box, is_text=True)
        return
    known = draft.edits[selector].css
    if "width" in known and design.box[0] >= box.box[0] and design.box[1] >= box.box[1]:
        draft.add(Edit(selector, padding_css(design, box.box, css, known), name=text_name(design)))
