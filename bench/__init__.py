"""The benchmark: this library's cost as ratios to its peers', measured in one run. `python -m bench`."""
