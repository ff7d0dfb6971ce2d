import StoreModel
import StoreWire

/// An addition of OpenStoreKit: why a customer wants their money back.
public struct OpenStoreRefundReason: RawRepresentable, Hashable, Sendable {
    /// The name that App Store Server Notifications have for it.
    public let rawValue: String

    /// A reason by its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// They did not mean to buy it.
    public static let unintended = Self(rawValue: "UNINTENDED_PURCHASE")
    /// They did not get it, or it does not work.
    public static let fulfillment = Self(rawValue: "FULFILLMENT_ISSUE")
    /// It is not what they expected.
    public static let unsatisfied = Self(rawValue: "UNSATISFIED_WITH_PURCHASE")
    /// The law gives them the right to it.
    public static let legal = Self(rawValue: "LEGAL")
    /// Another reason.
    public static let other = Self(rawValue: "OTHER")
}

@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
extension Transaction {
    /// An addition of OpenStoreKit: asks the store to give the customer their money back.
    ///
    /// It replaces `beginRefundRequest(in:)`, which needs UIKit and asks the customer for the
    /// reason: here the app asks, and calls this with the answer. The store decides later;
    /// a refund arrives in ``updates`` as a revocation.
    ///
    /// - Parameters:
    ///   - reason: what the customer chose.
    ///   - comment: what they wrote, 4,000 characters at most.
    /// - Returns: `success` if the store has taken the request; `userCancelled` if the customer was
    ///   to sign in and did not.
    /// - Throws: ``RefundRequestError``.
    @discardableResult
    public func openStoreBeginRefundRequest(
        reason: OpenStoreRefundReason, comment: String = ""
    ) async throws -> RefundRequestStatus {
        try await Self.openStoreBeginRefundRequest(
            for: standsFor ?? id, reason: reason, comment: comment)
    }

    /// An addition of OpenStoreKit: the same by the number of the transaction.
    @discardableResult
    public static func openStoreBeginRefundRequest(
        for transactionID: UInt64, reason: OpenStoreRefundReason, comment: String = ""
    ) async throws -> RefundRequestStatus {
        try await PaymentEngine.current.requestRefund(
            of: transactionID,
            DeviceRefundRequest(
                reason: reason.rawValue, comment: comment.isEmpty ? nil : comment))
    }
}

extension PaymentEngine {
    func requestRefund(
        of id: UInt64, _ request: DeviceRefundRequest
    ) async throws -> Transaction.RefundRequestStatus {
        guard let opened = await useFeed(), let id = TransactionID(id.description) else {
            throw Transaction.RefundRequestError.failed
        }
        try opened.device.simulatedErrors.check(.refundRequest)
        do {
            try await opened.device.withSession { session in
                try await opened.device.client.requestRefund(of: id, request, session: session)
            }
            return .success
        } catch let error as SKError where error.code == .paymentCancelled {
            return .userCancelled
        } catch {
            opened.device.log(
                "No refund was requested: \(visibleError(error).localizedDescription)")
            switch (error as? WireError)?.code {
            case .refundRequested: throw Transaction.RefundRequestError.duplicateRequest
            case .refundNotPossible: throw Transaction.RefundRequestError.ineligible
            default: throw Transaction.RefundRequestError.failed
            }
        }
    }
}
