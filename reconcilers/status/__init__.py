"""What status says, and how: reasons, and the conditions of each kind."""
