"""Where people enter a page with name and PIN: login, sessions, and the page's live socket."""
