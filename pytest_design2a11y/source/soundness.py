"""Check that a page's bytes all take effect: encoding, cut-off, swallowed parts, quirks mode."""

import codecs
import re
from collections.abc import Iterator

from pytest_design2a11y.exceptions import EmptyDocument, NotHtml
from pytest_design2a11y.models.page import CaptureWarning
from pytest_design2a11y.source.scanning import END_TAG_REQUIRED, Outline

#: First bytes of files that are handed over by mistake.
_SIGNATURES: dict[bytes, str] = {
    b"\x89PNG\r\n\x1a\n": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"%PDF-": "a PDF file",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "gzip-compressed data",
}
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARATION_WINDOW = 1024
_CONTROL_BYTES = bytes([*range(1, 9), *range(14, 27), *range(28, 32), 127])
_MOST_CONTROL_BYTES = 0.02
_FEWEST_NUL_BYTES = 0.2
#: Encodings of browsers besides UTF-8 and windows-1252, by Python's names; other names, ISO 8859-1 and UTF-16
#: for bytes that are not, mean windows-1252 (https://encoding.spec.whatwg.org/#names-and-labels).
_WEB_CODECS = frozenset((
    "big5", "cp866", "cp874", "cp932", "cp949", "cp950", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255",
    "cp1256", "cp1257", "cp1258", "euc_jp", "euc_kr", "gb18030", "gb2312", "gbk", "iso2022_jp",
    "iso8859-2", "iso8859-3", "iso8859-4", "iso8859-5", "iso8859-6", "iso8859-7", "iso8859-8", "iso8859-9",
    "iso8859-10", "iso8859-11", "iso8859-13", "iso8859-14", "iso8859-15", "iso8859-16", "koi8-r", "koi8-u",
    "mac-cyrillic", "mac-roman", "shift_jis", "tis-620",
))  # fmt: skip


def to_utf8(data: bytes, label: str) -> tuple[bytes, tuple[CaptureWarning, ...]]:
    """Return the text as UTF-8, byte for byte if it already is.

    A byte order mark decides first, as in browsers, and then the bytes themselves: valid UTF-8 is UTF-8,
    whatever a <meta> says. Other bytes are read as declared, or else as windows-1252.
    """
    for signature, kind in _SIGNATURES.items():
        if data.startswith(signature):
            raise NotHtml(f"{label} is {kind}, not a page.", advice="Give an HTML file.")
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data.decode(name, "replace").encode("utf-8", "replace"), ()
    head = data[:4096]
    if head.count(0) >= _FEWEST_NUL_BYTES * len(head):
        for name, low_bytes in (("utf-16-le", head[0::2]), ("utf-16-be", head[1::2])):
            if 0 not in low_bytes:
                return _converted(data, name)
    head = data[:65536]
    num_controls = len(head) - len(head.translate(None, _CONTROL_BYTES))
    num_nuls = head.count(0)
    if num_controls > _MOST_CONTROL_BYTES * len(head) or num_nuls > _FEWEST_NUL_BYTES * len(head):
        raise NotHtml(f"{label} is binary data, not a page.", advice="Give the HTML that the model wrote.")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _converted(data, _encoding_by_declaration(data))
    return data, ()


def _converted(data: bytes, name: str) -> tuple[bytes, tuple[CaptureWarning, ...]]:
    text = data.decode(name, "replace")
    message = (
        "Some bytes are not UTF-8; they show as replacement characters."
        if name == "utf-8"
        else f"The input is not UTF-8; it was read as {name}."
    )
    return text.encode("utf-8", "replace"), (CaptureWarning("encoding", message),)


def _encoding_by_declaration(data: bytes) -> str:
    num_wrong = data.decode("utf-8", "replace").count("\ufffd")
    if len(re.findall(rb"[\xc2-\xf4][\x80-\xbf]+", data)) >= num_wrong / 3:
        # Only a damaged byte or a lone surrogate keeps the bytes from being UTF-8.
        return "utf-8"
    from bs4.dammit import EncodingDetector

    declared = EncodingDetector.find_declared_encoding(data[:_DECLARATION_WINDOW], is_html=True)
    try:
        codec = codecs.lookup(declared or "windows-1252").name
        if codec not in _WEB_CODECS:
            return "windows-1252"
        data.decode(codec)
    except (LookupError, ValueError):
        # An invalid name, one that contains a NUL, or an encoding that does not fit the bytes.
        return "windows-1252"
    return codec


def _refuse_empty(outline: Outline, label: str) -> None:
    if outline.has_content:
        return
    if culprit := next(iter(outline.swallowed), outline.open_at_end):
        if culprit.endswith("/>"):
            advice = f"Write {culprit.replace('/>', '>')}</{culprit[1:-2]}>."
        elif outline.is_page_lost or culprit != outline.open_at_end:
            advice = "Close it where its content ends."
        else:
            advice = "The generation seems to have been cut off there: let the model write more tokens."
        what = f"{label} shows nothing: {_hint(culprit)} swallows the rest of the page."
        raise EmptyDocument(what, advice=advice)
    if outline.is_templated:
        raise EmptyDocument(
            f"{label} shows nothing: all of its content is inside <template>.",
            advice="Give the page as built, not a component's source.",
        )
    if not outline.starts[b"script"]:
        raise EmptyDocument(
            f"{label} has an empty body.",
            advice="Look whether the generation ended early, or was saved in part.",
        )


def _hint(culprit: str) -> str:
    is_self_closed = culprit.endswith("/>")
    name = culprit.removeprefix("a ")
    return f"self-closed {culprit} (HTML ignores the slash)" if is_self_closed else f"an unclosed {name}"


def soundness_warnings(outline: Outline, label: str) -> Iterator[CaptureWarning]:
    """Warn about what the parser would lose or fix; refuse a page that shows nothing."""
    _refuse_empty(outline, label)
    if (number := outline.starts[b"html"]) > 1:
        message = f"The input holds {number} <html> elements; the browser merges them into one."
        yield CaptureWarning("merged_documents", message, number)
    for culprit in dict.fromkeys(outline.swallowed):
        message = f"Part of the page is lost in {_hint(culprit)}."
        yield CaptureWarning("swallowed_content", message, outline.swallowed.count(culprit))
    if outline.open_at_end and outline.is_page_lost:
        message = f"The last {outline.num_lost:,} bytes are lost in {_hint(outline.open_at_end)}."
        yield CaptureWarning("swallowed_content", message)
    elif outline.open_at_end:
        yield CaptureWarning("truncated_html", f"The page ends inside {outline.open_at_end}.")
    elif still_open := _still_open(outline):
        yield CaptureWarning("truncated_html", f"The page ends with {still_open} still open.")


def _still_open(outline: Outline) -> str | None:
    """Name what a cut-off page leaves open: pages that end in </body> or </html> are whole, however messy."""
    if outline.ends[b"html"] or outline.ends[b"body"]:
        return None
    for name, num_starts in outline.starts.items():
        if name in END_TAG_REQUIRED and num_starts > outline.ends[name]:
            return f"<{name.decode()}>"
    has_explicit_page = outline.starts[b"html"] or outline.starts[b"body"]
    return "<body>" if has_explicit_page and outline.has_text_at_end else None
