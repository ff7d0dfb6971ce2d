/// The payload of a notification, with the keys of Apple's `ResponseBodyV2DecodedPayload`: exactly
/// one of `data` and `summary` is there.
package struct NotificationPayload: Codable, Sendable, Hashable {
    package var notificationType: String
    package var subtype: String?
    /// The same for all attempts to deliver a notification.
    package var notificationUUID: String
    package var version: String
    package var signedDate: Int64
    package var data: NotificationData?
    package var summary: NotificationSummary?

    package init(
        notificationType: String, subtype: String?, notificationUUID: String, signedDate: Int64,
        data: NotificationData? = nil, summary: NotificationSummary? = nil
    ) {
        self.notificationType = notificationType
        self.subtype = subtype
        self.notificationUUID = notificationUUID
        self.version = "2.0"
        self.signedDate = signedDate
        self.data = data
        self.summary = summary
    }
}

/// What a notification is about, with the keys of Apple's `Data`. Which version of the app the
/// customer uses is nothing that the store knows, so there is no `bundleVersion`.
package struct NotificationData: Codable, Sendable, Hashable {
    package var environment: String
    /// The app's number; nil in the sandbox.
    package var appAppleId: Int64?
    package var bundleId: String
    package var signedTransactionInfo: String?
    package var signedRenewalInfo: String?
    /// How the subscription stood: 1 active, 2 expired, 3 in billing retry, 4 in billing grace, 5
    /// revoked; nil for what is no subscription.
    package var status: Int?
    /// Why the customer wants their money back.
    package var consumptionRequestReason: String?

    package init(environment: String, appAppleId: Int64?, bundleId: String) {
        self.environment = environment
        self.appAppleId = appAppleId
        self.bundleId = bundleId
    }
}

/// How a request to extend many subscriptions ended, with the keys of Apple's `Summary`.
package struct NotificationSummary: Codable, Sendable, Hashable {
    package var environment: String
    /// The app's number; nil in the sandbox.
    package var appAppleId: Int64?
    package var bundleId: String
    package var productId: String
    package var requestIdentifier: String
    /// Alpha-3 codes; nil for all countries.
    package var storefrontCountryCodes: [String]?
    package var succeededCount: Int
    package var failedCount: Int

    package init(
        environment: String, appAppleId: Int64?, bundleId: String, productId: String,
        requestIdentifier: String, storefrontCountryCodes: [String]?, succeededCount: Int,
        failedCount: Int
    ) {
        self.environment = environment
        self.appAppleId = appAppleId
        self.bundleId = bundleId
        self.productId = productId
        self.requestIdentifier = requestIdentifier
        self.storefrontCountryCodes = storefrontCountryCodes
        self.succeededCount = succeededCount
        self.failedCount = failedCount
    }
}

/// What is posted to a publisher's server, as Apple's `ResponseBodyV2`.
package struct NotificationBody: Codable, Sendable, Hashable {
    package var signedPayload: String

    package init(signedPayload: String) {
        self.signedPayload = signedPayload
    }
}
