"""Cases: what a run says of a customer, what people do about it, and the policies by which they decide."""
