/// What a notification is about. The names are those of App Store Server Notifications, version 2.
package enum NotificationType: String, Sendable, Hashable, CaseIterable {
    case subscribed = "SUBSCRIBED"
    case didChangeRenewalPreference = "DID_CHANGE_RENEWAL_PREF"
    case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
    case offerRedeemed = "OFFER_REDEEMED"
    case didRenew = "DID_RENEW"
    case expired = "EXPIRED"
    case didFailToRenew = "DID_FAIL_TO_RENEW"
    case gracePeriodExpired = "GRACE_PERIOD_EXPIRED"
    case priceIncrease = "PRICE_INCREASE"
    case refund = "REFUND"
    case refundDeclined = "REFUND_DECLINED"
    case refundReversed = "REFUND_REVERSED"
    case consumptionRequest = "CONSUMPTION_REQUEST"
    case renewalExtended = "RENEWAL_EXTENDED"
    case renewalExtension = "RENEWAL_EXTENSION"
    case revoke = "REVOKE"
    case oneTimeCharge = "ONE_TIME_CHARGE"
    case test = "TEST"
    // Nothing in this store causes these; requests for history may name them.
    case externalPurchaseToken = "EXTERNAL_PURCHASE_TOKEN"
    case rescindConsent = "RESCIND_CONSENT"
    case metadataUpdate = "METADATA_UPDATE"
    case migration = "MIGRATION"
    case priceChange = "PRICE_CHANGE"
}

/// What a notification says more precisely.
package enum NotificationSubtype: String, Sendable, Hashable, CaseIterable {
    case initialBuy = "INITIAL_BUY"
    case resubscribe = "RESUBSCRIBE"
    case downgrade = "DOWNGRADE"
    case upgrade = "UPGRADE"
    case autoRenewEnabled = "AUTO_RENEW_ENABLED"
    case autoRenewDisabled = "AUTO_RENEW_DISABLED"
    case voluntary = "VOLUNTARY"
    case billingRetry = "BILLING_RETRY"
    case priceIncrease = "PRICE_INCREASE"
    case gracePeriod = "GRACE_PERIOD"
    case pending = "PENDING"
    case accepted = "ACCEPTED"
    case billingRecovery = "BILLING_RECOVERY"
    case productNotForSale = "PRODUCT_NOT_FOR_SALE"
    case summary = "SUMMARY"
    case failure = "FAILURE"
    // As above.
    case unreported = "UNREPORTED"
}

extension NotificationType {
    /// What notifications of the type can have as subtype; some can have none as well.
    package var subtypes: Set<NotificationSubtype> {
        switch self {
        case .subscribed: [.initialBuy, .resubscribe]
        case .didChangeRenewalPreference: [.downgrade, .upgrade]
        case .didChangeRenewalStatus: [.autoRenewEnabled, .autoRenewDisabled]
        case .offerRedeemed: [.initialBuy, .resubscribe, .downgrade, .upgrade]
        case .didRenew: [.billingRecovery]
        case .expired: [.voluntary, .billingRetry, .priceIncrease, .productNotForSale]
        case .didFailToRenew: [.gracePeriod]
        case .priceIncrease, .priceChange: [.pending, .accepted]
        case .renewalExtension: [.summary, .failure]
        case .externalPurchaseToken: [.unreported]
        case .gracePeriodExpired, .refund, .refundDeclined, .refundReversed, .consumptionRequest,
            .renewalExtended, .revoke, .oneTimeCharge, .test, .rescindConsent, .metadataUpdate,
            .migration:
            []
        }
    }
}
