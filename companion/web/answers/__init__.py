"""What every answer needs, whatever is asked for: who asks, whether it may, in which language, and
the page of a table as it is now.
"""
