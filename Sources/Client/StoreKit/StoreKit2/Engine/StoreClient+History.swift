import StoreModel
import StoreWire

/// What the store has of the signed-in account in this app.
extension StoreClient {
    /// A page of transactions that have changed.
    func history(
        after revision: String?, session: SessionAnswer
    ) async throws -> DeviceHistoryAnswer {
        try await post(
            DeviceRoute.history, DeviceHistoryRequest(revision: revision), session: session)
    }

    func subscriptions(session: SessionAnswer) async throws -> DeviceSubscriptionsAnswer {
        try await get(DeviceRoute.subscriptions, session: session)
    }

    func appTransaction(session: SessionAnswer) async throws -> AppTransactionAnswer {
        try await get(DeviceRoute.appTransaction, session: session)
    }

    func requestRefund(
        of transaction: TransactionID, _ wanted: DeviceRefundRequest, session: SessionAnswer
    ) async throws {
        _ = try await answer(
            to: request(
                "POST", DeviceRoute.refundRequests(transaction.description), wanted,
                session: session))
    }
}
