"""`make bench`: every figure an issue or the README names, beside its goal, into docs/benchmarks.md."""
