/// What a test asks of its store, and can't have.
package struct TestRefusal: Error, Sendable, CustomStringConvertible {
    /// By the names of StoreKitTest's errors.
    package enum Kind: String, Sendable {
        case invalidProductIdentifier
        case invalidProductType
        case noSubscriptionFound
        case noTransactionFound
        case invalidAction
    }

    package let kind: Kind
    /// What is wrong, a sentence.
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        (self.kind, self.description) = (kind, description)
    }
}
