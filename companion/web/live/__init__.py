"""Pages that follow their table by themselves."""
