"""Score pairs on a Ray cluster: actors with a browser each, and a driver that counts a pair's attempts."""
