import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreWire

/// Turns facts of the ledger into signed transactions. Works outside of the writer.
package struct TransactionSigner: Sendable {
    private let signer: JWSSigner
    private let clock: any StoreClock
    package let names: EnvironmentNames

    package init(
        signer: JWSSigner, clock: any StoreClock, names: EnvironmentNames = .standard
    ) {
        self.signer = signer
        self.clock = clock
        self.names = names
    }

    /// The signed transaction, as servers get it.
    package func sign(_ record: TransactionRecord) throws -> String {
        try sign(payload(of: record))
    }

    /// Any statement in the form of a JSON object, signed.
    package func sign(_ payload: some Encodable) throws -> String {
        try signer.sign(try WireCoding.encode(payload))
    }

    /// The same for transactions, of which the most are signed.
    package func sign(_ payload: TransactionPayload) throws -> String {
        try signer.sign(payload.encoded())
    }

    /// When what is signed now is signed: not before its certificate begins, which a sandbox clock may
    /// show.
    package var now: Date {
        guard CustomerClock.date != nil, let start = try? signer.identity().start else {
            return clock.now()
        }
        return max(clock.now(), start)
    }

    /// What a signed transaction says.
    package func payload(of record: TransactionRecord) -> TransactionPayload {
        let entry = record.entry
        let details = entry.details
        let revocation = record.facts.revocation
        var payload = TransactionPayload(
            transactionId: entry.id, originalTransactionId: entry.original.id,
            bundleId: details.bundleID.text, productId: details.productID.text,
            type: details.productType.rawValue, quantity: details.quantity,
            purchaseDate: details.date.milliseconds,
            originalPurchaseDate: entry.original.date.milliseconds,
            signedDate: now.milliseconds, environment: names.name(of: details.environment),
            inAppOwnershipType: record.shared == nil ? "PURCHASED" : "FAMILY_SHARED",
            transactionReason: record.reason.rawValue,
            storefront: details.storefront.code, storefrontId: details.storefront.identifier,
            currency: details.charged.currency, price: details.charged.thousandths,
            appAccountToken: record.facts.accountToken)
        payload.appTransactionId = record.appTransaction.description
        payload.webOrderLineItemId = record.webOrderLineItem?.description
        payload.subscriptionGroupIdentifier = record.group
        payload.expiresDate = record.facts.expiration?.milliseconds
        if record.facts.isUpgraded { payload.isUpgraded = true }
        if let offer = record.offer {
            payload.offerType = offer.kind.number
            payload.offerIdentifier = offer.identifier
            payload.offerDiscountType = offer.paymentMode.discountType
            payload.offerPeriod = offer.period.iso8601
        }
        if let revocation {
            payload.revocationDate = revocation.date.milliseconds
            payload.revocationReason = revocation.reason == .developerIssue ? 1 : 0
            payload.revocationType = revocation.kind.rawValue
            if revocation.kind != .family { payload.revocationPercentage = revocation.percentage }
        }
        return payload
    }
}

extension SubscriptionOffer.Kind {
    /// Apple's number of it.
    var number: Int {
        switch self {
        case .introductory: 1
        case .promotional: 2
        case .code: 3
        case .winBack: 4
        }
    }
}

extension SubscriptionOffer.PaymentMode {
    /// Its name in signed statements.
    var discountType: String {
        switch self {
        case .freeTrial: "FREE_TRIAL"
        case .payAsYouGo: "PAY_AS_YOU_GO"
        case .payUpFront: "PAY_UP_FRONT"
        }
    }
}
