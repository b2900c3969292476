"""What is known of a centre and its tables, and its alarms: for the room, and for who asks."""
