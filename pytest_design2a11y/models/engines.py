"""Names of the engines that audit pages."""

from __future__ import annotations

#: Name of the engine that rates are computed from.
AXE = "axe"

#: Name of HTML_CodeSniffer as an engine.
HTMLCS = "htmlcs"

#: Engines that there are, in the order in which they run.
ENGINES = (AXE, HTMLCS)

#: What engines are called where people read of them.
ENGINE_LABELS = {AXE: "axe-core", HTMLCS: "HTML_CodeSniffer"}
