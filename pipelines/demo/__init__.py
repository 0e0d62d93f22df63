"""Made-up traffic for the demonstration, the tests and the benchmarks. Pure: everything follows from the seed."""

from pipelines.demo.bulk import generate_bulk
from pipelines.demo.generator import TURNS_PER_DAY, generate
from pipelines.demo.tenants import RISE_DAY, TENANTS, DemoTenant

__all__ = ["RISE_DAY", "TENANTS", "TURNS_PER_DAY", "DemoTenant", "generate", "generate_bulk"]
