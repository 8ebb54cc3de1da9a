"""Quick passes over an answer: for its fenced code blocks, and for what the parser of its markup swallows.

A parse tree would hide what the latter looks for: the parser silently fixes everything. Bytes are scanned,
not text, since lower-casing bytes preserves positions.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

PAGE_START = re.compile(rb"(?i)<!doctype\s+html|<html[\s>]")
PAGE_END = re.compile(rb"(?i)</html\s*>")

#: A fence may be indented (lists), follow words, and have content on its own line.
_OPENING = re.compile(rb"(?m)(?:^[ \t>]*+|(?<=[ \t]))(`{3,}+|~{3,}+)[ \t]*+([\w.+#-]*+)([^\n<`]*+)\n?")
_MOST_BLOCKS = 500


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced part of an answer."""

    language: str  # The word after the fence, lower-cased
    content: bytes
    start: int  # Position of its fence
    end: int  # Position after its closing fence
    info: str = ""  # The rest of the fence's line


def code_blocks(answer: bytes) -> list[CodeBlock]:
    """Find the fenced code blocks of an answer; one left open extends to the end."""
    blocks: list[CodeBlock] = []
    position = 0
    starts, ends = _Ahead(PAGE_START, answer), _Ahead(PAGE_END, answer)
    while len(blocks) < _MOST_BLOCKS and (opening := _OPENING.search(answer, position)):
        closing = _closing_of(opening, answer, starts, ends)
        end = closing.start() if closing else len(answer)
        language = opening.group(2).decode("utf-8", "replace").lower()
        info = opening.group(3).decode("utf-8", "replace")
        content = answer[opening.end() : end]
        position = closing.end() if closing else len(answer)
        blocks.append(CodeBlock(language, content, opening.start(), position, info))
    return blocks


def closing_fence(answer: bytes, position: int, fence: bytes = b"```") -> re.Match[bytes] | None:
    """Find the next line that closes a fence, or a fence directly after a tag."""
    mark = re.escape(fence[:1])
    pattern = rb"(?m)(?:^[ \t>]*+|(?<=>)[ \t]*+)%b{%d,}+[ \t]*\r?$" % (mark, len(fence))
    return re.compile(pattern).search(answer, position)


@dataclass
class _Ahead:
    """Finds the next match from positions that only increase, in a single pass over the text."""

    pattern: re.Pattern[bytes]
    text: bytes
    found: re.Match[bytes] | None = None
    is_over: bool = False

    def of(self, position: int) -> re.Match[bytes] | None:
        """Return the first match from a position on."""
        if not self.is_over and (self.found is None or self.found.start() < position):
            self.found = self.pattern.search(self.text, position)
            self.is_over = self.found is None
        return self.found


def _closing_of(
    opening: re.Match[bytes], answer: bytes, starts: _Ahead, ends: _Ahead
) -> re.Match[bytes] | None:
    """Find a block's closing fence; as a page may contain fences itself, its </html> takes precedence."""
    closing = closing_fence(answer, opening.end(), opening.group(1))
    if closing is None:
        return None
    content_end = closing.start()
    is_page = PAGE_START.search(answer, opening.end(), content_end) is not None
    if is_page and not PAGE_END.search(answer, opening.end(), content_end):
        page_end, next_page = ends.of(content_end), starts.of(content_end)
        if page_end and not (next_page and next_page.end() <= page_end.start()):
            return closing_fence(answer, page_end.end(), opening.group(1)) or closing
    return closing


#: https://html.spec.whatwg.org/multipage/indices.html#elements-3, and obsolete ones that browsers render.
HTML_ELEMENTS = frozenset(
    b"""
    a abbr acronym address applet area article aside audio b base basefont bdi bdo big blockquote body
    br button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir
    div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head
    header hgroup hr html i iframe img input ins kbd label legend li link main map mark marquee menu
    meta meter nav nobr noframes noscript object ol optgroup option output p param picture pre progress
    q rp rt ruby s samp script search section select slot small source span strike strong style sub
    summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var
    video wbr
    """.split()
)

#: Elements that show nothing by themselves.
STRUCTURE = frozenset(b"html head body meta link base title style script template noscript".split())

#: Elements whose content, markup included, the parser takes as text up to their end tag
#: (https://html.spec.whatwg.org/multipage/parsing.html#parsing-html-fragments).
TEXT_ONLY = frozenset(b"script style textarea title xmp iframe noembed noframes".split())

#: Elements that must be closed in HTML: if one is open at the end of the input, the end is missing.
END_TAG_REQUIRED = frozenset(
    b"""
    a abbr address article aside b blockquote button canvas cite code details dialog div dl em fieldset
    figure footer form h1 h2 h3 h4 h5 h6 header i label main nav ol pre section select small span strong
    svg table ul video
    """.split()
)

