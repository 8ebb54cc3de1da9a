"""Classes of issues to which findings of several audit engines belong, with their severity.

From "Generating Code, Ignoring Accessibility: An Empirical Study of MLLM-Generated Web UIs" (2025), which
merges engines by these classes; HTML_CodeSniffer does not grade its errors.
"""

from __future__ import annotations

from dataclasses import dataclass

from pytest_design2a11y.models.option import Impact

#: Start of HTML_CodeSniffer's codes: the standard that it checks.
HTMLCS_STANDARD = "WCAG2AA."


@dataclass(frozen=True, slots=True)
class IssueClass:
    """One class."""

    name: str  # Its topic, from general to specific
    impact: Impact  # Severity of its issues, whatever an engine reports
    axe_rules: tuple[str, ...]  # Ids of axe-core's rules
    htmlcs_codes: tuple[str, ...]  # Codes of HTML_CodeSniffer's messages


def _row(name: str, impact: Impact, axe_rules: str, techniques: str) -> IssueClass:
    """Make a class; techniques are written "1.1.1: H37 H36; 4.1.2: F68"."""
    codes = []
    for part in filter(None, techniques.split("; ")):
        criterion, names = part.split(": ")
        principle, guideline, number = criterion.split(".")
        start = f"Principle{principle}.Guideline{principle}_{guideline}.{principle}_{guideline}_{number}"
        codes += [f"{HTMLCS_STANDARD}{start}.{technique}" for technique in names.split(" ")]
    return IssueClass(name, impact, tuple(axe_rules.split()), tuple(codes))


