"""Turns axe-core's findings into rates, explanations and the list of accepted failures.

Everything here is a pure function of data: no browser, no options. The definitions and their sources are in
`docs/accessibility.md`.
"""
