"""Game records: text that a person can write, another program can check, and we can judge."""
