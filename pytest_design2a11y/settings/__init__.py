"""Options, declared in one place, and the settings made from them."""
