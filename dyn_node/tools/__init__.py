"""Command line tools; `demo` is the first to try."""
