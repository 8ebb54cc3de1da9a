"""How to fix what fails accessibility rules, in words for people and models."""

from __future__ import annotations

#: Per rule of axe-core that generated pages break often; for the others its own help text serves.
RULE_ADVICE: dict[str, str] = {
    "aria-hidden-focus": "Take hidden controls out of the tab order, or show them.",
    "button-name": "Give every button a text, or an aria-label where it shows an icon only.",
    "color-contrast": "Change one of the two colours until the contrast is at least what is required.",
    "document-title": "Put a <title> that names the page into <head>.",
    "duplicate-id-aria": "Give every element an id of its own.",
    "empty-heading": "Give every heading a text, or make it no heading.",
    "frame-title": "Give every iframe a title that says what it shows.",
    "heading-order": "Step heading levels by one: h2 under h1, h3 under h2.",
    "html-has-lang": 'Name the language: <html lang="en">.',
    "image-alt": 'Give every image an alt text that says what it shows; alt="" where it only decorates.',
    "input-button-name": "Give every input button a value that says what it does.",
    "label": "Give every form control a <label for=...>, or an aria-label.",
    "landmark-one-main": "Put the page's main content into one <main>.",
    "link-in-text-block": "Underline links in running text; colour alone does not tell them apart.",
    "link-name": "Give every link a text, or an aria-label where it shows an icon or picture only.",
    "list": "Put nothing but <li> directly into <ul> and <ol>.",
    "listitem": "Put every <li> into <ul> or <ol>.",
    "meta-viewport": "Let people zoom: no user-scalable=no, no maximum-scale below 5.",
    "page-has-heading-one": "Give the page one <h1> that names it.",
    "region": "Put all content into landmarks: <header>, <nav>, <main>, <footer>.",
    "scrollable-region-focusable": 'Let the keyboard reach what scrolls: tabindex="0".',
    "select-name": "Give every <select> a <label for=...>, or an aria-label.",
    "svg-img-alt": "Give every svg that is an image a <title>, or an aria-label.",
    "target-size": "Make controls at least 24 by 24 px, or leave that much space around them.",
}
