"""What holds an operator together: start and stop, leader election, fencing, events, health and debug endpoints."""
