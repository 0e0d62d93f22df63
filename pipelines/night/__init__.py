"""The night: sample, judge, measure, publish, alert, for one day after the other."""
