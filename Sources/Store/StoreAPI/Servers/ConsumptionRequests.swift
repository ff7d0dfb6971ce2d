import Foundation
import StoreCore
import StoreWire

extension ConsumptionInformation {
    /// What half consumed counts as, where a server says no more.
    private static let partly = Revocation.everything / 2

    /// Reads the request of the second version.
    ///
    /// - Throws: `ServerAPIError`.
    init(_ body: ServerBody) throws {
        try Self.requireConsent(body)
        let sampleProvided = try body.flag("sampleContentProvided", .invalidSampleContentProvided)
        let delivery: DeliveryStatus = try body.choice("deliveryStatus", .invalidDeliveryStatus)
        let consumed = try body.optionalInteger(
            "consumptionPercentage", in: 0...Revocation.everything, .generalBadRequest)
        self.init(
            customerConsented: true, consumed: consumed, wasDelivered: delivery == .delivered,
            sampleProvided: sampleProvided,
            preference: try body.optionalChoice("refundPreference", .generalBadRequest))
    }

    /// Reads the request of the first version, which has numbers for everything. What this store
    /// does not ask about is checked all the same.
    ///
    /// - Throws: `ServerAPIError`.
    init(first body: ServerBody) throws {
        try Self.requireConsent(body)
        let consumption = try body.integer(
            "consumptionStatus", in: 0...3, .invalidConsumptionStatus)
        _ = try body.integer("platform", in: 0...2, .invalidPlatform)
        let sampleProvided = try body.flag("sampleContentProvided", .invalidSampleContentProvided)
        let delivery = try body.integer("deliveryStatus", in: 0...5, .invalidDeliveryStatus)
        let token = try body.text("appAccountToken", .invalidAppAccountToken)
        guard token.isEmpty || UUID(uuidString: token) != nil else {
            throw ServerAPIError(.invalidAppAccountToken)
        }
        _ = try body.integer("accountTenure", in: 0...7, .invalidAccountTenure)
        _ = try body.integer("playTime", in: 0...7, .invalidPlayTime)
        _ = try body.integer(
            "lifetimeDollarsRefunded", in: 0...7, .invalidLifetimeDollarsRefunded)
        _ = try body.integer(
            "lifetimeDollarsPurchased", in: 0...7, .invalidLifetimeDollarsPurchased)
        _ = try body.integer("userStatus", in: 0...4, .invalidUserStatus)
        let preference =
            try body.optionalInteger("refundPreference", in: 0...3, .generalBadRequest) ?? 0
        self.init(
            customerConsented: true,
            consumed: [nil, 0, Self.partly, Revocation.everything][consumption],
            wasDelivered: delivery == 0, sampleProvided: sampleProvided,
            preference: [nil, .full, .decline, nil][preference])
    }

    private static func requireConsent(_ body: ServerBody) throws {
        guard try body.flag("customerConsented", .invalidCustomerConsented) else {
            throw ServerAPIError(.invalidCustomerConsented)
        }
    }

    private enum DeliveryStatus: String {
        case delivered = "DELIVERED"
        case qualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        case wrongItem = "UNDELIVERED_WRONG_ITEM"
        case serverOutage = "UNDELIVERED_SERVER_OUTAGE"
        case other = "UNDELIVERED_OTHER"
    }
}
