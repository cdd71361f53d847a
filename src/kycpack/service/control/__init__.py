"""The control API under `/_control/`: what a tester needs beyond the interface, with one module for each kind of record.

Its requests are not signed. On loopback it answers programs on this machine, and refuses requests that a web page could have caused:
those with an `Origin`, or with a `Host` that is not the service's own. Elsewhere it is available only with a token.
"""
