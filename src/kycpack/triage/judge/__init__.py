"""Applying a policy to one case file: findings, later sessions that replace earlier ones, and a recommendation."""
