"""Names that options choose from."""

from __future__ import annotations

from typing import Literal

Impact = Literal["minor", "moderate", "serious", "critical"]
TextRatio = Literal["indel", "difflib"]
#: Whose published visual figures are rebuilt, faults included.
Published = Literal["design2code", "ui2code-study"]

#: Names of the engine that rates are computed from, and of HTML_CodeSniffer.
AXE, HTMLCS = "axe", "htmlcs"

#: Engines that there are, in the order in which they run.
ENGINES = (AXE, HTMLCS)

#: What engines are called where people read of them.
ENGINE_LABELS = {AXE: "axe-core", HTMLCS: "HTML_CodeSniffer"}

#: Probes that there are, in the order in which they run.
PROBES = ("keyboard", "reflow", "zoom", "spacing", "names", "motion", "scheme", "hover", "targets")

#: Those that look at a page and leave it as it is: one opened page serves them all.
LOOKING_PROBES = ("names", "scheme", "targets")

#: Stand for all of them, for none where a test or call is to do without, and for those that only look: what
#: `audit` runs unless told otherwise, so that where these do not finish it is no error.
ALL_PROBES, NO_PROBES, QUICK_PROBES = "all", "none", "quick"
