"""The service on this machine: starting it, its keys, and the demonstration."""
