"""Setting up: what is missing here, signing in, and JupyterLab."""
