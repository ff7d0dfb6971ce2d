/// What a notification says, as people read it: JSON, a line for each name.
package struct NotificationText: Sendable, Hashable {
    package let payload: String
    /// Of the transaction that it carries; nil where it carries none.
    package let transaction: String?
    /// Of the renewal information that it carries; nil where it carries none.
    package let renewal: String?

    package init(payload: String, transaction: String?, renewal: String?) {
        self.payload = payload
        self.transaction = transaction
        self.renewal = renewal
    }
}
