import StoreModel

/// Which subscriptions of a group a list shows, and in which order.
package struct SubscriptionFilter: Sendable, Hashable {
    package enum Order: Sendable, Hashable {
        case name
        case nameDescending
    }

    package var productIDs: [String]?
    /// Reference names.
    package var names: [String]?
    package var states: [ProductState]?
    /// Nil: as they were made.
    package var order: Order?

    package init(
        productIDs: [String]? = nil, names: [String]? = nil, states: [ProductState]? = nil,
        order: Order? = nil
    ) {
        self.productIDs = productIDs
        self.names = names
        self.states = states
        self.order = order
    }
}
