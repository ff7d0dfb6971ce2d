/// Refusals that are kept, so that no copy of a refused order is sold.
///
/// A refusal is a fact, but not for good: it is deleted when no copy can be on its way any more.
let schema6Refusals: String =
    """
    CREATE TABLE refused_purchase (
        account INTEGER NOT NULL,
        environment TEXT NOT NULL,
        app INTEGER NOT NULL REFERENCES app (id) ON DELETE CASCADE,
        purchase_key TEXT NOT NULL CHECK (length(purchase_key) >= 16),
        refusal TEXT NOT NULL CHECK (refusal IN (
            'invalidProduct', 'typeNotSold', 'quantityOutOfRange', 'priceChanged',
            'offerUnknown')),
        -- Why a product is not sold.
        reason TEXT CHECK ((reason IS NOT NULL) = (refusal = 'invalidProduct')),
        -- What the answer names: a product, state, type, storefront, offer or the like.
        detail TEXT,
        -- The quantity that was asked for, or the price of that day.
        amount INTEGER CHECK (
            (amount IS NOT NULL) = (refusal IN ('quantityOutOfRange', 'priceChanged'))),
        currency TEXT CHECK (
            (currency IS NOT NULL) = (refusal = 'priceChanged') AND length(currency) = 3),
        date INTEGER NOT NULL,
        PRIMARY KEY (account, app, purchase_key),
        FOREIGN KEY (account, environment) REFERENCES account (id, environment)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX refused_purchase_by_date ON refused_purchase (date);
    CREATE INDEX refused_purchase_by_app ON refused_purchase (app);
    CREATE TRIGGER refused_purchase_is_constant BEFORE UPDATE ON refused_purchase
        BEGIN SELECT RAISE(ABORT, 'refused_purchase rows are never rewritten'); END;
    CREATE TRIGGER ledger_sells_no_refused_key BEFORE INSERT ON ledger
        WHEN EXISTS (SELECT 1 FROM refused_purchase WHERE account = NEW.account
            AND app = NEW.app AND purchase_key = NEW.purchase_key)
        BEGIN SELECT RAISE(ABORT, 'an order under this purchase key was refused'); END;

    """
