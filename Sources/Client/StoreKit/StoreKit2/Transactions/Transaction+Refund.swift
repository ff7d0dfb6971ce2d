extension Transaction {
    /// What became of a request for a refund.
    public enum RefundRequestStatus: Hashable, Sendable {
        /// The store has the request.
        case success
        /// The customer cancelled.
        case userCancelled
    }

    /// Why the store refuses a request for a refund.
    public enum RefundRequestError: Error, Hashable, Sendable {
        /// There is a request for this transaction already.
        case duplicateRequest
        /// The request could not be made.
        case failed
        /// This transaction can't be refunded.
        @available(iOS 27.0, macOS 27.0, tvOS 27.0, watchOS 27.0, visionOS 27.0, *)
        case ineligible
    }
}

@available(iOS 15.4, macOS 12.3, tvOS 15.4, watchOS 8.5, visionOS 1.0, *)
extension Transaction.RefundRequestError: LocalizedError {
    /// What went wrong.
    public var errorDescription: String? {
        switch self {
        case .duplicateRequest: "You have already requested a refund for this purchase."
        case .failed: "Your refund request could not be submitted."
        case .ineligible: "This purchase is not eligible for a refund."
        }
    }

    /// Why it went wrong.
    public var failureReason: String? {
        switch self {
        case .duplicateRequest: "A refund request for this purchase already exists."
        case .failed: "The store could not accept the request."
        case .ineligible: "The store pays nothing back for this purchase."
        }
    }

    /// What to do about it.
    public var recoverySuggestion: String? {
        switch self {
        case .duplicateRequest: "Wait for the store's answer to your first request."
        case .failed: "Try again later."
        case .ineligible: nil
        }
    }
}
