import StoreWire

/// The key for a receipt that has expired, with a Boolean `NSNumber`.
public let SKReceiptPropertyIsExpired: String = "expired"
/// The key for a receipt that was revoked, with a Boolean `NSNumber`.
public let SKReceiptPropertyIsRevoked: String = "revoked"
/// The key for the receipt of a volume purchase, with a Boolean `NSNumber`.
public let SKReceiptPropertyIsVolumePurchase: String = "vpp"

/// Fetches the app's receipt from the store.
///
/// ```swift
/// let request = SKReceiptRefreshRequest()
/// request.delegate = self
/// request.start()
/// ```
///
/// When the delegate hears ``SKRequestDelegate/requestDidFinish(_:)``, the receipt lies at
/// `Bundle.main.appStoreReceiptURL` and ``OpenStore/receiptURL``. Asks the customer to sign in
/// where nobody is.
open class SKReceiptRefreshRequest: SKRequest {
    private let properties: [String: Any]?
    private var device: @Sendable () throws -> StoreDevice = { try StoreDevice.current() }

    public override init() {
        properties = nil
    }

    /// A request for a receipt with certain properties.
    ///
    /// - Parameter properties: in the sandbox, under the keys
    ///   ``SKReceiptPropertyIsVolumePurchase`` (a receipt of the type `ProductionVPPSandbox`
    ///   with an expiration date), ``SKReceiptPropertyIsExpired`` (the same, with the date
    ///   past) and ``SKReceiptPropertyIsRevoked`` (every in-app purchase has a cancellation
    ///   date). Without effect in production. Nil for the receipt as it is.
    public init(receiptProperties properties: [String: Any]?) {
        self.properties = properties
    }

    package convenience init(receiptProperties properties: [String: Any]?, device: StoreDevice) {
        self.init(receiptProperties: properties)
        self.device = { device }
    }

    /// The properties that the request was made with.
    open var receiptProperties: [String: Any]? { properties }

    /// Hears how the request ends. Not retained.
    open var delegate: (any SKRequestDelegate)? {
        get { delegateSlot }
        set { delegateSlot = newValue }
    }

    override func makeWork() -> @Sendable () async -> SendableDelivery {
        let request = SendableRequest(value: self)
        let wanted = receiptProperties.map { ReceiptProperties($0) }
        let device = device
        return {
            do {
                try await device().refreshReceipt(wanted)
                return SendableDelivery {
                    request.value.delegate?.requestDidFinish(request.value)
                }
            } catch {
                let visible = visibleError(error)
                return SendableDelivery {
                    request.value.delegate?.request(request.value, didFailWithError: visible)
                }
            }
        }
    }
}

extension ReceiptProperties {
    /// The known keys of a dictionary as apps write it; what is no Boolean counts as none.
    init(_ properties: [String: Any]) {
        func flag(_ key: String) -> Bool {
            (properties[key] as? NSNumber)?.boolValue ?? properties[key] as? Bool ?? false
        }
        self.init(
            expired: flag(SKReceiptPropertyIsExpired), revoked: flag(SKReceiptPropertyIsRevoked),
            volumePurchase: flag(SKReceiptPropertyIsVolumePurchase))
    }
}
