"""Judging: is a retrieved passage relevant to the query that was searched, and to what the visitor needed?"""
