// What apps with SwiftUI keep of a task that loads. The modifiers that start such tasks need
// SwiftUI; the values don't.

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension Product {
    /// Where a task stands that loads a product.
    public enum TaskState: Sendable {
        /// It has not ended.
        case loading
        /// The storefront does not sell the product.
        case unavailable
        /// It failed.
        case failure(any Error)
        /// It has the product.
        case success(Product)

        /// The product, if it is there.
        public var product: Product? {
            guard case .success(let product) = self else { return nil }
            return product
        }
    }

    /// Where a task stands that loads products.
    public enum CollectionTaskState: Sendable {
        /// It has not ended.
        case loading
        /// It failed.
        case failure(any Error)
        /// It has the products that the storefront sells, and the identifiers of the others.
        case success([Product], unavailable: [Product.ID])

        /// The products, if they are there.
        public var products: [Product]? {
            guard case .success(let products, _) = self else { return nil }
            return products
        }
    }

    /// How subscriptions of a group stand to the one that a customer has.
    public struct SubscriptionRelationship: OptionSet, Sendable {
        /// One bit for each relationship.
        public let rawValue: Int

        /// The relationships of some bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Those of a higher level.
        public static let upgrade = SubscriptionRelationship(rawValue: 1 << 0)
        /// Those of a lower level.
        public static let downgrade = SubscriptionRelationship(rawValue: 1 << 1)
        /// Those of the same level.
        public static let crossgrade = SubscriptionRelationship(rawValue: 1 << 2)
        /// The one that the customer has.
        public static let current = SubscriptionRelationship(rawValue: 1 << 3)
        /// All of the group.
        public static let all: SubscriptionRelationship = [
            .upgrade, .downgrade, .crossgrade, .current,
        ]
    }
}

/// Where a task stands that loads what a customer is entitled to.
@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
public enum EntitlementTaskState<Value> {
    /// It has not ended.
    case loading
    /// It failed.
    case failure(any Error)
    /// It has the value.
    case success(Value)

    /// The value, if it is there.
    public var value: Value? {
        guard case .success(let value) = self else { return nil }
        return value
    }

    /// The state with another value, made of this one's if it is there.
    public func map<NewValue>(
        _ transform: (Value) throws -> NewValue
    ) rethrows -> EntitlementTaskState<NewValue> {
        try flatMap { .success(try transform($0)) }
    }

    /// The state with another value, made of this one's if it is there.
    nonisolated(nonsending) public func map<NewValue>(
        _ transform: nonisolated(nonsending) (Value) async throws -> NewValue
    ) async rethrows -> EntitlementTaskState<NewValue> {
        switch self {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .success(let value): .success(try await transform(value))
        }
    }

    /// The state that is made of this one's value, if it is there.
    public func flatMap<NewValue>(
        _ transform: (Value) throws -> EntitlementTaskState<NewValue>
    ) rethrows -> EntitlementTaskState<NewValue> {
        switch self {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .success(let value): try transform(value)
        }
    }

    /// The state that is made of this one's value, if it is there.
    nonisolated(nonsending) public func flatMap<NewValue>(
        _ transform: nonisolated(nonsending) (Value) async throws -> EntitlementTaskState<NewValue>
    ) async rethrows -> EntitlementTaskState<NewValue> {
        switch self {
        case .loading: .loading
        case .failure(let error): .failure(error)
        case .success(let value): try await transform(value)
        }
    }
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension EntitlementTaskState where Value == VerificationResult<Transaction>? {
    /// The transaction that entitles the customer, if the task has ended and there is one.
    public var transaction: VerificationResult<Transaction>? { value ?? nil }
}

@available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension EntitlementTaskState: Sendable where Value: Sendable {}
