"""The pages: cabinet, sign, supervisor's and the room's, served by processes of their own."""
