"""Every write of this app. Each act is atomic, names who did it (`by=`; None: an operator) and leaves an event."""
