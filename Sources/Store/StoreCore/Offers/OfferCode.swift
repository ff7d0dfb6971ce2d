import Foundation
import StoreDatabase
import StoreModel

/// An offer code (a coupon or promo code), which gives a product for nothing, or a subscription by an
/// offer.
package struct OfferCode: Sendable, Hashable {
    /// Capital letters and digits, as `normalized` gives them; for a code that the API made, a key that
    /// begins with its resource's identifier.
    package var code: String
    package var app: AppID
    package var productID: ProductID
    /// By how many accounts it can be redeemed, customers and testers each.
    package var uses: Int
    /// When it ends.
    package var end: Date
    /// The name of the subscription's offer; nil for what is no subscription.
    package var offer: String?

    package init(
        code: String, app: AppID, productID: ProductID, uses: Int, end: Date, offer: String? = nil
    ) {
        self.offer = offer
        self.code = code
        self.app = app
        self.productID = productID
        self.uses = uses
        self.end = end
    }

    /// A code as people type it: without spaces and hyphens, in capital letters; nil for
    /// what can't be one.
    ///
    /// - Parameter shortest: as many characters as it has at least. Publishers choose shorter ones.
    package static func normalized(_ text: String, shortest: Int = 8) -> String? {
        guard text.utf8.count <= 100 else { return nil }
        let code = text.uppercased().filter { $0 != " " && $0 != "-" }
        let isPlain = code.utf8.allSatisfy { byte in
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return isPlain && (shortest...64).contains(code.utf8.count) ? code : nil
    }
}

extension OfferCode: Record {
    package static let table: StaticString = "offer_code"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        code = try column("code", \.code, .key)
        app = try column("app", \.app)
        productID = try column("product_id", \.productID)
        uses = try column("uses", \.uses)
        end = try column("ends", \.end)
        offer = try column("offer", \.offer)
    }
}

/// The fact that an account has redeemed a code.
package struct OfferCodeUse: Sendable, Hashable {
    package var code: String
    package var account: AccountID
    package var environment: StoreEnvironment
    /// The how-many-eth use of the code in this environment.
    package var number: Int
    package var transaction: TransactionID
}

extension OfferCodeUse: Record {
    package static let table: StaticString = "offer_code_use"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        code = try column("code", \.code)
        account = try column("account", \.account)
        environment = try column("environment", \.environment)
        number = try column("number", \.number)
        transaction = try column("ledger", \.transaction)
    }
}

/// Why a code gives nothing.
package enum OfferCodeRefusal: Error, Sendable, Hashable {
    /// No such code in this app.
    case unknown
    case ended
    /// As many accounts as it is for have redeemed it.
    case usedUp
    /// This account has redeemed it.
    case usedBefore
    /// The offer that it stands for is not there any longer, or is for other customers.
    case offer(OfferRefusal)
    /// The customer was not told of the offer, or of another one.
    case notAgreed(price: Money)
    /// Somebody else approves what the account buys.
    case needsApproval
    case paymentDeclined
    case invalidProduct(InvalidReason)
}
