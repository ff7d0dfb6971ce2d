@available(iOS 16.4, *)
@available(macOS, unavailable)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
@available(visionOS, unavailable)
extension Product {
    /// What this device has set for the promotion of a product.
    ///
    /// Settings outlast the process. They belong to the app, the store and the environment, and are
    /// those of ``SKProductStorePromotionController``.
    public struct PromotionInfo: Equatable {
        /// Whether this device shows the promotion of a product.
        public enum Visibility: Int, Hashable {
            /// As the publisher has set it.
            case appStoreConnectDefault
            /// It shows it.
            case visible
            /// It does not show it.
            case hidden
        }

        /// The product's identifier.
        public let productID: Product.ID
        /// Whether this device shows its promotion; ``update()`` keeps a change.
        public var visibility: Visibility

        /// Keeps ``visibility`` on this device.
        ///
        /// - Throws: ``StoreKitError``.
        public func update() async throws {
            try await Self.updateProductVisibility(visibility, for: productID)
        }

        /// The products in the order that was set; empty where the publisher's order holds.
        ///
        /// - Throws: ``StoreKitError``.
        public static var currentOrder: [PromotionInfo] {
            get async throws {
                try asStoreKitError { try currentOrder(in: .current()) }
            }
        }

        /// Sets the order of promoted products; an empty one ends the setting.
        ///
        /// - Throws: ``StoreKitError``.
        public static func updateProductOrder(
            byID order: some Collection<Product.ID>
        ) async throws {
            try asStoreKitError { try PromotionOverrides.current().setOrder(Array(order)) }
        }

        /// Sets whether this device shows the promotion of a product.
        ///
        /// - Throws: ``StoreKitError``.
        public static func updateProductVisibility(
            _ visibility: Visibility, for productID: Product.ID
        ) async throws {
            try asStoreKitError {
                try PromotionOverrides.current().set(visibility.shown, of: productID)
            }
        }

        /// Sets the order of promoted products, and whether this device shows each.
        ///
        /// - Throws: ``StoreKitError``; then nothing has changed.
        public static func updateAll(
            _ promotions: some Collection<PromotionInfo>
        ) async throws {
            try asStoreKitError { try updateAll(promotions, in: .current()) }
        }
    }
}

extension Product.PromotionInfo {
    static func currentOrder(in overrides: PromotionOverrides) throws -> [Product.PromotionInfo] {
        try overrides.order().map { product in
            Product.PromotionInfo(
                productID: product, visibility: Visibility(try overrides.visibility(of: product)))
        }
    }

    static func updateAll(
        _ promotions: some Collection<Product.PromotionInfo>, in overrides: PromotionOverrides
    ) throws {
        try overrides.setOrder(promotions.map { ($0.productID, $0.visibility.shown) })
    }

    private static func asStoreKitError<Answer>(_ body: () throws -> Answer) throws -> Answer {
        do { return try body() } catch {
            throw StoreKitError.systemError(visibleError(error))
        }
    }
}

extension Product.PromotionInfo.Visibility {
    /// The value of the original API.
    fileprivate var shown: SKProductStorePromotionVisibility {
        switch self {
        case .appStoreConnectDefault: .default
        case .visible: .show
        case .hidden: .hide
        }
    }

    fileprivate init(_ shown: SKProductStorePromotionVisibility) {
        switch shown {
        case .show: self = .visible
        case .hide: self = .hidden
        case .default: self = .appStoreConnectDefault
        }
    }
}

extension PromotionOverrides {
    /// The app's.
    fileprivate static func current() throws -> PromotionOverrides {
        PromotionOverrides(device: try StoreDevice.current())
    }
}
