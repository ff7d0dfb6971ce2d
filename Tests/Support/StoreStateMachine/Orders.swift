import StoreHTTP
import StoreModel
import StoreWire

/// What a device has ordered under which purchase keys, and which of them the store has refused,
/// whether or not the device has heard of it.
final class Orders: @unchecked Sendable {
    // Sendable: touched by the one thread that runs jobs.
    /// Keys under which nothing may ever be in the ledger.
    var refused: Set<String> = []
    /// Keys that were ordered under at more than one price.
    private(set) var keysOfManyPrices: Set<String> = []
    private var prices: [String: Money] = [:]
    /// The app's name for the payment that was ordered under a key.
    private(set) var tags: [String: String] = [:]

    /// An order leaves the device.
    func leave(_ request: HTTPRequest) {
        guard let order = Self.order(in: request) else { return }
        let key = order.purchaseKey.text
        if let price = prices[key], price != order.confirmedPrice { keysOfManyPrices.insert(key) }
        prices[key] = order.confirmedPrice
        tags[key] = order.applicationUsername
    }

    /// The store answers, be it to a copy that nobody waits for.
    func hear(_ response: HTTPResponse, to request: HTTPRequest) {
        guard let order = Self.order(in: request), case .data(let data) = response.body,
            let error = try? WireCoding.decode(WireError.self, from: data),
            Self.ends.contains(error.code)
        else { return }
        refused.insert(order.purchaseKey.text)
    }

    /// The answers on which a device ends a payment or asks its customer again. The others to
    /// an order are about what was sold before.
    private static let ends: Set<WireErrorCode> = [
        .productInvalid, .productTypeNotSold, .quantityOutOfRange, .priceChanged, .offerUnknown,
        .offerIneligible, .offerSignatureInvalid, .offerSignatureMissing,
        .paymentDeclined, .purchaseInterrupted, .purchaseDeclined, .approvalLapsed,
    ]

    /// Whether it is the key of a payment that the customer began in the store.
    static func isOfStore(_ key: String) -> Bool { key.hasPrefix("store-payment-") }

    /// The key of an order; nil for another request.
    static func key(in request: HTTPRequest) -> String? { order(in: request)?.purchaseKey.text }

    private static func order(in request: HTTPRequest) -> PurchaseRequest? {
        // The store of the sandbox has a prefix of its own.
        guard request.method == "POST", request.path.hasSuffix(DeviceRoute.purchases) else {
            return nil
        }
        return try? WireCoding.decode(PurchaseRequest.self, from: request.body)
    }
}
