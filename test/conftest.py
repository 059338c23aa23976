"""Its place puts this folder on the path: tests import `robots` and `tolerances` by these names."""
