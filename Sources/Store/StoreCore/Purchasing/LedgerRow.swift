import StoreModel

/// How a row of the view `ledger_entry` is read.
enum LedgerRow {
    /// The columns of the view; others may follow.
    static let width = 21

    static func read(_ row: any SQLRow) throws -> LedgerEntry {
        let currency = row.text(13)
        return LedgerEntry(
            id: TransactionID(number: row.integer(0)),
            details: LedgerDraft(
                kind: try row.value(1, LedgerDraft.Kind.init(rawValue:)),
                environment: try row.value(2, StoreEnvironment.init(rawValue:)),
                account: AccountID(number: row.integer(3)), app: AppID(number: row.integer(4)),
                bundleID: try row.value(5) { BundleID($0) },
                productID: try row.value(6) { ProductID($0) },
                productType: try row.value(7, ProductType.init(rawValue:)), key: row.text(8),
                device: row.text(9), quantity: Int(row.integer(10)),
                unitPrice: Money(thousandths: row.integer(11), currency: currency),
                charged: Money(thousandths: row.integer(12), currency: currency),
                storefront: try row.value(14, Storefront.named),
                original: row.optionalInteger(15).map {
                    LedgerOriginal(id: TransactionID(number: $0), date: row.date(16))
                },
                applicationUsername: row.optionalText(17), date: row.date(18)),
            period: row.optionalInteger(19).map(TransactionID.init(number:)))
    }
}