#: By WCAG criterion and technique; a code counts as a whole: "H43,H63" is one.
ISSUE_CLASSES = (
    _row("Alt-Text / Maps / Area Elements", "critical", "area-alt", "1.1.1: H24"),
    _row("Links / Missing descriptive content of <a>", "serious", "link-name",
         "1.1.1: H30.2; 4.1.2: H91.A.EmptyNoId H91.A.NoContent"),
    _row("Links / Distinguishable Color", "serious", "link-in-text-block", ""),
    _row("Links / Uncomplete", "serious", "", "2.4.8: H59.1 H59.2a H59.2b"),
    _row("Alt-Text / Images", "critical", "image-alt input-image-alt", "1.1.1: H37 H67.1 H36"),
    _row("Alt-Text / Images & Links / Redundant Alt-Text", "minor", "image-redundant-alt",
         "1.1.1: H2.EG5 H2.EG4 H2.EG3"),
    _row("Alt Text / Object Elements", "serious", "object-alt", "1.1.1: H53"),
    _row("Alt Text / Applet Elements", "moderate", "", "1.1.1: H35.3 H35.2"),
    _row("Headings / Wrong Order, Empty & Missing Headings", "moderate",
         "page-has-heading-one heading-order empty-heading",
         "1.3.1: H42.2 G141"),
    _row("Landmark & Region / Missing & Unique Landmarks", "moderate",
         "landmark-one-main landmark-unique region landmark-complementary-is-top-level "
         "landmark-contentinfo-is-top-level landmark-no-duplicate-contentinfo "
         "landmark-banner-is-top-level landmark-no-duplicate-main landmark-main-is-top-level",
         ""),
    _row("Label / Multiple Elements / Content missing", "critical", "label",
         "4.1.2: H91.InputEmail.Name H91.InputSearch.Name H91.Textarea.Name H91.InputPassword.Name "
         "H91.InputCheckbox.Name H91.InputText.Name H91.Fieldset.Name; 1.3.1: F68"),
    _row("Label / Select / Missing Label", "critical", "select-name", "4.1.2: H91.Select.Name"),
    _row("Label / Form Field / Multiple IDs, No ID, Wrong for attribute", "moderate",
         "form-field-multiple-labels",
         "1.3.1: H93 H44.NonExistent H44.NotFormControl H44.NoForAttr H44.NoId H44.NoLabelAllowed "
         "H44.1.After H44.1.Before H65.3 H44.2"),
    _row("Label / Button / Missing Label", "critical", "input-button-name button-name",
         "4.1.2: H91.InputButton.Name H91.Button.Name"),
    _row("Tables / Scope Attribute", "serious", "scope-attr-valid td-headers-attr", "1.3.1: H63.3 H63.1"),
    _row("Tables / Table Headers", "minor", "empty-table-header",
         "1.3.1: H43.IncorrectAttr H43.HeadersRequired H43.MissingHeaderIds H43.MissingHeadersAttrs "
         "H43,H63"),
    _row("Tables / Table Data must have Table Header", "critical", "td-has-header", ""),
    _row("Tables / Caption & Summary / Empty, Duplicate", "serious",
         "table-duplicate-name table-fake-caption",
         "1.3.1: H39 H73.4"),
    _row("Fieldset / Legend", "serious", "", "1.3.1: H71.3 H71.2 H71.NoLegend"),
    _row("Color Contrast / Text", "serious", "color-contrast color-contrast-enhanced",
         "1.4.3: G18 G18.Fail G145 G145.Fail; 1.4.6: G17 G18"),
    _row("Meta / Refresh & Timeout", "critical", "meta-refresh", "2.2.1: F40.2 F41.2"),
    _row("Meta / Viewport", "critical", "meta-viewport", ""),
    _row("Elements / Blink", "serious", "blink", "2.2.2: F47"),
    _row("Elements / Iframe", "serious", "frame-title", "2.4.1: H64.1"),
    _row("Navigation / Link to Skip Content", "serious", "bypass", "2.4.1: G1 G123 G124"),
    _row("Navigation / Scrollable Region without keyboard access", "serious", "scrollable-region-focusable",
         ""),
    _row("Title / Document Title", "serious", "document-title", "2.4.2: H25.1.NoTitleEl H25.1.EmptyTitle"),
    _row("Language / Document Lang / Missing & Invalid", "serious",
         "html-has-lang html-lang-valid html-xml-lang-mismatch valid-lang",
         "3.1.1: H57.2 H57.3.Lang H57.3.XmlLang; 3.1.2: H58.1.Lang H58.1.XmlLang"),
    _row("Elements / Ruby", "minor", "", "3.1.6: H62.1.HTML5 H62.1.XHTML11 H62.2"),
    _row("Elements / Form / No Submit Button", "serious", "", "3.2.2: H32.2"),
    _row("ID / Duplicate IDs", "minor", "", "4.1.1: F77"),
    _row("Size / Target Size / Element too small", "serious", "target-size", ""),
    _row("Aria Attributes / Prohibited Attributes", "serious", "aria-prohibited-attr", ""),
    _row("Aria Attributes / Valid Values", "critical", "aria-valid-attr-value aria-valid-attr", ""),
    _row("Aria Attributes / Allowed Attributes", "critical", "aria-allowed-attr", ""),
    _row("Aria Attributes / Label Problems", "serious", "label-title-only label-content-name-mismatch", ""),
    _row("List / Incorrect Structure", "serious", "list listitem", "1.3.1: H48"),
    _row("Tabindex / Incorrect Usage", "serious", "tabindex", "2.4.3: H4.2"),
    _row("Elements / Center", "minor", "", "1.3.1: H49.Center"),
    _row("Elements / Font", "minor", "", "1.3.1: H49.Font"),
    _row("Elements / Align", "minor", "", "1.3.1: H49.AlignAttr"),
    _row("Zoom / Text Zoom up to 200%", "critical", "", "1.4.4: G142"),
)  # fmt: skip

AXE_CLASSES = {rule: issues for issues in ISSUE_CLASSES for rule in issues.axe_rules}
HTMLCS_CLASSES = {code: issues for issues in ISSUE_CLASSES for code in issues.htmlcs_codes}


def class_of(rule: str) -> IssueClass | None:
    """Return the class of a rule of axe-core or a code of HTML_CodeSniffer; None if unclassified."""
    return AXE_CLASSES.get(rule) or HTMLCS_CLASSES.get(rule)
