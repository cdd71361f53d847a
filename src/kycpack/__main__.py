"""`python -m kycpack` is the command line."""

from kycpack.cli import main

if __name__ == "__main__":
    main()
