"""From what a user or a model hands over to a document that a browser can load."""
