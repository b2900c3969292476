-- Awards, the tables in them, and the rounds that may still join (docs/link-rules.md, 2, 3.3 to 3.8).

-- `share` and `total_share`: of one winner and of all, in basis points of the frozen reading.
CREATE TABLE link.award (
    jackpot_id text REFERENCES link.jackpot,
    number bigint,
    combination text NOT NULL,
    share integer NOT NULL CHECK (share BETWEEN 1 AND 10000),
    reading bigint NOT NULL CHECK (reading >= 0), -- cents
    winners integer NOT NULL DEFAULT 0 CHECK (winners >= 0),
    each bigint NOT NULL DEFAULT 0 CHECK (each >= 0), -- cents
    total bigint NOT NULL DEFAULT 0, -- cents
    state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'final', 'cancelled')),
    base_from_reserve bigint, -- what the base took when it was put in; null: it was not
    base_from_house bigint,
    PRIMARY KEY (jackpot_id, number),
    CHECK (total = each * winners AND total <= reading),
    CHECK ((base_from_reserve IS NULL) = (base_from_house IS NULL))
);

CREATE INDEX award_pending ON link.award (jackpot_id, number) WHERE state = 'pending';

-- One table's part of an award. `identity` is the table's: TABLE/round-R/award-K. `place`: the order of claims.
-- `paying`: what the table's ledger has for it as pending or paid. `in-doubt`: a recovery left the table out, and two
-- operators are to say what became of it (3.13).
CREATE TABLE link.winner (
    member text REFERENCES link.member,
    epoch integer,
    identity text,
    jackpot_id text NOT NULL,
    award bigint NOT NULL,
    round bigint NOT NULL,
    place bigint GENERATED ALWAYS AS IDENTITY,
    winners integer NOT NULL CHECK (winners > 0),
    paying bigint NOT NULL DEFAULT 0 CHECK (paying >= 0),
    state text NOT NULL DEFAULT 'pending' CHECK (
        state IN ('pending', 'agreed', 'in-doubt', 'final', 'cancelled')
    ),
    PRIMARY KEY (member, epoch, identity),
    FOREIGN KEY (jackpot_id, award) REFERENCES link.award
);

CREATE INDEX winner_award ON link.winner (jackpot_id, award);
CREATE INDEX winner_live ON link.winner (member) WHERE state NOT IN ('final', 'cancelled');

-- A round that may still join the award.
CREATE TABLE link.hold (
    jackpot_id text,
    award bigint,
    member text REFERENCES link.member,
    round bigint NOT NULL,
    since timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (jackpot_id, award, member),
    FOREIGN KEY (jackpot_id, award) REFERENCES link.award
);

CREATE INDEX hold_member ON link.hold (member);
