"""A plan as text for people who change their machines with tools of their own."""
