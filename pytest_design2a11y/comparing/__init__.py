"""What runs come to, and how they differ: means, intervals, conditions, gates."""
