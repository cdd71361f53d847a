"""The control API under `/_control/`: what a tester needs beyond the interface, a module for each noun.

It is unsigned. On loopback it answers programs on this machine, and refuses a request that a web page could have caused: one with an
`Origin`, or with a `Host` that is not the service's own. Elsewhere it is there only with a token.
"""
