"""The console at `/`: what the service holds and did, and what a tester may force, for a browser on this machine."""
