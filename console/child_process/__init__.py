"""What the processes beside the service have in common: started, watched, spoken to in lines."""
