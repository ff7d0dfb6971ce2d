import StoreTexts

/// Overrides, on this device, which products the store promotes and in which order.
///
/// Overrides outlast the process. They belong to the app, the store and the environment.
open class SKProductStorePromotionController: NSObject, @unchecked Sendable {
    // Sendable: constant after `init`.
    private var device: @Sendable () throws -> StoreDevice = { try StoreDevice.current() }

    /// A controller over the app's overrides.
    public override init() {}

    package convenience init(device: StoreDevice) {
        self.init()
        self.device = { device }
    }

    private static let shared: SKProductStorePromotionController =
        SKProductStorePromotionController()

    /// The controller of this app.
    ///
    /// There is one. A subclass gives the same object, as Apple's does, which is no instance of the
    /// subclass: call what this class declares.
    open class func `default`() -> Self {
        // Objective-C's `instancetype` promises as little about what `+defaultController` gives.
        Unmanaged<Self>.fromOpaque(Unmanaged.passUnretained(shared).toOpaque())
            .takeUnretainedValue()
    }

    // MARK: Visibility

    /// Whether this device shows the promotion of a product.
    ///
    /// - Throws: ``SKError``.
    open func promotionVisibility(
        for product: SKProduct
    ) async throws -> SKProductStorePromotionVisibility {
        try await asSKError {
            try PromotionOverrides(device: device()).visibility(of: Self.identifier(of: product))
        }
    }

    /// Sets whether this device shows the promotion of a product.
    ///
    /// - Throws: ``SKError``.
    open func update(
        promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct
    ) async throws {
        try await asSKError {
            try PromotionOverrides(device: device())
                .set(promotionVisibility, of: Self.identifier(of: product))
        }
    }

    /// Tells whether this device shows the promotion of a product.
    open func fetchStorePromotionVisibility(
        for product: SKProduct,
        completionHandler: ((SKProductStorePromotionVisibility, (any Error)?) -> Void)? = nil
    ) {
        run(completionHandler, failed: .default) { [self] in
            try await promotionVisibility(for: product)
        }
    }

    /// Sets whether this device shows the promotion of a product.
    open func update(
        storePromotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct,
        completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        run(completionHandler) { [self] in
            try await update(promotionVisibility: storePromotionVisibility, for: product)
        }
    }

    // MARK: Order

    /// The products in the order that was set; empty where the publisher's order holds.
    ///
    /// Products that the store doesn't sell any more are left out.
    ///
    /// - Throws: ``SKError``; the underlying error is a `URLError` where the store can't be
    ///   reached.
    open func promotionOrder() async throws -> [SKProduct] {
        try await asSKError {
            let device = try device()
            let order = try PromotionOverrides(device: device).order()
            guard !order.isEmpty else { return [] }
            let answer = try await device.products(order)
            let products = answer.products.map { SKProduct($0) }
            return order.compactMap { identifier in
                products.first { $0.productIdentifier == identifier }
            }
        }
    }

    /// Sets the order of promoted products; an empty one ends the override.
    ///
    /// - Throws: ``SKError``.
    open func update(promotionOrder: [SKProduct]) async throws {
        try await asSKError {
            try PromotionOverrides(device: device())
                .setOrder(try promotionOrder.map { try Self.identifier(of: $0) })
        }
    }

    /// Tells the products in the order that was set; empty where the publisher's order holds.
    open func fetchStorePromotionOrder(
        completionHandler: (([SKProduct], (any Error)?) -> Void)? = nil
    ) {
        run(completionHandler, failed: []) { [self] in try await promotionOrder() }
    }

    /// Sets the order of promoted products; an empty one ends the override.
    open func update(
        storePromotionOrder: [SKProduct], completionHandler: (((any Error)?) -> Void)? = nil
    ) {
        run(completionHandler) { [self] in try await update(promotionOrder: storePromotionOrder) }
    }

    // MARK: Parts

    private static func identifier(of product: SKProduct) throws -> String {
        guard !product.productIdentifier.isEmpty else {
            throw SKError(
                .storeProductNotAvailable, "The product has no identifier: no store answered it.")
        }
        return product.productIdentifier
    }

    private func asSKError<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
        do { return try await body() } catch {
            let visible = visibleError(error)
            throw visible as? SKError
                ?? SKError(.unknown, Texts.device.cannotConnect, underlying: visible)
        }
    }

    private func run<Answer: Sendable>(
        _ completion: ((Answer, (any Error)?) -> Void)?, failed: Answer,
        _ work: @escaping @Sendable () async throws -> Answer
    ) {
        let completion = SendableCompletion(value: completion)
        Task {
            let result: (Answer, (any Error)?)
            do { result = (try await work(), nil) } catch { result = (failed, error) }
            OpenStoreCallbackExecutor.app.run { completion.value?(result.0, result.1) }
        }
    }

    private func run(
        _ completion: (((any Error)?) -> Void)?, _ work: @escaping @Sendable () async throws -> Void
    ) {
        let completion = SendableCompletion(value: completion)
        Task {
            var failure: (any Error)?
            do { try await work() } catch { failure = error }
            let result = failure
            OpenStoreCallbackExecutor.app.run { completion.value?(result) }
        }
    }
}

/// An app's completion handler on its way to the callback executor.
private struct SendableCompletion<Value>: @unchecked Sendable {
    // Sendable: called once, on the callback executor, where apps expect it.
    let value: Value
}
