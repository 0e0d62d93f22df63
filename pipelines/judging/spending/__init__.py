"""What judging has cost: the ledger of every night."""
