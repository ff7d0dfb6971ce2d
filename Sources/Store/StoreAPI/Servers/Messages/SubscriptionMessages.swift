/// How a customer's subscriptions stand.
struct StatusResponse: Codable, Sendable, Hashable {
    struct Group: Codable, Sendable, Hashable {
        var subscriptionGroupIdentifier: String
        var lastTransactions: [Item]
    }

    struct Item: Codable, Sendable, Hashable {
        /// 1 active, 2 expired, 3 in billing retry, 4 in grace, 5 revoked.
        var status: Int
        var originalTransactionId: String
        var signedTransactionInfo: String
        var signedRenewalInfo: String?
    }

    var environment: String
    var bundleId: String
    /// Not in the sandbox.
    var appAppleId: Int64?
    var data: [Group]
}

/// That a subscription was made longer.
struct ExtendRenewalDateResponse: Codable, Sendable, Hashable {
    var originalTransactionId: String
    var webOrderLineItemId: String?
    var success: Bool
    var effectiveDate: Int64
}

/// That a request to extend many subscriptions was taken.
struct MassExtendRenewalDateResponse: Codable, Sendable, Hashable {
    var requestIdentifier: String
}

/// How far a request to extend many subscriptions has come.
struct MassExtendRenewalDateStatusResponse: Codable, Sendable, Hashable {
    var requestIdentifier: String
    var complete: Bool
    /// These only of one that is complete.
    var completeDate: Int64?
    var succeededCount: Int?
    var failedCount: Int?
}
