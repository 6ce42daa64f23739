"""The process: connections, signals, the addresses of this machine."""
