"""What the results say of a person and a document in several places, held against each other."""
