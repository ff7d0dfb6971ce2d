import Foundation
import StoreCore
import StoreTransport

/// The way to publishers' servers. A request goes to the address that was looked at, or nowhere.
package final class WebhookClient: PublisherConnection {
    /// More of an answer is not looked at.
    private static let answerLimit = 64 << 10

    private let targets: NotificationTargets
    private let timeout: Duration
    private let client: HTTPClient

    /// Why an address that a name leads to was left alone.
    private struct RefusedAddress: Error {
        let reason: String
    }

    /// - Parameters:
    ///   - authorities: a file with the certificates that are trusted, PEM; `nil` for those of the
    ///     system.
    ///   - timeout: until an answer has come to its end.
    package init(
        targets: NotificationTargets, authorities: URL? = nil,
        timeout: Duration = DeliveryRules.timeout
    ) {
        self.targets = targets
        self.timeout = timeout
        var configuration = HTTPClient.Configuration()
        configuration.allowsPlainHTTP = targets != .internet
        // They would connect to addresses that nobody here has looked at.
        configuration.usesProxies = false
        configuration.authorities = authorities?.path
        configuration.permit = { try Self.check($0, targets) }
        configuration.threadName = "notifications"
        client = HTTPClient(configuration)
    }

    package func post(_ body: Data, to url: String) async -> SendOutcome? {
        await ask(body, of: url, within: timeout)?.outcome
    }

    package func ask(_ body: Data, of url: String, within timeout: Duration) async -> SendAnswer? {
        if let (problem, _) = targets.problem(with: url) {
            return SendAnswer(SendOutcome(.other, detail: "The address \(problem)."))
        }
        do {
            let response = try await client.send(Self.request(body, url, timeout))
            return SendAnswer(Self.outcome(of: response), body: response.body)
        } catch let refused as RefusedAddress {
            return SendAnswer(SendOutcome(.other, detail: refused.reason))
        } catch let error as TransportError {
            if error.code == .cancelled { return nil }
            if error.code == .bodyTooLong, let response = error.response {
                return SendAnswer(Self.outcome(of: response))
            }
            return SendAnswer(
                SendOutcome(
                    Self.result(of: error), status: error.response?.status,
                    detail: error.description + "."))
        } catch {
            return SendAnswer(SendOutcome(.other, detail: "\(error)."))
        }
    }

    private static func request(
        _ body: Data, _ url: String, _ timeout: Duration
    ) -> TransportRequest {
        var request = TransportRequest(
            "POST", url,
            headers: [
                ("User-Agent", "OpenStore-Notifications/2.0"), ("Content-Type", "application/json"),
                ("Accept", "*/*"),
            ], body: .data(body))
        request.limits.connectTimeout = timeout
        request.limits.idleTimeout = timeout
        request.limits.deadline = timeout
        request.limits.bodySize = answerLimit
        return request
    }

    private static func check(_ address: PeerAddress, _ targets: NotificationTargets) throws {
        guard let found = NetworkAddress(bytes: address.bytes) else {
            throw RefusedAddress(reason: "The address leads to no host of the Internet Protocol.")
        }
        guard targets.permits(found.kind) else {
            throw RefusedAddress(reason: "The address leads to \(found.kind.phrase).")
        }
        guard targets.permits(port: address.port) else {
            throw RefusedAddress(
                reason:
                    "The address has port \(address.port), to which no notifications are sent.")
        }
    }

    // MARK: What came of it

    private static func outcome(of response: TransportResponse) -> SendOutcome {
        let status = response.status
        if DeliveryRules.isSuccess(status: status) { return SendOutcome(.success, status: status) }
        if (300...399).contains(status), let location = response["Location"],
            let from = URL(string: response.url),
            let target = URL(string: location, relativeTo: from)
        {
            let isCircle = target.absoluteURL == from.absoluteURL
            return SendOutcome(
                isCircle ? .circularRedirect : .unsuccessfulStatus, status: status,
                detail: isCircle
                    ? "The answer points back at the same address."
                    : "The answer points elsewhere; notifications don't follow.")
        }
        return SendOutcome(.unsuccessfulStatus, status: status)
    }

    private static func result(of error: TransportError) -> SendResult {
        switch error.code {
        case .timedOut: .timedOut
        case .secureConnection, .certificate: .tlsIssue
        case .noResponse: .noResponse
        case .truncated: .prematureClose
        case .unreachable, .connectionLost: .socketIssue
        case .invalidResponse, .protocolViolation, .scheme, .headerTooLong: .invalidResponse
        default: .other
        }
    }
}
