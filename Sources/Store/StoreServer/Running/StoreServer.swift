import Foundation
import StoreAPI
import StoreHTTP
import Synchronization

/// A store that listens.
package final class StoreServer: Sendable {
    package let store: Store
    private let answers: StoreAnswers
    private let http: HTTPServer
    private let interception = Mutex<Interception?>(nil)
    private let host: String

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - host: a numeric address.
    ///   - port: 0 asks for a free one.
    ///   - logsRequests: whether each answered request is written to the log.
    /// - Throws: `HTTPServerError` for an address that can't be bound.
    package init(
        store: Store, host: String = "127.0.0.1", port: UInt16 = 0, logsRequests: Bool = true
    ) throws {
        self.store = store
        self.host = host
        var configuration = HTTPServer.Configuration(host: host, port: port)
        configuration.threads = max(2, ProcessInfo.processInfo.activeProcessorCount)
        answers = try StoreAnswers(store: store, logsRequests: logsRequests)
        http = try answers.server(configuration, routing: HostRouting(.direct))
    }

    package var port: UInt16 { http.port }

    /// Scheme, host and port that clients on this machine reach the store at.
    package var address: String {
        "http://" + ReachableAddress.text(host: host, port: http.port)
    }

    /// Takes clients of Apple's servers in, who are sent here as to a proxy.
    ///
    /// - Parameters:
    ///   - host: a numeric address.
    ///   - port: 0 asks for a free one.
    ///   - publicAddress: scheme, host and port that customers reach the store at.
    /// - Throws: `HTTPServerError` for an address that can't be bound, `StoreKeysError`.
    package func intercept(
        host: String, port: UInt16, publicAddress: String? = nil
    ) throws -> Interception {
        let new = try Interception(
            store: store, answers: answers, host: host, port: port,
            own: [address] + [publicAddress].compactMap { $0 })
        interception.withLock { $0 }?.stop()
        interception.withLock { $0 = new }
        return new
    }

    /// Lets running requests come to their end, and closes.
    package func stop() {
        store.services.events.stop()
        store.services.promptWaiters.end()
        interception.withLock { $0.take() }?.stop()
        http.stop()
        store.close()
    }
}
