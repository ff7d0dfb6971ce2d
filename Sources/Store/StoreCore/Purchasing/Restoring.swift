import Foundation
import StoreModel

/// Gives a device a page of what its account owns, inside a transaction.
///
/// A restored transaction is written once for each device and purchase, and given again whenever the
/// device restores: nobody fills the ledger by restoring.
struct Restoring: Sendable {
    let account: AccountID
    let catalog: AppCatalog
    let device: String
    let applicationUsername: String?
    let after: TransactionID?
    let date: Date

    /// The page, where nothing has to be written for it.
    ///
    /// - Returns: nil where the device gets something for the first time.
    func known(_ repositories: StoreRepositories) throws -> PurchaseService.Page? {
        let owned = try owned(repositories)
        var entries: [LedgerEntry] = []
        for one in owned.prefix(PurchaseService.pageSize) {
            guard let entry = try place(of: one, repositories).entry else { return nil }
            entries.append(entry)
        }
        return try page(of: owned, entries, repositories)
    }

    /// The page; what the device gets for the first time is written down.
    func page(_ repositories: StoreRepositories) throws -> PurchaseService.Page {
        let owned = try owned(repositories)
        let entries = try owned.prefix(PurchaseService.pageSize).map { one in
            let place = try place(of: one, repositories)
            return try place.entry ?? insert(one, under: place.key, repositories)
        }
        return try page(of: owned, entries, repositories)
    }

    private func owned(_ repositories: StoreRepositories) throws -> [LedgerEntry] {
        try repositories.ledger.restorable(
            account: account, app: catalog.app.id, device: device, after: after,
            limit: PurchaseService.pageSize + 1)
    }

    /// Where the restored transaction of a purchase stands, or is to stand.
    ///
    /// Each purchase has a key for each of so many devices. Where they are used up, further devices
    /// get the transaction of the last one.
    private func place(
        of owned: LedgerEntry, _ repositories: StoreRepositories
    ) throws -> (key: String, entry: LedgerEntry?) {
        // No device may use such a key for a purchase, and devices know by its slash what was
        // restored.
        let keys = (1...PurchaseService.restoringDevices).map { "restore.\(owned.id)/\($0)" }
        let written = Dictionary(
            try repositories.ledger.entries(keys: keys, account: account, app: catalog.app.id)
                .map { ($0.details.key, $0) }
        ) { first, _ in first }
        var place: (key: String, entry: LedgerEntry?) = ("", nil)
        for key in keys {
            place = (key, written[key])
            guard let entry = place.entry, entry.details.device != device else { break }
        }
        return place
    }

    /// Adds a restored transaction; that of a subscription stands for its last period.
    private func insert(
        _ owned: LedgerEntry, under key: String, _ repositories: StoreRepositories
    ) throws -> LedgerEntry {
        var draft = owned.details
        draft.kind = .restore
        draft.key = key
        draft.device = device
        draft.charged.thousandths = 0
        draft.original = owned.original
        draft.applicationUsername = applicationUsername
        draft.date = date
        let entry = try repositories.ledger.insert(draft)
        if draft.productType == .autoRenewableSubscription {
            try repositories.renewals.insertStandIn(entry.id, for: owned.id)
        }
        return entry
    }

    private func page(
        of owned: [LedgerEntry], _ entries: [LedgerEntry], _ repositories: StoreRepositories
    ) throws -> PurchaseService.Page {
        let isLast = owned.count <= PurchaseService.pageSize
        return PurchaseService.Page(
            sales: try entries.map { try sale($0, repositories) },
            next: isLast ? nil : owned[PurchaseService.pageSize - 1].id)
    }

    /// The app hears the name of who restores now, unless the publisher's server has set another.
    private func sale(
        _ entry: LedgerEntry, _ repositories: StoreRepositories
    ) throws -> PurchaseService.Sale {
        let sale = try PurchaseService.sale(entry, catalog: catalog, repositories)
        var record = sale.record
        if record.facts.accountToken == entry.details.applicationUsername {
            record.facts.accountToken = applicationUsername
        }
        return PurchaseService.Sale(record: record, release: sale.release)
    }
}
