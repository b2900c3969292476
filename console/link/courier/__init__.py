"""The courier: the process that speaks to the centre. It keeps nothing and may be killed."""
