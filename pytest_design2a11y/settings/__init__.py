"""Options, declared once, and the settings made of them."""
