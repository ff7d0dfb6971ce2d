/// How a customer's subscriptions stand.
package struct StatusResponse: Codable, Sendable, Hashable {
    package struct Group: Codable, Sendable, Hashable {
        package var subscriptionGroupIdentifier: String
        package var lastTransactions: [Item]

        package init(subscriptionGroupIdentifier: String, lastTransactions: [Item]) {
            self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
            self.lastTransactions = lastTransactions
        }
    }

    package struct Item: Codable, Sendable, Hashable {
        /// 1 active, 2 expired, 3 in billing retry, 4 in grace, 5 revoked.
        package var status: Int
        package var originalTransactionId: String
        package var signedTransactionInfo: String
        package var signedRenewalInfo: String?

        package init(
            status: Int, originalTransactionId: String, signedTransactionInfo: String,
            signedRenewalInfo: String?
        ) {
            self.status = status
            self.originalTransactionId = originalTransactionId
            self.signedTransactionInfo = signedTransactionInfo
            self.signedRenewalInfo = signedRenewalInfo
        }
    }

    package var environment: String
    package var bundleId: String
    /// Not in the sandbox.
    package var appAppleId: Int64?
    package var data: [Group]

    package init(environment: String, bundleId: String, appAppleId: Int64?, data: [Group]) {
        self.environment = environment
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.data = data
    }
}

/// That a subscription was made longer.
package struct ExtendRenewalDateResponse: Codable, Sendable, Hashable {
    package var originalTransactionId: String
    package var webOrderLineItemId: String?
    package var success: Bool
    package var effectiveDate: Int64

    package init(
        originalTransactionId: String, webOrderLineItemId: String?, success: Bool,
        effectiveDate: Int64
    ) {
        self.originalTransactionId = originalTransactionId
        self.webOrderLineItemId = webOrderLineItemId
        self.success = success
        self.effectiveDate = effectiveDate
    }
}

/// That a request to extend many subscriptions was taken.
package struct MassExtendRenewalDateResponse: Codable, Sendable, Hashable {
    package var requestIdentifier: String

    package init(requestIdentifier: String) {
        self.requestIdentifier = requestIdentifier
    }
}

/// How far such a request has come.
package struct MassExtendRenewalDateStatusResponse: Codable, Sendable, Hashable {
    package var requestIdentifier: String
    package var complete: Bool
    /// These only of one that is complete.
    package var completeDate: Int64?
    package var succeededCount: Int?
    package var failedCount: Int?

    package init(
        requestIdentifier: String, complete: Bool, completeDate: Int64?, succeededCount: Int?,
        failedCount: Int?
    ) {
        self.requestIdentifier = requestIdentifier
        self.complete = complete
        self.completeDate = completeDate
        self.succeededCount = succeededCount
        self.failedCount = failedCount
    }
}
