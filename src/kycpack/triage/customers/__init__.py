"""What is known across customers: duplicates, shared documents, changes since a review, and the workload."""
