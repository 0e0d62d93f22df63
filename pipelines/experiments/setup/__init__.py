"""From names of a set, strategies, a retriever and a judge to an experiment that can be run."""
