import Foundation
import StoreModel
import StoreWire

/// What `TestControl` is asked, and what it answers, as JSON. Dates are milliseconds since 1970, and
/// identifiers are texts, as in the App Store Server API.
enum TestMessages {
    /// A body with these keys and no others.
    protocol Body: Decodable {
        associatedtype CodingKeys: CodingKey, CaseIterable
    }

    /// - Throws: `WireFormatError` also for a key that means nothing: a typing error would otherwise
    ///   change what is tested.
    static func decode<Value: Body>(_ type: Value.Type, from body: Data) throws -> Value {
        let value = try WireCoding.decode(type, from: body)
        let known = Set(Value.CodingKeys.allCases.map(\.stringValue))
        let given = try JSONSerialization.jsonObject(with: body) as? [String: Any] ?? [:]
        if let unknown = given.keys.sorted().first(where: { !known.contains($0) }) {
            throw WireFormatError(
                "the key \(unknown) is none of \(known.sorted().joined(separator: ", "))")
        }
        return value
    }

    struct Purchase: Body {
        var productId: String
        var quantity: Int?
        var appAccountToken: UUID?
        var askToBuy: Bool?
        /// The `offerID` of a promotional or win-back offer, which needs no signature here.
        var offer: String?
        /// The `referenceName` of the offer of a code.
        var codeOffer: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case productId, quantity, appAccountToken, askToBuy, offer, codeOffer
        }
    }

    struct Advance: Body {
        /// Seconds.
        var advance: Double

        enum CodingKeys: String, CodingKey, CaseIterable { case advance }
    }

    /// Settings that are to change; what is missing stays.
    struct Change: Body {
        var askToBuy: Bool?
        var interruptedPurchases: Bool?
        var billingRetryOnRenewal: Bool?
        var billingGracePeriod: Bool?
        var storefront: String?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case askToBuy, interruptedPurchases, billingRetryOnRenewal, billingGracePeriod
            case storefront
        }
    }

    struct Settings: Encodable {
        var askToBuy: Bool
        var interruptedPurchases: Bool
        var billingRetryOnRenewal: Bool
        var billingGracePeriod: Bool
        var storefront: String

        init(_ settings: TestSettings) {
            askToBuy = settings.asksToBuy
            interruptedPurchases = settings.interruptsPurchases
            billingRetryOnRenewal = settings.failsRenewals
            billingGracePeriod = settings.hasGracePeriod
            storefront = settings.storefront.code
        }
    }

    struct Transaction: Encodable {
        var transactionId: String
        var originalTransactionId: String
        var productId: String
        var state: String
        var purchaseDate: Int64
        var expiresDate: Int64?
        var revocationDate: Int64?
        var autoRenews: Bool
        var hasPurchaseIssue: Bool
        var waitsForApproval: Bool
        var waitsForPriceConsent: Bool
        /// As the App Store Server API has it; missing for what waits.
        var signedTransaction: String?
        /// Of the subscription that it belongs to.
        var signedRenewalInfo: String?

        init(_ transaction: TestTransaction) {
            transactionId = String(transaction.identifier)
            originalTransactionId = String(transaction.originalIdentifier)
            productId = transaction.productIdentifier
            state = transaction.state.rawValue
            purchaseDate = transaction.purchaseDate.milliseconds
            expiresDate = transaction.expirationDate?.milliseconds
            revocationDate = transaction.cancelDate?.milliseconds
            autoRenews = transaction.renews
            hasPurchaseIssue = transaction.hasIssue
            waitsForApproval = transaction.waitsForApproval
            waitsForPriceConsent = transaction.waitsForConsent
        }
    }

    /// A notification that has not arrived at the app's server.
    struct Undelivered: Encodable {
        var notificationUUID: String
        var notificationType: String
        var subtype: String?
        /// How the last attempt ended, by the names of the App Store Server API.
        var result: String
    }

    /// How things stand after a request.
    struct Status: Encodable {
        /// What the clock shows.
        var date: Int64
        /// Everything that was bought, and what waits, the oldest first.
        var transactions: [Transaction]
        /// The app receipt, base64.
        var receipt: String
        /// What was to arrive by now, and has not.
        var undeliveredNotifications: [Undelivered]
    }

    struct Clock: Encodable {
        var date: Int64
    }

    struct Failure: Encodable {
        /// Stable, by the names of StoreKitTest's errors.
        var error: String
        /// What is wrong, a sentence.
        var message: String
    }
}
