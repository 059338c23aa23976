"""Its place puts this folder on the path: tests import `robots` and `tolerances` by these names."""

from hypothesis import settings

# A first call compiles for seconds; what takes too long is the suite's business, not one example's.
settings.register_profile("dyn_node", deadline=None, max_examples=60)
settings.load_profile("dyn_node")
