import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

extension ServerOperations {
    func setAccountToken(
        _ request: HTTPRequest, _ caller: ServerCaller
    ) async throws -> HTTPResponse {
        let id = try Self.transactionID(in: request, .invalidOriginalTransactionID)
        let text = try ServerBody(request).text("appAccountToken", .appAccountTokenNotUUID)
        guard let token = UUID(uuidString: text) else {
            throw ServerAPIError(.appAccountTokenNotUUID)
        }
        try await Self.original {
            try await services.transactionChanges.setAccountToken(token, of: id, in: caller.scope)
        }
        return .serverDone()
    }

    func finish(_ request: HTTPRequest, _ caller: ServerCaller) async throws -> HTTPResponse {
        let id = try Self.transactionID(in: request)
        try await services.transactionChanges.finish(id, in: caller.scope)
        return .serverDone()
    }

    /// - Parameter isFirst: whether the request has the form of the first version, which is for
    ///   consumables and subscriptions.
    func inform(
        _ request: HTTPRequest, _ caller: ServerCaller, isFirst: Bool
    ) async throws -> HTTPResponse {
        let id = try Self.transactionID(in: request)
        let body = try ServerBody(request)
        let information =
            isFirst ? try ConsumptionInformation(first: body) : try ConsumptionInformation(body)
        let record = try await services.history.transaction(id, in: caller.scope)
        if record.shared != nil { throw TransactionRefusal.shared }
        if isFirst {
            switch record.entry.details.productType {
            case .consumable, .autoRenewableSubscription: break
            case .nonConsumable, .nonRenewingSubscription:
                throw ServerAPIError(.transactionTypeNotSupported)
            }
        }
        guard
            try await services.refunds.inform(
                information, about: id, in: caller.app.id, caller.environment)
        else { throw TransactionRefusal.notFound }
        return .serverDone(status: 202)
    }

    /// Where an address names a first purchase, there is an error of its own for what there is not.
    static func original<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch TransactionRefusal.notFound {
            throw ServerAPIError(.originalTransactionIDNotFound)
        }
    }
}
