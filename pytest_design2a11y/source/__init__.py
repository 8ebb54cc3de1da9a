"""Turn what a user or a model hands over into a document that a browser can load."""
