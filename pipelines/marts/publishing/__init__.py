"""What people and programs read of the marts, beside the warehouse."""
