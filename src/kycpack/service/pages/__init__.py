"""The pages for customers and payers: the onboard portal, the pay page and a bank's authorise page.

They are server-rendered, without JavaScript. All rules are in the service; pages only display and ask.
"""
