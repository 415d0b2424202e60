"""What comes from files, by what it is: passages, answers, whole projects; and the road they all take (arrivals.py)."""
