"""What is scheduled: Dagster assets of a few lines each."""

import warnings

import dagster as dg

# one warning per asset at every start; the version of Dagster is bounded, so the feature cannot change under us
warnings.filterwarnings("ignore", message="Parameter `backfill_policy`", category=dg.BetaWarning)
