import Foundation
import StoreAPI
import StoreHTTP

/// Every route for those who operate the store, with who may call it.
package enum OperatorRouteTable {
    package enum Access: String, Sendable, Hashable, CaseIterable {
        /// Anyone who can reach the store.
        case anyone
        /// This machine, proxies themselves, and whoever the settings name; others find nothing.
        case operators
    }

    package enum Operation: String, Sendable, Hashable, CaseIterable {
        case live
        case ready
        case metrics
    }

    package struct Row: Sendable, Hashable {
        package let method: HTTPMethod
        package let pattern: String
        package let access: Access
        package let operation: Operation
    }

    package static let rows: [Row] = [
        Row(method: .get, pattern: "/livez", access: .anyone, operation: .live),
        Row(method: .get, pattern: "/readyz", access: .anyone, operation: .ready),
        Row(method: .get, pattern: "/metrics", access: .operators, operation: .metrics),
    ]
}

/// Tells programs that watch the store how it is.
struct OperatorRoutes: Sendable {
    private let readiness: Readiness
    private let readers: AddressSet
    private let metrics: @Sendable () async -> String

    /// - Parameters:
    ///   - readers: who may read metrics, beside this machine and proxies.
    ///   - metrics: makes the text with the metrics.
    init(
        readiness: Readiness, readers: AddressSet, metrics: @escaping @Sendable () async -> String
    ) {
        self.readiness = readiness
        self.readers = readers
        self.metrics = metrics
    }

    func routes() -> [Router.Route] {
        OperatorRouteTable.rows.map { row in
            Router.Route(row.method, row.pattern) { request in
                guard row.access == .anyone || isOperator(request) else {
                    return .now(StoreRoutes.unknown(request.path))
                }
                return respond(row.operation)
            }
        }
    }

    private func respond(_ operation: OperatorRouteTable.Operation) -> HTTPOutcome {
        switch operation {
        case .live: .now(Self.json(#"{"status":"ok"}"#))
        case .ready: .later { Self.answer(await readiness.report()) }
        case .metrics:
            .later {
                HTTPResponse(
                    status: 200,
                    headers: [
                        "Content-Type": MetricsText.mediaType, "Cache-Control": "no-store",
                    ], body: Data(await metrics().utf8))
            }
        }
    }

    /// A request that a proxy hands on comes from whoever the proxy names.
    private func isOperator(_ request: HTTPRequest) -> Bool {
        guard let client = request.client else { return false }
        if readers.contains(client) { return true }
        guard let peer = request.peer, !request.isForwarded else { return false }
        return AddressSet.loopback.contains(peer) || request.isFromProxy
    }

    private static func answer(_ report: [Readiness.Check: Bool]) -> HTTPResponse {
        let isReady = Readiness.Check.allCases.allSatisfy { report[$0] ?? false }
        // In the order of the checks, which JSONEncoder would not keep.
        let checks = Readiness.Check.allCases.map { check in
            "\"\(check.rawValue)\":\"\(report[check] ?? false ? "ok" : "failed")\""
        }
        return json(
            "{\"status\":\"\(isReady ? "ok" : "unavailable")\",\"checks\":{"
                + checks.joined(separator: ",") + "}}", status: isReady ? 200 : 503)
    }

    private static func json(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: Data(text.utf8))
    }
}
