import Foundation
import StoreAPI
import StoreHTTP
import StoreSecurity

/// The way in for clients of Apple's servers that can't be told of another: a proxy that leads
/// nowhere but here.
///
/// Clients ask it for a tunnel to a host. Each of them gets one, and at its end, whatever the host,
/// is this store, which shows a certificate for the names that it answers for.
package final class Interception: Sendable {
    /// More clients than that at a time are told to come again.
    private static let tunnelLimit = 512
    private static let entranceLimit = 256
    /// Nobody needs longer to ask for a tunnel.
    private static let entranceSeconds = 20
    /// So often a renewed certificate is looked for.
    private static let look: Duration = .seconds(3600)

    private let store: Store
    private let end: TunnelEnd
    private let proxy: HTTPServer
    private let host: String

    /// - Parameter own: addresses of the store itself.
    init(store: Store, answers: StoreAnswers, host: String, port: UInt16, own: [String]) throws {
        self.store = store
        self.host = host
        let names = own.compactMap { URL(string: $0)?.host }.filter { ServerName($0) != nil }
        let end = try TunnelEnd(
            certificate: {
                let identity = try store.keys.tlsIdentity(names: names, at: store.clock.now())
                return ServerCertificate(chain: identity.chain, key: identity.key)
            },
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
                    host: host, port: port, threads: 1, connectionLimit: Self.entranceLimit,
                    idleSeconds: Self.entranceSeconds),
                routing: HostRouting(.proxy, own: own), tunnel: Tunnel { end.server })
        } catch {
            end.stop()
            throw error
        }
    }

    /// Host and port that clients on this machine reach the proxy at.
    package var address: String { ReachableAddress.text(host: host, port: proxy.port) }

    /// Shows renewed certificates to clients, until its task is cancelled.
    package func run(
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        }
    ) async {
        while true {
            do { try await sleep(Self.look) } catch { return }
            do {
                if try end.renew() { store.log.write(.info, "shows a new certificate") }
            } catch {
                store.log.write(
                    .error, "showing a new certificate failed",
                    ["reason": String(describing: error)])
            }
        }
    }

    func stop() {
        proxy.stop()
        end.stop()
    }
}
