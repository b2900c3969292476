-- Days, tournaments, fees and wins of a tournament jackpot (docs/link-rules.md, section 6).
--
-- It is a row of link.jackpot whose game is `tournament`: the token is the fee, a prize's name is a level. Its members
-- are cash desks. Each row names the entry of the desk that told it.

CREATE TABLE link.tournament_day (
    jackpot_id text REFERENCES link.jackpot,
    day date,
    member text NOT NULL,
    epoch integer NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (jackpot_id, day),
    FOREIGN KEY (member, epoch, n) REFERENCES link.entry DEFERRABLE INITIALLY DEFERRED
);

-- Level 1 begins a tournament. 2: from the second level to the end of late registration; then it is over.
CREATE TABLE link.tournament_level (
    jackpot_id text,
    day date,
    tournament text CHECK (tournament ~ '^[A-Za-z0-9.-]{1,40}$'),
    level text CHECK (level IN ('1', '2', 'over')),
    member text NOT NULL,
    epoch integer NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (jackpot_id, day, tournament, level),
    FOREIGN KEY (jackpot_id, day) REFERENCES link.tournament_day,
    FOREIGN KEY (member, epoch, n) REFERENCES link.entry DEFERRABLE INITIALLY DEFERRED
);

CREATE TABLE link.tournament_fee (
    jackpot_id text,
    day date,
    tournament text,
    ticket text CHECK (ticket ~ '^[A-Za-z0-9.-]{1,40}$'),
    member text NOT NULL,
    epoch integer NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (jackpot_id, day, tournament, ticket),
    FOREIGN KEY (jackpot_id, day) REFERENCES link.tournament_day,
    FOREIGN KEY (member, epoch, n) REFERENCES link.entry DEFERRABLE INITIALLY DEFERRED
);

-- One a day, of a ticket whose fee is paid. `level`: in which the hand was dealt. `share` in basis points of the
-- reading; reading and amount in cents.
CREATE TABLE link.tournament_win (
    jackpot_id text,
    day date,
    tournament text NOT NULL,
    ticket text NOT NULL,
    level text NOT NULL CHECK (level IN ('1', '2')),
    share integer NOT NULL CHECK (share BETWEEN 1 AND 10000),
    reading bigint NOT NULL CHECK (reading >= 0),
    amount bigint NOT NULL,
    act bigint NOT NULL,
    proposal bigint NOT NULL REFERENCES link.proposal,
    PRIMARY KEY (jackpot_id, day),
    FOREIGN KEY (jackpot_id, day, tournament, ticket) REFERENCES link.tournament_fee,
    FOREIGN KEY (jackpot_id, act) REFERENCES link.act DEFERRABLE INITIALLY DEFERRED,
    CHECK (amount = reading * share / 10000)
);

SELECT link.secure_tables();
SELECT link.make_append_only(ARRAY['tournament_day', 'tournament_level', 'tournament_fee', 'tournament_win']);