_TOKEN = re.compile(rb"<(?:(!--)|(!\[cdata\[)|(/?)([a-z][^\s/>]*+)|[!?/])")
#: The attributes up to the tag's end. Possessive throughout: a tag without an end fails in linear time.
_REST_OF_TAG = re.compile(rb"(?:[^=>]++|=\s*+(?:\"[^\"]*+\"|'[^']*+'|(?![\"'])))*+>")
_COMMENT_END = re.compile(rb"--!?>")
_END_TAG = {name: re.compile(rb"</" + name + rb"(?=[\s/>])") for name in TEXT_ONLY}
_TAG_IN_TEXT = re.compile(rb"<[/!]?[a-z]")
_SWALLOWED_PAGE = re.compile(rb"</head\s*>|<body[\s>]|</body\s*>|</html\s*>")


@dataclass(slots=True)
class Outline:
    """What the pass found."""

    starts: Counter[bytes] = field(default_factory=Counter)
    ends: Counter[bytes] = field(default_factory=Counter)
    has_content: bool = False  # Whether anything is visible: text, or an element that is more than structure
    is_templated: bool = False  # Whether such content was only inside <template>
    # What the input ends inside: "<style>", "a comment", "a tag"; `num_lost` bytes long
    open_at_end: str | None = None
    num_lost: int = 0
    is_page_lost: bool = False  # Whether those bytes contain parts of a page's end
    # Names of elements that swallowed markup as text, in order
    swallowed: list[str] = field(default_factory=list)
    has_text_at_end: bool = False


def scan(page: bytes) -> Outline:
    """Scan a page's tokens once, in linear time."""
    return _Scanner(page.removeprefix(b"\xef\xbb\xbf").lower()).run()


class _Scanner:
    def __init__(self, page: bytes) -> None:
        self.page = page
        self.outline = Outline()
        self.position = 0
        self.depth_of_svg = 0
        self.depth_of_template = 0

    def run(self) -> Outline:
        while token := _TOKEN.search(self.page, self.position):
            self._note_text(token.start())
            end = self._end_of(token)
            if end is None:
                break
            self.position = end
        else:
            self.outline.has_text_at_end = self._note_text(len(self.page))
        return self.outline

    def _note_text(self, end: int) -> bool:
        is_text = not self.page[self.position : end].isspace() and self.position < end
        if is_text:
            self._note_content()
        return is_text

    def _note_content(self) -> None:
        if self.depth_of_template:
            self.outline.is_templated = True
        else:
            self.outline.has_content = True

    def _end_of(self, token: re.Match[bytes]) -> int | None:
        """Return where a token ends; None if the input ends within it."""
        if token.group(1):
            end = _COMMENT_END.search(self.page, token.end() - 2)
            if end and _SWALLOWED_PAGE.search(self.page, token.end(), end.start()):
                self.outline.swallowed.append("a comment")
            return self._found(end.end() if end else 0, token, "a comment")
        if token.group(2) and self.depth_of_svg:
            return self._found(self.page.find(b"]]>", token.end()) + 3, token, "a CDATA section")
        if not token.group(4):
            return self._found(self.page.find(b">", token.start()) + 1, token, "a tag")
        rest = _REST_OF_TAG.match(self.page, token.end())
        if rest is None:
            self._cut(token.start(), "a tag")
            return None
        return self._end_of_element(token, rest.end())

    def _end_of_element(self, token: re.Match[bytes], end: int) -> int | None:
        name = token.group(4)
        is_self_closed = self.page[end - 2 : end - 1] == b"/"
        if token.group(3):
            self.outline.ends[name] += 1
            self.depth_of_svg -= name == b"svg" and self.depth_of_svg > 0
            self.depth_of_template -= name == b"template" and self.depth_of_template > 0
            return end
        self.outline.starts[name] += 1
        if name in TEXT_ONLY and not self.depth_of_svg:
            shown = f"<{name.decode()}{'/' if is_self_closed else ''}>"
            closing = _END_TAG[name].search(self.page, end)
            if closing is None:
                self._cut(token.start(), shown)
                return None
            if name not in STRUCTURE:
                self._note_content()
            markup = _TAG_IN_TEXT if is_self_closed else _SWALLOWED_PAGE
            # A script's strings may well contain a whole page.
            may_hold_page = name == b"script" and not is_self_closed
            if not may_hold_page and markup.search(self.page, end, closing.start()):
                self.outline.swallowed.append(shown)
            return closing.start()
        if name not in STRUCTURE:
            self._note_content()
        if not is_self_closed or name == b"template":
            self.depth_of_svg += name == b"svg"
            self.depth_of_template += name == b"template"
        elif name == b"svg":
            self.outline.ends[name] += 1
        return end

    def _found(self, end: int, token: re.Match[bytes], what: str) -> int | None:
        if end > token.start() + 2:
            return end
        self._cut(token.start(), what)
        return None

    def _cut(self, start: int, what: str) -> None:
        self.outline.open_at_end = what
        self.outline.num_lost = len(self.page) - start
        self.outline.is_page_lost = _SWALLOWED_PAGE.search(self.page, start) is not None
