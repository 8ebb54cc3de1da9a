"""Names that options choose from."""

from __future__ import annotations

from typing import Literal

Impact = Literal["minor", "moderate", "serious", "critical"]
TextRatio = Literal["indel", "difflib"]
#: Whose published visual figures are rebuilt, faults included.
Published = Literal["design2code", "ui2code-study"]

#: Name of the engine that rates are computed from.
AXE = "axe"

#: Stand for all probes, for none where a test or call is to do without, and for those that only look: what
#: `audit` runs unless told otherwise, so that where these do not finish it is no error.
ALL_PROBES, NO_PROBES, QUICK_PROBES = "all", "none", "quick"
