import StoreWire

/// Hears the answer to a product request.
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The store has answered.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

/// Asks the store about products.
///
/// ```swift
/// let request = SKProductsRequest(productIdentifiers: ["com.example.chapter1"])
/// request.delegate = self
/// request.start()
/// ```
open class SKProductsRequest: SKRequest {
    private let identifiers: Set<String>
    private var device: @Sendable () throws -> StoreDevice = { try StoreDevice.current() }

    public override init() {
        identifiers = []
    }

    /// A request about some product identifiers.
    public init(productIdentifiers: Set<String>) {
        identifiers = productIdentifiers
    }

    package convenience init(productIdentifiers: Set<String>, device: StoreDevice) {
        self.init(productIdentifiers: productIdentifiers)
        self.device = { device }
    }

    /// Hears the answer. Not retained.
    open var delegate: (any SKProductsRequestDelegate)? {
        get { delegateSlot as? any SKProductsRequestDelegate }
        set { delegateSlot = newValue }
    }

    override func makeWork() -> @Sendable () async -> SendableDelivery {
        let request = SendableRequest(value: self)
        let identifiers = identifiers.sorted()
        let device = device
        return {
            do {
                let device = try device()
                if let error = device.simulatedErrors[.loadProducts] { throw originalError(error) }
                let answer = try await device.products(identifiers)
                device.reportInvalidProducts(in: answer)
                return SendableDelivery {
                    let response = SKProductsResponse(answer)
                    request.value.delegate?.productsRequest(request.value, didReceive: response)
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

/// The store's answer to a product request.
open class SKProductsResponse: NSObject, @unchecked Sendable {
    // Sendable: constant after `init`.
    private var answer: ProductsAnswer?
    private var found: [SKProduct] = []

    public override init() {}

    package convenience init(_ answer: ProductsAnswer) {
        self.init()
        self.answer = answer
        self.found = answer.products.map { SKProduct($0) }
    }

    /// What the store sells of the wanted products.
    open var products: [SKProduct] { found }
    /// The identifiers that the store doesn't sell to this app. Why is in the log (with a
    /// production profile only where ``OpenStore/log`` is set), and in
    /// ``openStoreInvalidProducts``.
    open var invalidProductIdentifiers: [String] { answer?.invalid.map(\.productId) ?? [] }

    /// An addition of OpenStoreKit: the invalid identifiers with the store's reasons.
    public var openStoreInvalidProducts: [OpenStoreInvalidProduct] {
        (answer?.invalid ?? []).map {
            OpenStoreInvalidProduct(
                productIdentifier: $0.productId, reason: $0.reason.rawValue, message: $0.message)
        }
    }
}
