import Foundation
import StoreModel

/// Body of `POST /device/v1/purchases`.
package struct PurchaseRequest: Codable, Sendable, Hashable {
    package var purchaseKey: PurchaseKey
    package var productId: String
    package var quantity: Int
    /// The price of one, as the customer confirmed it.
    package var confirmedPrice: Money
    package var applicationUsername: String?
    /// Whether the sandbox is to treat it as one that somebody else approves.
    package var simulatesAskToBuy: Bool?
    /// What it says of offers.
    package var offer: OfferWish?
    /// The offer that the customer was told of.
    package var agreedOffer: SubscriptionOffer?
    /// The name of the wished offer, for a store and from a framework that applied none: it is refused.
    package var offerIdentifier: String?
    /// Whether the customer was told that it charges nothing.
    package var isFree: Bool?

    package init(
        purchaseKey: PurchaseKey, productId: String, quantity: Int, confirmedPrice: Money,
        applicationUsername: String?, simulatesAskToBuy: Bool? = nil,
        offer: OfferWish? = nil, agreedOffer: SubscriptionOffer? = nil, isFree: Bool? = nil
    ) {
        self.agreedOffer = agreedOffer
        self.isFree = isFree
        offerIdentifier = offer?.identifier
        self.simulatesAskToBuy = simulatesAskToBuy
        self.offer = offer
        self.purchaseKey = purchaseKey
        self.productId = productId
        self.quantity = quantity
        self.confirmedPrice = confirmedPrice
        self.applicationUsername = applicationUsername
    }
}

/// A transaction as devices receive it.
package struct TransactionAnswer: Codable, Sendable, Hashable {
    /// A signed `TransactionPayload`.
    package var signedTransaction: String
    /// Hosted content that belongs to it.
    package var contents: [WireContent]

    package init(signedTransaction: String, contents: [WireContent]) {
        self.signedTransaction = signedTransaction
        self.contents = contents
    }

    /// The same bytes as `WireCoding` gives, in a fraction of the time. Every purchase is answered with
    /// this.
    package func encoded() -> Data {
        var text = JSONText(capacity: signedTransaction.utf8.count + 256)
        text.objects("contents", contents) { text, content in
            text.member("contentIdentifier", content.contentIdentifier)
            text.member("length", integer: content.length)
            text.member("version", content.version.description)
        }
        text.member("signedTransaction", signedTransaction)
        return text.finished()
    }
}

/// Answer to a purchase that somebody else has to approve, with the status 202. The same
/// request gives the transaction later, or says that it was declined.
package struct DeferredAnswer: Codable, Sendable, Hashable {
    package var purchaseKey: PurchaseKey
    /// The path, below the base URL, of the page on which it is approved; nil where the
    /// device is not told.
    package var approvalPage: String?

    package init(purchaseKey: PurchaseKey, approvalPage: String? = nil) {
        self.purchaseKey = purchaseKey
        self.approvalPage = approvalPage
    }
}

/// Answer of the routes that give several transactions.
package struct TransactionsAnswer: Codable, Sendable, Hashable {
    package var transactions: [TransactionAnswer]
    /// What the next request of a restore begins after; nil where nothing follows.
    package var next: TransactionID?

    package init(transactions: [TransactionAnswer], next: TransactionID? = nil) {
        self.transactions = transactions
        self.next = next
    }
}

/// Hosted content of a transaction, before its download.
package struct WireContent: Codable, Sendable, Hashable {
    /// The product identifier.
    package var contentIdentifier: String
    package var version: ContentVersion
    /// Bytes to download.
    package var length: Int64

    package init(contentIdentifier: String, version: ContentVersion, length: Int64) {
        self.contentIdentifier = contentIdentifier
        self.version = version
        self.length = length
    }

    /// More bytes than any content has: few enough that sums of some fit.
    package static let longest: Int64 = 1 << 48

    /// - Throws: `DecodingError`, also for a length that no content has.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        contentIdentifier = try container.decode(String.self, forKey: .contentIdentifier)
        version = try container.decode(ContentVersion.self, forKey: .version)
        length = try container.decode(Int64.self, forKey: .length)
        guard (0...Self.longest).contains(length) else {
            throw DecodingError.dataCorruptedError(
                forKey: .length, in: container, debugDescription: "no content is so long")
        }
    }
}

/// Body of `POST /device/v1/restores`, which answers a page at a time. A device gets the same
/// transactions each time, whatever the key.
package struct RestoreRequest: Codable, Sendable, Hashable {
    package var restoreKey: PurchaseKey
    package var applicationUsername: String?
    /// `next` of the page before; nil for the first page.
    package var after: TransactionID?

    package init(
        restoreKey: PurchaseKey, applicationUsername: String?, after: TransactionID? = nil
    ) {
        self.after = after
        self.restoreKey = restoreKey
        self.applicationUsername = applicationUsername
    }
}

/// Body of `POST /device/v1/transactions/{id}/downloads`.
package struct DownloadRequest: Codable, Sendable, Hashable {
    package var contentIdentifier: String
    package var version: ContentVersion

    package init(contentIdentifier: String, version: ContentVersion) {
        self.contentIdentifier = contentIdentifier
        self.version = version
    }
}

/// Permission to download.
package struct DownloadAnswer: Codable, Sendable, Hashable {
    /// A signed `DeliveryPayload`: what to expect.
    package var signedDelivery: String
    /// What to send with each request for the bytes.
    package var grant: String
    /// Gets the next grant without a session; nil from a store that makes none.
    package var token: String?

    package init(signedDelivery: String, grant: String, token: String? = nil) {
        self.signedDelivery = signedDelivery
        self.grant = grant
        self.token = token
    }
}

/// Body of `POST /device/v1/downloads/renewal`. The answer is a `DownloadAnswer` with the same
/// token.
package struct DownloadRenewalRequest: Codable, Sendable, Hashable {
    package var token: String

    package init(token: String) {
        self.token = token
    }
}
