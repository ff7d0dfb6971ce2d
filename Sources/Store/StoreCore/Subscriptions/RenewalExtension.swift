import Foundation
import StoreDatabase
import StoreModel

/// Why a publisher makes subscriptions longer, as servers say it.
package enum ExtensionReason: Int, Sendable, Hashable, CaseIterable {
    case undeclared = 0
    case satisfaction = 1
    case other = 2
    case outage = 3
}

/// That a period of a subscription was made longer.
package struct RenewalExtension: Sendable, Hashable {
    package let original: TransactionID
    /// The transaction of the period.
    package let period: TransactionID
    package let app: AppID
    /// The period's new end.
    package let expiration: Date
    package let days: Int
    package let reason: ExtensionReason
    package let request: String
    package let date: Date

    /// Whether a request with the same identifier asks for the same again.
    func isAnswer(to request: ExtensionService.Request) -> Bool {
        days == request.days && reason == request.reason
    }

    /// The same of a period that somebody got through their family.
    func of(_ share: LedgerEntry) -> RenewalExtension {
        RenewalExtension(
            original: share.original.id, period: share.id, app: app, expiration: expiration,
            days: days, reason: reason, request: request, date: date)
    }
}

extension RenewalExtension: Record {
    package static let table: StaticString = "ledger_extension"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        original = try column("original", \.original)
        period = try column("period", \.period)
        app = try column("app", \.app)
        expiration = try column("expires", \.expiration)
        days = try column("days", \.days)
        reason = try column("reason", \.reason)
        request = try column("request", \.request)
        date = try column("date", \.date)
    }
}

extension ExtensionReason: RawNumberColumnValue {}

/// A request to make all active subscriptions to a product longer. Those in grace count as failed.
package struct MassExtension: Sendable, Hashable {
    package let app: AppID
    package let environment: StoreEnvironment
    package let request: String
    package let product: ProductID
    package let days: Int
    package let reason: ExtensionReason
    /// The column: alpha-3 codes with a space between two. Nil means all storefronts.
    private let storefrontCodes: String?
    package let date: Date
    /// The last subscription that was looked at.
    package var position: Int64
    package var succeeded: Int
    package var failed: Int
    /// When it was done; nil while it is at work.
    package var completion: Date?

    package init(
        app: AppID, environment: StoreEnvironment, request: String, product: ProductID, days: Int,
        reason: ExtensionReason, storefronts: [String]?, date: Date, position: Int64 = 0,
        succeeded: Int = 0, failed: Int = 0, completion: Date? = nil
    ) {
        self.app = app
        self.environment = environment
        self.request = request
        self.product = product
        self.days = days
        self.reason = reason
        storefrontCodes = storefronts?.joined(separator: " ")
        self.date = date
        self.position = position
        self.succeeded = succeeded
        self.failed = failed
        self.completion = completion
    }

    /// The alpha-3 codes of the storefronts. Nil means all storefronts.
    package var storefronts: [String]? {
        storefrontCodes?.split(scalar: " ").map(String.init)
    }

    /// Whether a request with the same identifier asks for the same again.
    func isRepeated(by other: MassExtension) -> Bool {
        product == other.product && days == other.days && reason == other.reason
            && storefronts.map(Set.init) == other.storefronts.map(Set.init)
    }
}

extension MassExtension: Record {
    package static let table: StaticString = "mass_extension"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        app = try column("app", \.app, .key)
        environment = try column("environment", \.environment, .key)
        request = try column("request", \.request, .key)
        product = try column("product_id", \.product, .immutable)
        days = try column("days", \.days, .immutable)
        reason = try column("reason", \.reason, .immutable)
        storefrontCodes = try column("storefronts", \.storefrontCodes, .immutable)
        date = try column("date", \.date, .immutable)
        position = try column("position", \.position)
        succeeded = try column("succeeded", \.succeeded)
        failed = try column("failed", \.failed)
        completion = try column("completed", \.completion)
    }
}

/// Why a subscription can't be made longer.
package enum ExtensionRefusal: Error, Sendable, Hashable {
    case notFound
    case notOriginal
    case notSubscription
    case notActive
    case shared
    /// It was extended twice in the last 365 days.
    case tooOften
    /// The request's identifier was used for another request.
    case identifierUsed
}

/// The rules by which subscriptions are made longer.
package enum ExtensionRules {
    package static let days: ClosedRange<Int> = 1...90
    /// As often within a year, as Apple's store.
    package static let limit = 2
    package static let span: TimeInterval = 365 * 86_400
    /// The longest name that a publisher gives a request, in characters.
    package static let identifierLimit = 128
    /// What extensions have before the name of a request to extend many.
    static let massPrefix = "mass/"

    /// Whether a publisher may name a request so. One with a slash could not be asked for by its path.
    package static func isIdentifier(_ text: String) -> Bool {
        (1...identifierLimit).contains(text.unicodeScalars.count)
            && text.unicodeScalars.allSatisfy {
                $0.value >= 0x20 && $0.value != 0x7F && $0 != "/"
            }
    }

    /// Why it can't be done; nil where it can.
    package static func refusal(
        _ subscription: Subscription, extensions: Int
    ) -> ExtensionRefusal? {
        guard subscription.state == .active else { return .notActive }
        return extensions >= limit ? .tooOften : nil
    }
}
