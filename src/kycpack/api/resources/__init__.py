"""The public methods: one module for each part of the interface, with a class for each of the two clients."""
