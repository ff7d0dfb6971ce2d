/// A generic product, whose name and price a request of the developer's server says.
///
/// This store has none: ``init(id:)`` throws `StoreKitError.unsupported`.
@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
public struct AdvancedCommerceProduct: Identifiable, Hashable, Sendable {
    /// The type of a product identifier.
    public typealias ID = String
    /// A kind of product.
    public typealias ProductType = Product.ProductType
    /// How a purchase ended that raised no error.
    public typealias PurchaseResult = Product.PurchaseResult

    /// The product's identifier.
    public let id: String
    /// What kind of product it is.
    public let type: ProductType

    /// Asks the store about a generic product.
    ///
    /// - Throws: `StoreKitError.unsupported`: this store has none.
    public init(id: AdvancedCommerceProduct.ID) async throws {
        throw StoreKitError.unsupported
    }

    /// The newest transaction of the product.
    public var latestTransaction: VerificationResult<Transaction>? {
        get async { await Transaction.latest(for: id) }
    }

    /// The transactions of the product.
    public var allTransactions: Transaction.Transactions { Transaction.all(for: id) }

    /// What the customer may use of the product.
    public var currentEntitlements: Transaction.Transactions {
        Transaction.currentEntitlements(for: id)
    }

    /// Buys what a request of the developer's server says.
    ///
    /// - Throws: `StoreKitError.unsupported`: this store has no generic products.
    @MainActor public func purchase(
        compactJWS: String, options: Set<AdvancedCommerceProduct.PurchaseOption> = []
    ) async throws -> AdvancedCommerceProduct.PurchaseResult {
        throw StoreKitError.unsupported
    }

    /// What an app says beside the request.
    public struct PurchaseOption: Hashable, Sendable {
        private let option: Product.PurchaseOption

        /// Asks the app whether the purchase goes on if the customer's storefront turns out to be
        /// another.
        public static func onStorefrontChange(
            shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
        ) -> AdvancedCommerceProduct.PurchaseOption {
            Self(option: .onStorefrontChange(shouldContinuePurchase: shouldContinuePurchase))
        }
    }
}

@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
extension AdvancedCommerceProduct: CustomDebugStringConvertible {
    /// The identifier and the kind.
    public var debugDescription: String { "\(id) (\(type.rawValue))" }
}

@available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
extension AdvancedCommerceProduct.PurchaseOption: CustomDebugStringConvertible {
    /// What the option says.
    public var debugDescription: String { option.debugDescription }
}
