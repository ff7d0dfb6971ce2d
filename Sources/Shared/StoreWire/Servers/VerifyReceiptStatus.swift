/// The numbers that `/verifyReceipt` answers with.
package struct VerifyReceiptStatus: Sendable, Hashable, RawRepresentable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The receipt is valid; also where a subscription in it has expired.
    package static let valid = VerifyReceiptStatus(rawValue: 0)
    /// No `POST`, or a body that is no JSON object.
    package static let unreadable = VerifyReceiptStatus(rawValue: 21000)
    /// `receipt-data` is missing, or no receipt.
    package static let malformed = VerifyReceiptStatus(rawValue: 21002)
    /// The receipt was not signed by this store.
    package static let notAuthenticated = VerifyReceiptStatus(rawValue: 21003)
    /// The shared secret is wrong, or missing where it takes one.
    package static let wrongSecret = VerifyReceiptStatus(rawValue: 21004)
    /// The store is busy, or stopping.
    package static let unavailable = VerifyReceiptStatus(rawValue: 21005)
    /// The receipt of a transaction is valid, and its subscription has expired.
    package static let subscriptionExpired = VerifyReceiptStatus(rawValue: 21006)
    /// A receipt of the sandbox was sent to production.
    package static let sandboxReceipt = VerifyReceiptStatus(rawValue: 21007)
    /// A receipt of production was sent to the sandbox.
    package static let productionReceipt = VerifyReceiptStatus(rawValue: 21008)
    /// The store's own data do not fit to a receipt that it has signed.
    package static let internalError = VerifyReceiptStatus(rawValue: 21009)
    /// The account is not there, or not any more.
    package static let accountNotFound = VerifyReceiptStatus(rawValue: 21010)
    /// The store can't read its data now.
    package static let dataAccess = VerifyReceiptStatus(rawValue: 21100)

    /// Whether the same request may have another answer later; nil where the number does not
    /// come with it.
    package var isRetryable: Bool? {
        (21100...21199).contains(rawValue) ? self == .dataAccess : nil
    }
}
