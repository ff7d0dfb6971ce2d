import Foundation
import StoreAPI
import StoreHTTP
import Synchronization

/// A store that listens.
package final class StoreServer: Sendable {
    /// Browsers that came over TLS once come over nothing else, for a year (RFC 6797).
    private static let strictTransport: HTTPHeaders = [
        "Strict-Transport-Security": "max-age=31536000"
    ]
    /// So often the files for TLS are looked at.
    private static let look: Duration = .seconds(10)

    package let store: Store
    private let answers: StoreAnswers
    private let endpoint: ServerEndpoint
    private let failures = FailureLogThrottle()
    private let interception: InterceptionHolder
    private let host: String

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - host: a numeric address.
    ///   - port: 0 asks for a free one.
    ///   - logsRequests: whether each answered request is written to the log.
    ///   - settings: how those are treated who connect to it.
    /// - Throws: `HTTPServerError` for an address that can't be bound, `TLSFilesError`.
    package init(
        store: Store, host: String = "127.0.0.1", port: UInt16 = 0,
        socket: ListeningSocket? = nil, logsRequests: Bool = true,
        settings: ServingSettings = ServingSettings()
    ) throws {
        let host = socket?.host ?? host
        self.store = store
        self.host = host
        let interception = InterceptionHolder()
        self.interception = interception
        // Weakly: an interception has the answers.
        let answers = try StoreAnswers(
            store: store, settings: settings, logsRequests: logsRequests,
            interceptionRoot: { [weak interception] in interception?.root })
        self.answers = answers
        let threads = max(2, ProcessInfo.processInfo.activeProcessorCount)
        let endpoint = try ServerEndpoint(
            host: host, port: port, socket: socket, files: settings.tls
        ) {
            certificate, socket in
            var configuration = HTTPServer.Configuration(
                host: host, port: port, threads: threads, certificate: certificate)
            configuration.socket = socket
            configuration.connectionsPerClient = settings.connectionsPerClient
            if certificate != nil { configuration.commonHeaders = Self.strictTransport }
            return try answers.server(configuration, routing: HostRouting(.direct))
        }
        self.endpoint = endpoint
        answers.metrics.watch(
            connections: { [weak endpoint] in endpoint?.connections },
            certificateEnd: { [weak endpoint] in endpoint?.certificateEnd })
    }

    package var port: UInt16 { endpoint.port }

    /// Scheme, host and port that clients on this machine reach the store at.
    package var address: String {
        "\(endpoint.isTLS ? "https" : "http")://"
            + ReachableAddress.text(host: host, port: endpoint.port)
    }

    /// Takes clients of Apple's servers in, who are sent here as to a proxy.
    ///
    /// - Parameters:
    ///   - host: a numeric address.
    ///   - port: 0 asks for a free one.
    ///   - publicAddress: scheme, host and port that customers reach the store at.
    /// - Throws: `HTTPServerError` for an address that can't be bound; `StoreKeysError` or
    ///   `CocoaError` for a folder that can't be written.
    package func intercept(
        host: String, port: UInt16, publicAddress: String? = nil
    ) throws -> Interception {
        let new = try Interception(
            store: store, answers: answers, host: host, port: port,
            address: publicAddress ?? address,
            own: [address] + [publicAddress].compactMap { $0 })
        interception.replace(with: new)?.stop()
        return new
    }

    /// Shows clients what stands in the files for TLS now. Where they can't be used, the log says
    /// why, and what was shown before is shown on.
    ///
    /// - Parameter isAsked: whether somebody waits for an answer, and hears of the same once more.
    package func renewCertificate(isAsked: Bool = true) {
        let what = "showing a new certificate"
        do {
            let end = try endpoint.renew()
            if failures.end(of: what) { store.log.write(.info, .certificateReadable) }
            guard let end else { return }
            store.log.write(
                .info, .certificateShown, ["until": end.formatted(.iso8601)])
        } catch {
            let reason = String(describing: error)
            let isNews = failures.isWorthTelling(what, reason, at: store.clock.now())
            guard isNews || isAsked else { return }
            store.log.write(.error, .certificateNotShown, ["reason": reason])
        }
    }

    /// Looks now and then whether the files for TLS were replaced, until its task is cancelled.
    package func watchCertificate(
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) async {
        while true {
            do { try await sleep(Self.look) } catch { return }
            if endpoint.isOutdated { renewCertificate(isAsked: false) }
        }
    }

    /// Says to those who ask that the store is about to stop.
    package func announceStop() { answers.readiness.stop() }

    /// Graceful shutdown: lets running requests come to their end, and closes.
    package func stop() {
        announceStop()
        store.services.events.stop()
        store.services.promptWaiters.end()
        interception.replace(with: nil)?.stop()
        endpoint.stop()
        store.close()
    }
}
