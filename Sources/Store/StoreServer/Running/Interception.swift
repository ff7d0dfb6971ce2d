import Foundation
import StoreAPI
import StoreHTTP
import StoreSecurity

/// The way in for clients of Apple's servers that can't be told of another: a proxy that leads
/// nowhere but here.
///
/// Clients ask it for a tunnel to a host. Each of them gets one, and at its end, whatever the host,
/// is this store, which shows a certificate for the names that it answers for, below a root that is
/// good for nothing else.
package final class Interception: Sendable {
    /// Where the store gives its root to commands on other machines.
    package static let rootPath = "/.well-known/openstore/intercept.pem"

    /// More clients than that at a time are told to come again.
    private static let tunnelLimit = 512
    private static let connectionLimit = 256
    /// Nobody needs longer to ask for a tunnel.
    private static let idleSeconds = 20
    /// So often a renewed certificate is looked for.
    private static let look: Duration = .seconds(3600)

    private let store: Store
    private let identity: ShownIdentity
    private let end: TunnelServer
    private let proxy: HTTPServer
    private let host: String

    /// - Parameters:
    ///   - address: the store's, which clients may name, and which the certificate is for.
    ///   - own: all addresses of the store itself.
    init(
        store: Store, answers: StoreAnswers, host: String, port: UInt16, address: String,
        own: [String]
    ) throws {
        self.store = store
        self.host = host
        let identity = try ShownIdentity(of: store, addresses: [address])
        self.identity = identity
        let end = try TunnelServer(
            certificate: { try identity.certificate() },
            start: { certificate in
                var configuration = HTTPServer.Configuration(
                    connectionLimit: Self.tunnelLimit, certificate: certificate)
                configuration.listens = false
                return try answers.server(configuration, routing: HostRouting(.tunnel, own: own))
            })
        self.end = end
        do {
            proxy = try answers.server(
                HTTPServer.Configuration(
                    host: host, port: port, threads: 1, connectionLimit: Self.connectionLimit,
                    idleSeconds: Self.idleSeconds),
                routing: HostRouting(.proxy, own: own), tunnel: Tunnel { end.server })
        } catch {
            end.stop()
            throw error
        }
    }

    /// Host and port that clients on this machine reach the proxy at.
    package var address: String { ReachableAddress.text(host: host, port: proxy.port) }

    /// The file with the root that clients are to trust.
    package var rootFile: URL { identity.rootFile }

    /// The root that clients are to trust.
    package var root: Certificate { identity.root }

    /// Shows renewed certificates to clients, until its task is cancelled.
    package func run(
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) async {
        while true {
            do { try await sleep(Self.look) } catch { return }
            do {
                if try end.renew() { store.log.write(.info, .certificateShown) }
            } catch {
                store.log.write(
                    .error, .certificateNotShown,
                    ["reason": String(describing: error)])
            }
        }
    }

    func stop() {
        proxy.stop()
        end.stop()
    }
}
