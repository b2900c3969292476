"""The witness outside, for the house: installed, its tables admitted, its heads audited."""
