import StoreKit
import StoreWire

/// The part of a StoreKit configuration that says how a session begins.
struct FileSettings: Decodable {
    struct Values: Decodable {
        var asksToBuy: Bool?
        var interruptsPurchases: Bool?
        var failsTransactions: Bool?
        var disableDialogs: Bool?
        var failsRenewals: Bool?
        var hasGracePeriod: Bool?
        var rate: Int?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case asksToBuy = "_askToBuyEnabled"
            case interruptsPurchases = "_billingIssuesEnabled"
            case failsTransactions = "_failTransactionsEnabled"
            case disableDialogs = "_disableDialogs"
            case failsRenewals = "_renewalBillingIssuesEnabled"
            case hasGracePeriod = "_billingGracePeriodEnabled"
            case rate = "_timeRate"
        }
    }

    var settings: Values?

    /// The settings that a session begins with.
    ///
    /// - Throws: `SKTestError.invalidURL`, with the path of a value that is none.
    static func settings(
        in data: Data, _ configuration: StoreKitConfiguration
    ) throws -> SessionSettings {
        let values: Values
        do {
            values = try JSONDecoder().decode(FileSettings.self, from: data).settings ?? Values()
        } catch DecodingError.typeMismatch(_, let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw SKTestError(.invalidURL, "The configuration's \(path) is of another type.")
        }
        var settings = SessionSettings()
        settings.storefront = configuration.storefront.code
        settings.asksToBuy = values.asksToBuy ?? false
        settings.interruptsPurchases = values.interruptsPurchases ?? false
        settings.failsTransactions = values.failsTransactions ?? false
        settings.disableDialogs = values.disableDialogs ?? false
        settings.failsRenewals = values.failsRenewals ?? false
        settings.hasGracePeriod = values.hasGracePeriod ?? false
        if let number = values.rate {
            guard let rate = SKTestSession.TimeRate(rawValue: number) else {
                throw SKTestError(
                    .invalidURL, "The configuration's settings._timeRate is \(number), no rate.")
            }
            settings.rate = rate
        }
        return settings
    }

    /// Names of settings that want something which a session does not do.
    static func passedOver(_ configuration: StoreKitConfiguration) -> [String] {
        let known = Set(Values.CodingKeys.allCases.map(\.rawValue))
        return configuration.ignoredSettings.filter { !known.contains($0) }
    }
}
