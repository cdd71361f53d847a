"""What a review says: it is computed from evidence, policy and order, and written as frames, figures and documents."""
