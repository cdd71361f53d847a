"""The console at `/`: the service's data and requests, and actions for testers, for a browser on this machine."""
