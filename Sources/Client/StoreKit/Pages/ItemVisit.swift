import FoundationNetworking
import StoreModel
import StoreTexts
import StoreWire

/// What a customer does with one item of the storefront, in the name of the account that is
/// signed in on the device.
struct ItemVisit: Sendable {
    let device: StoreDevice
    let item: Int64
    var referral = ItemReferral()
    var retry = RetryPolicy.standard

    /// So often what may be repeated is tried.
    private static let attempts = 3

    // MARK: Reading

    /// The page as it is now; with what the account has of the item, where one is signed in.
    func page() async throws -> ItemPageAnswer {
        let storefront = StorePageLookup(device: device).storefront.code
        return try await read { session in
            try await device.client.itemPage(item, storefront: storefront, session: session)
        }
    }

    /// - Parameter sort: one of `ItemReviewsAnswer.orders`.
    func reviews(sort: String, page: Int) async throws -> ItemReviewsAnswer {
        try await read { session in
            try await device.client.itemReviews(item, sort: sort, page: page, session: session)
        }
    }

    /// Whoever looks need not sign in; a session that has ended is no obstacle.
    private func read<Answer>(
        _ body: (SessionAnswer?) async throws -> Answer
    ) async throws -> Answer {
        try await repeating {
            let session = device.noticeSession()
            do { return try await body(session) } catch let error as WireError
                where error.code == .notSignedIn
            {
                guard let session else { throw error }
                device.sessions.clear(session)
                return try await body(nil)
            }
        }
    }

    // MARK: The customer

    /// Whether the administrator of the device allows purchases.
    var mayBuy: Bool { device.restrictions.allowsPayments(log: device.log) }

    /// Buys the item at the price that the customer agreed to.
    ///
    /// An account has an item by one sale, so an order whose answer was lost is sent again.
    ///
    /// - Parameter account: whose agreement it was.
    /// - Throws: `SKError.paymentNotAllowed` where the administrator of the device allows no
    ///   purchases.
    func buy(for price: Money, as account: String) async throws {
        guard mayBuy else {
            throw SKError(.paymentNotAllowed, Texts.device.purchasesRestricted)
        }
        let order = ItemOrderRequest(
            price: price, at: referral.affiliateToken, ct: referral.campaignToken,
            pt: referral.providerToken)
        let session = try await device.signedIn(as: account)
        do {
            try await repeating {
                try await device.client.buyItem(item, order, session: session)
            }
        } catch let error as WireError where error.code == .notSignedIn {
            device.sessions.clear(session)
            let renewed = try await device.signedIn(as: account)
            try await repeating {
                try await device.client.buyItem(item, order, session: renewed)
            }
        }
    }

    /// Writes the account's review, or changes it.
    @discardableResult
    func write(_ review: ReviewRequest) async throws -> WireReview {
        try await repeating {
            try await device.withSession {
                try await device.client.writeReview(review, on: item, session: $0)
            }
        }
    }

    /// Removes the account's review.
    func removeReview() async throws {
        try await repeating {
            try await device.withSession {
                try await device.client.removeReview(on: item, session: $0)
            }
        }
    }

    func vote(_ isHelpful: Bool, on review: Int64) async throws {
        try await repeating {
            try await device.withSession {
                try await device.client.vote(isHelpful, on: review, session: $0)
            }
        }
    }

    /// Does what may be done twice, again after a network error.
    private func repeating<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        var failures = 0
        while true {
            do { return try await body() } catch let error where error.isOfPassing {
                failures += 1
                guard failures < Self.attempts, !Task.isCancelled else { throw error }
                try await retry.sleep(retry.delay(after: failures - 1))
            }
        }
    }
}

extension Error {
    /// Whether the same request may succeed in a moment.
    var isOfPassing: Bool {
        if let error = self as? URLError { return error.code != .cancelled }
        guard let error = self as? WireError else { return false }
        return error.code == .storeUnavailable || error.code == .internalError
    }
}
