"""WHEN to reconcile: watches, queues and wiring. What to do is in reconcilers/."""
