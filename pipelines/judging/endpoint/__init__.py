"""The judge that asks a language model, with its endpoint, its files and its clock."""
