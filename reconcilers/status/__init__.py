"""What status says: the conditions of each kind from facts, who writes them and how often."""
