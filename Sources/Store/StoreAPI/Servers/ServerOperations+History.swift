import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

extension ServerOperations {
    func history(_ request: HTTPRequest, _ caller: ServerCaller) async throws -> HTTPResponse {
        let id = try Self.anyID(in: request)
        let parameters = ServerQuery(request)
        let query = try HistoryQuery(parameters)
        let subject = try await services.history.subject(of: id, in: caller.scope)
        let binding = RevisionSeal.Binding(history: subject, query)
        let page = try await services.history.history(
            of: subject, query, after: try revision(parameters, binding))
        return try .server(
            HistoryResponse(
                revision: revisions.seal(page.revision, binding), hasMore: page.hasMore,
                bundleId: caller.app.bundleID.text, appAppleId: Self.appleID(caller),
                environment: signer.names.name(of: caller.environment),
                signedTransactions: try page.records.map { try signer.sign($0) }))
    }

    func refunds(_ request: HTTPRequest, _ caller: ServerCaller) async throws -> HTTPResponse {
        let id = try Self.anyID(in: request)
        let subject = try await services.history.subject(of: id, in: caller.scope)
        let binding = RevisionSeal.Binding(refunds: subject)
        let page = try await services.history.refunds(
            of: subject, after: try revision(ServerQuery(request), binding))
        return try .server(
            RefundHistoryResponse(
                signedTransactions: try page.records.map { try signer.sign($0) },
                revision: revisions.seal(page.revision, binding), hasMore: page.hasMore))
    }

    func order(_ request: HTTPRequest, _ caller: ServerCaller) async throws -> HTTPResponse {
        let id = OrderID(request.parameters[0])
        guard let id, let record = try await services.history.order(id, in: caller.scope) else {
            return try .server(OrderLookupResponse(status: 1, signedTransactions: []))
        }
        return try .server(
            OrderLookupResponse(status: 0, signedTransactions: [try signer.sign(record)]))
    }

    /// Where a page begins. An empty revision is as good as none: clients write both.
    private func revision(
        _ query: ServerQuery, _ binding: RevisionSeal.Binding
    ) throws -> HistoryRevision? {
        guard let text = try query.one("revision", .invalidRevision), !text.isEmpty else {
            return nil
        }
        return try revisions.open(text, binding)
    }
}
