-- Derived from the verdicts on frozen passages, which nothing ever wrote there; the next night makes its successor.
drop table if exists alerts.anchors;
-- Derived from the nights: the next night makes it anew, with whether the judge had moved.
drop table if exists alerts.charted;
-- What was measured there was not told apart by environment and knew one of the two rates: nightcheck judge noise measures both.
drop table if exists night.noise;
