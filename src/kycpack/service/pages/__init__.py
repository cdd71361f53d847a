"""The pages people see: the onboard portal, the pay page and a bank's authorise page.

Server-rendered, without JavaScript. The rules are the service's own; a page only shows them and asks.
"""
