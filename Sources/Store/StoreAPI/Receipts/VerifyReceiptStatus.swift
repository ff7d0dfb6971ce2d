/// The numbers that `/verifyReceipt` answers with.
struct VerifyReceiptStatus: Sendable, Hashable, RawRepresentable {
    let rawValue: Int

    init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The receipt is valid; also where a subscription in it has expired.
    static let valid = VerifyReceiptStatus(rawValue: 0)
    /// No `POST`, or a body that is no JSON object.
    static let unreadable = VerifyReceiptStatus(rawValue: 21000)
    /// `receipt-data` is missing, or no receipt.
    static let malformed = VerifyReceiptStatus(rawValue: 21002)
    /// The receipt was not signed by this store.
    static let notAuthenticated = VerifyReceiptStatus(rawValue: 21003)
    /// The shared secret is wrong, or missing where it takes one.
    static let wrongSecret = VerifyReceiptStatus(rawValue: 21004)
    /// The store is busy, or stopping.
    static let unavailable = VerifyReceiptStatus(rawValue: 21005)
    /// The receipt of a transaction is valid, and its subscription has expired.
    static let subscriptionExpired = VerifyReceiptStatus(rawValue: 21006)
    /// A receipt of the sandbox was sent to production.
    static let sandboxReceipt = VerifyReceiptStatus(rawValue: 21007)
    /// A receipt of production was sent to the sandbox.
    static let productionReceipt = VerifyReceiptStatus(rawValue: 21008)
    /// The store's own data do not fit to a receipt that it has signed.
    static let internalError = VerifyReceiptStatus(rawValue: 21009)
    /// The account is not there, or not any more.
    static let accountNotFound = VerifyReceiptStatus(rawValue: 21010)
    /// The store can't read its data now.
    static let dataAccess = VerifyReceiptStatus(rawValue: 21100)

    /// Whether a client may send the same request again later. Only answers with a number from 21100 to
    /// 21199 say so; nil for the others.
    var isRetryable: Bool? {
        (21100...21199).contains(rawValue) ? self == .dataAccess : nil
    }
}
