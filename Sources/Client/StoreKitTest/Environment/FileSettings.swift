import StoreKit
import StoreModel
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
        var locale: String?
        var failure: Int?
        var failures: [FileFailure]?

        enum CodingKeys: String, CodingKey, CaseIterable {
            case asksToBuy = "_askToBuyEnabled"
            case interruptsPurchases = "_billingIssuesEnabled"
            case failsTransactions = "_failTransactionsEnabled"
            case disableDialogs = "_disableDialogs"
            case failsRenewals = "_renewalBillingIssuesEnabled"
            case hasGracePeriod = "_billingGracePeriodEnabled"
            case rate = "_timeRate"
            case locale = "_locale"
            case failure = "_storeKitError"
            case failures = "_storeKitErrors"
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
            values = try WireCoding.decode(FileSettings.self, from: data).settings ?? Values()
        } catch let error as WireFormatError {
            throw SKTestError(.invalidURL, "The configuration is not right: \(error).")
        }
        var settings = SessionSettings()
        settings.storefront = configuration.storefront
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
        if let locale = values.locale.map(TestEnvironment.localeIdentifier) {
            guard PriceLocale.isLocale(locale) else {
                throw SKTestError(
                    .invalidURL,
                    "The configuration's settings._locale is \"\(locale)\", no locale.")
            }
            settings.locale = locale
        }
        if let code = values.failure.flatMap(SKError.Code.init(rawValue:)) {
            settings.failure = code
        }
        for (index, failure) in (values.failures ?? []).enumerated() {
            let path = "settings._storeKitErrors[\(index)]"
            guard let (call, code) = try failure.failure(at: path) else { continue }
            settings.errors[call] = code
        }
        return settings
    }

    /// Names of settings that want something which a session does not do.
    static func passedOver(_ configuration: StoreKitConfiguration) -> [String] {
        let known = Set(Values.CodingKeys.allCases.map(\.rawValue))
        return configuration.ignoredSettings.filter { !known.contains($0) }
    }
}
