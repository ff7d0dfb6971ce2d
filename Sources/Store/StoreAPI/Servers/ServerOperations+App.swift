import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

extension ServerOperations {
    /// That a customer has the app.
    func appTransaction(
        _ request: HTTPRequest, _ caller: ServerCaller
    ) async throws -> HTTPResponse {
        let id = try Self.anyID(in: request)
        let facts = try await appTransaction(id, caller)
        return try .server(
            AppTransactionInfoResponse(signedAppTransactionInfo: try signer.sign(facts)))
    }

    private func appTransaction(
        _ id: AnyTransactionID, _ caller: ServerCaller
    ) async throws -> AppTransactionFacts {
        do {
            return try await services.history.appTransaction(of: id, caller.app, caller.environment)
        } catch TransactionRefusal.notFound {
            guard case .app = id else { throw TransactionRefusal.notFound }
            throw ServerAPIError(.appTransactionNotFound)
        }
    }
}
