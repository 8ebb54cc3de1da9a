"""HTML_CodeSniffer as an audit engine."""
