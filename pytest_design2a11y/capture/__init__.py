"""The only stage that touches a browser: it turns a source into a frozen `Capture`."""
