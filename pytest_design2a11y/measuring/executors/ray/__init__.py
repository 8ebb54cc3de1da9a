"""Score pairs on a Ray cluster: actors with a browser each, and a driver that counts the tries of a pair."""
