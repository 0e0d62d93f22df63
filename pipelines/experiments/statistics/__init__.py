"""Statistics of paired comparisons, of agreement between raters, and of rates that a judge's errors distort.

Everything here is arithmetic over arrays: no names of strategies, no files, no clock. The libraries behind it (scipy,
statsmodels, krippendorff) are imported where they are used, since importing them takes longer than most commands.
"""
