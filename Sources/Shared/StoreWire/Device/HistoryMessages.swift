/// Body of `POST /device/v1/history`.
package struct DeviceHistoryRequest: Codable, Sendable, Hashable {
    /// `revision` of the page before; `nil` for the first page.
    package var revision: String?

    package init(revision: String?) {
        self.revision = revision
    }
}

/// Answer of `POST /device/v1/history`: the account's transactions in the app that have changed
/// after the revision, the oldest change first.
package struct DeviceHistoryAnswer: Codable, Sendable, Hashable {
    /// Signed `TransactionPayload`s, bound to the device.
    package var transactions: [String]
    /// What the next request begins after, also where nothing follows now.
    package var revision: String
    /// Whether there are more now.
    package var hasMore: Bool
    /// Whether the page is the first one, because the store does not know the revision: the device
    /// forgets what it had.
    package var startsOver: Bool
    /// The certificates that the store has taken back; `nil` if it does not say.
    package var revokedCertificates: RevokedCertificates?
    /// What the sandbox clock shows that the account follows, milliseconds since 1970; `nil` for the
    /// device's own time.
    package var time: Int64?

    package init(
        transactions: [String], revision: String, hasMore: Bool, startsOver: Bool,
        revokedCertificates: RevokedCertificates? = nil, time: Int64? = nil
    ) {
        self.transactions = transactions
        self.revision = revision
        self.hasMore = hasMore
        self.startsOver = startsOver
        self.revokedCertificates = revokedCertificates
        self.time = time
    }
}

/// Answer of `GET /device/v1/subscriptions`: every subscription that the account has ever had in
/// the app, and those that its family shares with it.
package struct DeviceSubscriptionsAnswer: Codable, Sendable, Hashable {
    /// The subscriptions of one group.
    package struct Group: Codable, Sendable, Hashable {
        package var groupId: String
        /// What the account has bought first, then what its family shares.
        package var items: [Item]

        package init(groupId: String, items: [Item]) {
            self.groupId = groupId
            self.items = items
        }
    }

    /// One subscription.
    package struct Item: Codable, Sendable, Hashable {
        /// 1 active, 2 expired, 3 in billing retry, 4 in grace, 5 revoked.
        package var status: Int
        /// A signed `TransactionPayload`: the running or last period.
        package var signedTransaction: String
        /// A signed `RenewalPayload`.
        package var signedRenewalInfo: String

        package init(status: Int, signedTransaction: String, signedRenewalInfo: String) {
            self.status = status
            self.signedTransaction = signedTransaction
            self.signedRenewalInfo = signedRenewalInfo
        }
    }

    package var groups: [Group]

    package init(groups: [Group]) {
        self.groups = groups
    }
}

/// Answer of `GET /device/v1/app-transaction`.
package struct AppTransactionAnswer: Codable, Sendable, Hashable {
    /// A signed `AppTransactionPayload`, bound to the device.
    package var signedAppTransaction: String
    /// The age in years that the app is rated for; `nil` if its publisher has stated none.
    package var ageRatingCode: Int?

    package init(signedAppTransaction: String, ageRatingCode: Int?) {
        self.signedAppTransaction = signedAppTransaction
        self.ageRatingCode = ageRatingCode
    }
}

/// Body of `POST /device/v1/transactions/{id}/refund-requests`.
package struct DeviceRefundRequest: Codable, Sendable, Hashable {
    /// One of App Store Server Notifications' reasons, for example `UNINTENDED_PURCHASE`; `nil` for
    /// none of them.
    package var reason: String?
    /// What the customer wrote.
    package var comment: String?

    package init(reason: String?, comment: String?) {
        self.reason = reason
        self.comment = comment
    }
}
