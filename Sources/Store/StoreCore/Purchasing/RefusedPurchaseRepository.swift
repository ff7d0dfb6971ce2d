import Foundation
import StoreDatabase
import StoreModel

extension StoreRepositories {
    /// Whether an order under this key has ever waited, was refused, or had its payment declined. One that
    /// waited may have been sold since. One statement asks for the three tables, because most keys are new.
    func wasHeldBack(key: String, account: AccountID, app: AppID) throws -> Bool {
        let order: SQL = "WHERE account = \(account) AND app = \(app) AND purchase_key = \(key)"
        return try connection.exists(
            """
            FROM (SELECT 1 FROM pending_purchase \(order) UNION ALL
                SELECT 1 FROM refused_purchase \(order) UNION ALL
                SELECT 1 FROM declined_payment \(order)) AS held_back
            """)
    }
}

/// Purchase keys that the rules have refused an order under, one row for each.
package struct RefusedPurchaseRepository {
    let connection: any SQLConnection

    package func purchase(key: String, account: AccountID, app: AppID) throws -> RefusedPurchase? {
        try connection.first(
            RefusedRow.self,
            "WHERE account = \(account) AND app = \(app) AND purchase_key = \(key)"
        ).map { row in
            RefusedPurchase(
                account: row.account, environment: row.environment, app: row.app, key: row.key,
                refusal: try row.refusal.refusal(), date: row.date)
        }
    }

    /// Keeps a refusal. The schema refuses a second one under the same key, and from then on
    /// anything in the ledger under it.
    package func insert(_ refused: RefusedPurchase) throws {
        try connection.insert(
            RefusedRow(
                account: refused.account, environment: refused.environment, app: refused.app,
                key: refused.key, date: refused.date, refusal: RefusalColumns(refused.refusal)))
    }

    /// Deletes refusals from before a date.
    package func deleteRefusals(before date: Date) throws {
        try connection.run("DELETE FROM refused_purchase WHERE date < \(date)")
    }
}

extension StoreRepositories {
    package var refused: RefusedPurchaseRepository {
        RefusedPurchaseRepository(connection: connection)
    }
}

/// A refused purchase as it is kept.
private struct RefusedRow {
    let account: AccountID
    let environment: StoreEnvironment
    let app: AppID
    let key: String
    let date: Date
    let refusal: RefusalColumns
}

extension RefusedRow: Record {
    package static let table: StaticString = "refused_purchase"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        account = try column("account", \.account)
        environment = try column("environment", \.environment)
        app = try column("app", \.app)
        key = try column("purchase_key", \.key)
        date = try column("date", \.date)
        refusal = try column.part(\.refusal)
    }
}

/// A refusal as columns.
private struct RefusalColumns: RecordPart {
    var name: String
    var reason: String?
    var detail: String?
    var amount: Int64?
    var currency: String?
    var offerProblem: String?

    init(_ refusal: PurchaseRefusal) {
        switch refusal {
        case .invalidProduct(let why):
            name = "invalidProduct"
            (reason, detail) = (why.code, Self.detail(of: why))
        case .typeNotSold(let type):
            name = "typeNotSold"
            detail = type.rawValue
        case .quantityOutOfRange(let quantity):
            name = "quantityOutOfRange"
            amount = Int64(quantity)
        case .priceChanged(let price):
            name = "priceChanged"
            (amount, currency) = (price.thousandths, price.currency)
        case .offer(let offer, let why):
            name = "offerUnknown"
            detail = offer
            offerProblem = why == .unknown ? nil : why.rawValue
        // Kept as other facts; the schema refuses these names.
        case .keyReused: name = "keyReused"
        case .declined: name = "declined"
        case .approvalLapsed: name = "approvalLapsed"
        case .paymentDeclined: name = "paymentDeclined"
        case .interrupted: name = "interrupted"
        case .revoked: name = "revoked"
        }
    }

    init(_ column: borrowing RecordColumns<Self>) throws {
        name = try column("refusal", \.name)
        reason = try column("reason", \.reason)
        detail = try column("detail", \.detail)
        amount = try column("amount", \.amount)
        currency = try column("currency", \.currency)
        offerProblem = try column("offer_problem", \.offerProblem)
    }

    /// - Throws: `SQLError` where the columns are no refusal: the database was changed by others.
    func refusal() throws -> PurchaseRefusal {
        let read: PurchaseRefusal? =
            switch name {
            case "invalidProduct": reason.flatMap(invalidReason).map { .invalidProduct($0) }
            case "typeNotSold": detail.flatMap(ProductType.init).map { .typeNotSold($0) }
            case "quantityOutOfRange":
                amount.flatMap { Int(exactly: $0) }.map { .quantityOutOfRange($0) }
            case "priceChanged":
                if let amount, let currency {
                    .priceChanged(current: Money(thousandths: amount, currency: currency))
                } else {
                    nil
                }
            case "offerUnknown":
                if let detail, let why = OfferRefusal(rawValue: offerProblem ?? "unknown") {
                    .offer(detail, why)
                } else {
                    nil
                }
            default: nil
            }
        guard let read else {
            throw SQLError(code: .corrupt, "the database holds a refusal \"\(name)\" that is none")
        }
        return read
    }

    private static func detail(of reason: InvalidReason) -> String? {
        switch reason {
        case .unknownIdentifier(let similar): similar?.text
        case .notApproved(let state): state.rawValue
        case .removedFromSale, .missingMetadata, .waitingForContent, .profileOutOfDate: nil
        case .notInStorefront(let code): code
        case .wildcardApplicationIdentifier(let identifier): identifier.text
        case .profileWrong(let why): why
        case .noPaidAgreement(let team): team
        case .binaryRejected(let state): state.rawValue
        }
    }

    private func invalidReason(_ code: String) -> InvalidReason? {
        switch code {
        case "unknownIdentifier": .unknownIdentifier(similar: detail.flatMap { ProductID($0) })
        case "notApproved": detail.flatMap(ProductState.init).map { .notApproved($0) }
        case "removedFromSale": .removedFromSale
        case "missingMetadata": .missingMetadata
        case "waitingForContent": .waitingForContent
        case "notInStorefront": detail.map { .notInStorefront($0) }
        case "wildcardApplicationIdentifier":
            detail.flatMap { ApplicationIdentifier($0) }.map { .wildcardApplicationIdentifier($0) }
        case "profileWrong": detail.map { .profileWrong($0) }
        case "profileOutOfDate": .profileOutOfDate
        case "noPaidAgreement": detail.map { .noPaidAgreement(team: $0) }
        case "binaryRejected": detail.flatMap(BinaryState.init).map { .binaryRejected($0) }
        default: nil
        }
    }
}
