"""What a design tool knows of a design: its texts, their places and colours, in a file beside the picture."""
