/// One transaction.
struct TransactionInfoResponse: Codable, Sendable, Hashable {
    var signedTransactionInfo: String
}

/// A page of a customer's transactions in an app.
struct HistoryResponse: Codable, Sendable, Hashable {
    var revision: String
    var hasMore: Bool
    var bundleId: String
    /// Not in the sandbox.
    var appAppleId: Int64?
    var environment: String
    var signedTransactions: [String]
}

/// A page of what a customer was given money back for.
struct RefundHistoryResponse: Codable, Sendable, Hashable {
    var signedTransactions: [String]
    var revision: String
    var hasMore: Bool
}

/// What an order is for.
struct OrderLookupResponse: Codable, Sendable, Hashable {
    /// 0 for an order of the app, 1 for anything else.
    var status: Int
    var signedTransactions: [String]
}

/// That a customer has an app.
struct AppTransactionInfoResponse: Codable, Sendable, Hashable {
    var signedAppTransactionInfo: String
}
