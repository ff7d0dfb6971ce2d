import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

/// Does what the routes of the App Store Server API are for.
final class ServerOperations: Sendable {
    let services: APIServices
    let signer: TransactionSigner
    let revisions: RevisionSeal

    init(services: APIServices) {
        self.services = services
        signer = services.transactionSigner
        revisions = RevisionSeal(seals: services.seals)
    }

    /// Answers a request, at the time of whose transaction it names.
    func perform(
        _ operation: ServerOperation, _ request: HTTPRequest, by caller: ServerCaller
    ) async throws -> HTTPResponse {
        guard caller.environment == .sandbox, let customer = Self.customer(in: request) else {
            return try await answer(operation, request, caller)
        }
        return try await services.database.atTime(of: customer) {
            try await answer(operation, request, caller)
        }
    }

    private static func customer(in request: HTTPRequest) -> TimedCustomer? {
        guard let text = request.parameters.first else { return nil }
        return switch AnyTransactionID(text) {
        case .transaction(let id): .buyer(of: id)
        case .app(let id): .holder(of: id)
        case nil: OrderID(text).map { .buyer(of: $0.transaction) }
        }
    }

    private func answer(
        _ operation: ServerOperation, _ request: HTTPRequest, _ caller: ServerCaller
    ) async throws -> HTTPResponse {
        switch operation {
        case .transaction:
            let id = try Self.transactionID(in: request)
            return try answer(try await services.history.transaction(id, in: caller.scope))
        case .appTransaction: return try await appTransaction(request, caller)
        case .history: return try await history(request, caller)
        case .refunds: return try await refunds(request, caller)
        case .order: return try await order(request, caller)
        case .statuses: return try await statuses(request, caller)
        case .extend: return try await extend(request, caller)
        case .extendMany: return try await extendMany(request, caller)
        case .massExtension: return try await massExtension(request, caller)
        case .informFirst: return try await inform(request, caller, isFirst: true)
        case .inform: return try await inform(request, caller, isFirst: false)
        case .setAccountToken: return try await setAccountToken(request, caller)
        case .finish: return try await finish(request, caller)
        case .sendTest: return try await sendTest(caller)
        case .checkTest: return try await checkTest(request, caller)
        case .notificationHistory: return try await notificationHistory(request, caller)
        default: return try await performMessaging(operation, request, by: caller)
        }
    }

    // MARK: One transaction

    /// The transaction that a request is for, inside a transaction of the database.
    func transaction(
        _ request: HTTPRequest, _ caller: ServerCaller, _ repositories: StoreRepositories
    ) throws -> TransactionRecord {
        try TransactionSearch(caller.scope, repositories).record(Self.transactionID(in: request))
    }

    func answer(_ record: TransactionRecord) throws -> HTTPResponse {
        try .server(TransactionInfoResponse(signedTransactionInfo: try signer.sign(record)))
    }

    // MARK: Numbers in addresses

    static func anyID(in request: HTTPRequest) throws -> AnyTransactionID {
        guard let id = AnyTransactionID(request.parameters[0]) else {
            throw ServerAPIError(.invalidTransactionID)
        }
        return id
    }

    /// The number of a transaction, where an app transaction's is of no use.
    ///
    /// - Parameter error: for what is no number.
    static func transactionID(
        in request: HTTPRequest, _ error: ServerErrorCode = .invalidTransactionID
    ) throws -> TransactionID {
        switch AnyTransactionID(request.parameters[0]) {
        case .transaction(let id): return id
        case .app: throw ServerAPIError(.appTransactionIDNotSupported)
        case nil: throw ServerAPIError(error)
        }
    }

    /// The app's number as answers have it: not in the sandbox.
    static func appleID(_ caller: ServerCaller) -> Int64? {
        caller.environment == .sandbox ? nil : caller.app.id.number
    }
}
