/// One transaction.
package struct TransactionInfoResponse: Codable, Sendable, Hashable {
    package var signedTransactionInfo: String

    package init(signedTransactionInfo: String) {
        self.signedTransactionInfo = signedTransactionInfo
    }
}

/// A page of a customer's transactions in an app.
package struct HistoryResponse: Codable, Sendable, Hashable {
    package var revision: String
    package var hasMore: Bool
    package var bundleId: String
    /// Not in the sandbox.
    package var appAppleId: Int64?
    package var environment: String
    package var signedTransactions: [String]

    package init(
        revision: String, hasMore: Bool, bundleId: String, appAppleId: Int64?,
        environment: String, signedTransactions: [String]
    ) {
        self.revision = revision
        self.hasMore = hasMore
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environment = environment
        self.signedTransactions = signedTransactions
    }
}

/// A page of what a customer was given money back for.
package struct RefundHistoryResponse: Codable, Sendable, Hashable {
    package var signedTransactions: [String]
    package var revision: String
    package var hasMore: Bool

    package init(signedTransactions: [String], revision: String, hasMore: Bool) {
        self.signedTransactions = signedTransactions
        self.revision = revision
        self.hasMore = hasMore
    }
}

/// What an order is for.
package struct OrderLookupResponse: Codable, Sendable, Hashable {
    /// 0 for an order of the app, 1 for anything else.
    package var status: Int
    package var signedTransactions: [String]

    package init(status: Int, signedTransactions: [String]) {
        self.status = status
        self.signedTransactions = signedTransactions
    }
}

/// That a customer has an app.
package struct AppTransactionInfoResponse: Codable, Sendable, Hashable {
    package var signedAppTransactionInfo: String

    package init(signedAppTransactionInfo: String) {
        self.signedAppTransactionInfo = signedAppTransactionInfo
    }
}
