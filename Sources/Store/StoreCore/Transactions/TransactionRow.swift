import StoreModel

/// How a row of the view `transaction_record` is read.
enum TransactionRow {
    /// The columns of the view; others may follow.
    static let width = LedgerRow.width + 19

    static func read(_ row: any SQLRow) throws -> TransactionRecord {
        let base = LedgerRow.width
        let entry = try LedgerRow.read(row)
        return TransactionRecord(
            entry: entry, appTransaction: AppTransactionID(number: row.integer(base)),
            group: row.optionalText(base + 1),
            reason: row.isNull(base + 3)
                ? .purchase : try row.value(base + 3, TransactionReason.init(rawValue:)),
            shared: row.optionalInteger(base + 5).map(TransactionID.init(number:)),
            isPaidPeriod: row.optionalInteger(base + 11) == 1,
            offer: row.isNull(base + 12) ? nil : try offer(row, base + 12),
            facts: TransactionFacts(
                expiration: row.isNull(base + 2) ? nil : row.date(base + 2),
                isUpgraded: !row.isNull(base + 4), upgradeRefund: upgradeRefund(row, base),
                accountToken: row.optionalText(base + 6) ?? entry.details.applicationUsername,
                revocation: row.isNull(base + 7) ? nil : try revocation(of: entry, row, base + 7)))
    }

    private static func upgradeRefund(
        _ row: any SQLRow, _ base: Int
    ) -> TransactionFacts.UpgradeRefund? {
        guard let percentage = row.optionalInteger(base + 18), percentage > 0 else { return nil }
        return TransactionFacts.UpgradeRefund(
            date: row.date(base + 4), percentage: Int(percentage))
    }

    private static func offer(_ row: any SQLRow, _ column: Int) throws -> AppliedOffer {
        AppliedOffer(
            SubscriptionOffer(
                kind: try row.value(column, SubscriptionOffer.Kind.init(rawValue:)),
                identifier: row.optionalText(column + 1),
                paymentMode: try row.value(
                    column + 2, SubscriptionOffer.PaymentMode.init(rawValue:)),
                period: try row.value(column + 3, SubscriptionPeriod.init(iso8601:)),
                periodCount: Int(row.integer(column + 4)), thousandths: 0),
            number: Int(row.integer(column + 5)))
    }

    private static func revocation(
        of entry: LedgerEntry, _ row: any SQLRow, _ column: Int
    ) throws -> Revocation {
        Revocation(
            transaction: entry.revocable,
            reason: try row.value(column, Revocation.Reason.init(rawValue:)),
            date: row.date(column + 1),
            kind: try row.value(column + 2, Revocation.Kind.init(rawValue:)),
            percentage: Int(row.integer(column + 3)))
    }
}
