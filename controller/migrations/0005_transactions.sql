-- Purchases and grants of credits, as their buyer sees them; and the sum of an account's ledger at hand.

-- Adding up a long ledger for each request would cost more than the request. Whoever adds a row to
-- the ledger adds its amount here, in the same transaction.
ALTER TABLE accounts ADD COLUMN balance_hundredths BIGINT NOT NULL DEFAULT 0;
UPDATE accounts SET balance_hundredths =
    (SELECT COALESCE(SUM(amount_hundredths), 0) FROM ledger WHERE ledger.account_id = accounts.id);

CREATE TABLE transactions (
    id              TEXT   PRIMARY KEY,
    account_id      TEXT   NOT NULL REFERENCES accounts (id),
    type            TEXT   NOT NULL,
    status          TEXT   NOT NULL,
    credits         BIGINT NOT NULL,
    amount_in_cents BIGINT NOT NULL,
    currency        TEXT   NOT NULL,
    -- The row that gave the credits, and no other transaction's.
    ledger_id       TEXT   UNIQUE REFERENCES ledger (id),
    created_at      BIGINT NOT NULL,
    CHECK (status <> 'COMPLETED' OR ledger_id IS NOT NULL)
);
CREATE INDEX transactions_by_account ON transactions (account_id, created_at);

-- What was granted before there were transactions.
INSERT INTO transactions (id, account_id, type, status, credits, amount_in_cents, currency,
                          ledger_id, created_at)
SELECT 'txn_' || substr(id, 5), account_id, 'ADDITIONAL_CREDITS', 'COMPLETED',
       amount_hundredths / 100, 0, 'usd', id, created_at
FROM ledger WHERE kind = 'grant';
