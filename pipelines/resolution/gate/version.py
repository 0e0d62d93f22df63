"""The version that every decision of the gate carries."""

#: Raised whenever a change of the rules or of a vocabulary may change a decision. A golden test holds the version and
#: the content together: it fails when one changes without the other.
GATE_VERSION = "2"
