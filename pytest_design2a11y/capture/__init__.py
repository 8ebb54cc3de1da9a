"""The only stage that touches a browser: a source becomes one frozen `Capture`."""
