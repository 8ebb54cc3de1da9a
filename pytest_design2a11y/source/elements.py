"""Tables of HTML element names."""

from __future__ import annotations

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

#: Elements that put nothing on the page by themselves.
STRUCTURE = frozenset(b"html head body meta link base title style script template noscript".split())

#: Elements whose content the parser takes as text up to their end tag, markup in it included
#: (https://html.spec.whatwg.org/multipage/parsing.html#parsing-html-fragments).
TEXT_ONLY = frozenset(b"script style textarea title xmp iframe noembed noframes".split())

#: Elements that must be closed in HTML: one left open at the end of the input means that the end is missing.
END_TAG_REQUIRED = frozenset(
    b"""
    a abbr address article aside b blockquote button canvas cite code details dialog div dl em fieldset
    figure footer form h1 h2 h3 h4 h5 h6 header i label main nav ol pre section select small span strong
    svg table ul video
    """.split()
)
