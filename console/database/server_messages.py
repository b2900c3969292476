"""What PostgreSQL and its library say, in our words: what is wrong, and what would be right."""

import re

import psycopg

_AT = r'(?:.*connection to server at "(?P<host>[^"]*)"(?: \([^)]*\))?, port (?P<port>\d+) failed: )'

FORMS = tuple(
    (re.compile(form, re.DOTALL), words)
    for form, words in (
        (
            r"failed to resolve host (?P<host>.*?): .*",
            "the host {host} is not known here",
        ),
        (
            _AT + r"Connection refused.*",
            "{host}:{port} refuses the connection: does PostgreSQL run there?",
        ),
        (
            _AT + r"(?:No route to host|Network is unreachable).*",
            "{host}:{port} cannot be reached: cable, address, firewall",
        ),
        (r".*connection timeout expired.*", "the server does not answer in time"),
        (
            r'.*password authentication failed for user "(?P<role>[^"]*)".*',
            "{role}: wrong name or password",
        ),
        (
            r".*no password supplied.*",
            "the server wants a password: it is asked at a terminal, or stands in ~/.pgpass",
        ),
        (
            r'.*certificate authentication failed for user "(?P<role>[^"]*)".*',
            "the certificate is not that of {role}: its CN must be the role's name",
        ),
        (r'.*role "(?P<role>[^"]*)" does not exist.*', "there is no role {role} in this database"),
        (
            r'.*role "(?P<role>[^"]*)" is not permitted to log in.*',
            "the role {role} may not log in",
        ),
        (
            r'.*database "(?P<database>[^"]*)" does not exist.*',
            "there is no database {database} on this server",
        ),
        (
            r'.*no pg_hba\.conf entry for host "(?P<host>[^"]*)", user "(?P<role>[^"]*)", '
            r'database "(?P<database>[^"]*)".*',
            "pg_hba.conf of the server does not let {role} in from {host} to {database}",
        ),
        (
            r".*(?:server does not support SSL|SSL off).*",
            "the server speaks no TLS: ssl = on in its postgresql.conf",
        ),
        (
            r'.*server certificate for "(?P<named>[^"]*)".* does not match host name '
            r'"(?P<host>[^"]*)".*',
            "the server's certificate names {named}, not {host}",
        ),
        (
            r".*certificate verify failed.*",
            "the server's certificate is not signed by the authority in sslrootcert",
        ),
        (
            r".*the database system is (?P<what>starting up|shutting down|in recovery mode).*",
            "the server is {what}: try again in a moment",
        ),
        (
            r".*permission denied for (?P<what>[^\n]*).*",
            "this role may not use the {what}",
        ),
        (
            r'.*schema "(?P<schema>[^"]*)" does not exist.*',
            "the database has no schema {schema}: it is made by `init`",
        ),
    )
)
"""Messages of libpq, of psycopg and of the server, and what we say instead."""


def describe_error(error: psycopg.Error) -> str:
    """What the server says; of what a function of ours raised, our words alone.

    A message that is not known here stays as it is.
    """
    raised_in, _, _ = (error.diag.context or "").partition("\n")
    if raised_in.endswith(" at RAISE") and error.diag.message_primary:
        return error.diag.message_primary
    return explain_message(str(error).strip())


def explain_message(message: str) -> str:
    """Our words for this message; the message itself if it is not known here."""
    for form, words in FORMS:
        if found := form.fullmatch(message):
            return words.format(**found.groupdict())
    return message
