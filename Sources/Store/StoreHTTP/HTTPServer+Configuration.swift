import Foundation

extension HTTPServer {
    package struct Configuration: Sendable {
        package var host: String
        /// 0 asks the system for a free port.
        package var port: UInt16
        package var threads: Int
        package var connectionLimit: Int
        /// A connection without traffic is closed after so many seconds.
        package var idleSeconds: Int
        /// The largest request body, in bytes.
        package var bodyLimit: Int
        /// Requests with larger bodies; nil for none.
        package var spooling: BodySpooling?
        /// Whether clients can connect to it; else it has those only that `adopt` gives it, on one
        /// thread.
        package var listens = true
        /// Clients speak TLS, version 1.2 or later; nil where they do not.
        package var certificate: ServerCertificate?
        /// Clients connect to it, instead of to a socket of the server's own at host and port.
        package var socket: ListeningSocket?
        /// Where requests stand while somebody works on them, for the log of the next process.
        package var running: (requests: RunningRequests, shown: @Sendable (String) -> String)?
        /// Whose word about clients is believed, and whose connections are not counted: proxies.
        package var proxies = AddressSet.loopback
        /// Whose connections are not counted either.
        package var uncounted = AddressSet.loopback
        /// The most connections of one client, for IPv6 of one network; nil for as many as there
        /// are places.
        package var connectionsPerClient: Int?
        package var timeouts = RequestTimeouts.standard
        /// Header fields that all answers have.
        package var commonHeaders: HTTPHeaders = [:]

        package init(
            host: String = "127.0.0.1", port: UInt16 = 0, threads: Int = 2,
            connectionLimit: Int = 4096, idleSeconds: Int = 60, bodyLimit: Int = 1 << 20,
            spooling: BodySpooling? = nil, certificate: ServerCertificate? = nil
        ) {
            self.host = host
            self.port = port
            self.threads = threads
            self.connectionLimit = connectionLimit
            self.idleSeconds = idleSeconds
            self.bodyLimit = bodyLimit
            self.spooling = spooling
            self.certificate = certificate
        }
    }

    /// What happened to a request, for the log.
    package struct Record: Sendable {
        package let method: String
        package let path: String
        package let status: Int
        package let duration: Duration
        /// Its identifier, and the route that took it.
        package let trace: RequestTrace
        /// Bytes of its body that have come.
        package let received: Int
        /// Bytes of the answer's body.
        package let sent: Int
    }

    /// How many connections there are now, and have been.
    package struct Connections: Sendable {
        package var open: Int
        package var opened: Int
        package var ends: [ConnectionEnd: Int]

        package init(open: Int = 0, opened: Int = 0, ends: [ConnectionEnd: Int] = [:]) {
            self.open = open
            self.opened = opened
            self.ends = ends
        }
    }

    /// A request that a stopping server does not answer as it should.
    package struct Unanswered: Sendable, Hashable {
        package let method: String
        package let path: String
        /// Whether somebody has begun to do what it asks for.
        package let hasBegun: Bool

        package init(method: String, path: String, hasBegun: Bool) {
            self.method = method
            self.path = path
            self.hasBegun = hasBegun
        }
    }
}
