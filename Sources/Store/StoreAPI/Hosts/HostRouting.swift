import Foundation
import StoreHTTP
import StoreModel
import StoreWire

/// Finds the path of a request by the host that it is sent to.
///
/// A client that calls one of Apple's names gets what it would get by path, and no more rights;
/// nobody else notices.
package struct HostRouting: Sendable {
    /// The way on which requests come.
    package enum Way: Sendable {
        /// To the store itself, by whatever name it has.
        case direct
        /// Through a tunnel, whose clients believe that it leads to the host they name.
        case tunnel
        /// To a proxy, with whole addresses.
        case proxy
    }

    private static let loopback: Set<String> = ["localhost", "127.0.0.1", "[::1]"]

    private let way: Way
    /// The store's own hosts, with their ports where they have any.
    private let own: Set<String>
    private let ownNames: Set<String>

    /// - Parameter own: addresses of the store itself, such as `http://127.0.0.1:8080`.
    package init(_ way: Way, own: [String] = []) {
        self.way = way
        self.own = Set(own.compactMap { Self.parts($0)?.host })
        self.ownNames = Set(self.own.map(Self.name)).union(Self.loopback)
    }

    /// Where a request leads; see `Addressing`.
    package func callAsFunction(_ target: String, _ host: String?) -> Addressed {
        let parts = Self.parts(target)
        // A proxy believes the address, and so does everybody who gets one.
        let (host, path) = parts ?? (host?.lowercased() ?? "", target)
        if way == .proxy, parts == nil { return refused(Self.needsAddress, path) }
        let name = Self.name(host)
        if let apple = AppleHost.named(name) {
            guard path != "/" else { return .answered(Self.greeting(apple), path: path) }
            return .path(apple.path(of: path))
        }
        if AppleHost.isApples(name) { return refused(Self.nothing(for: name), path) }
        switch way {
        case .direct:
            return .path(path)
        case .tunnel:
            return ownNames.contains(name) ? .path(path) : refused(Self.nothing(for: name), path)
        case .proxy:
            return own.contains(host) ? .path(path) : refused(Self.nothing(for: name), path)
        }
    }

    /// Host and path of a whole address; nil for a path.
    private static func parts(_ address: String) -> (host: String, path: String)? {
        guard !address.hasPrefix(scalars: "/"), let end = address.range(scalars: "://") else {
            return nil
        }
        guard ["http", "https"].contains(address[..<end.lowerBound].lowercased()) else {
            return nil
        }
        let rest = address[end.upperBound...]
        let slash = rest.unicodeScalars.firstIndex(of: "/") ?? rest.endIndex
        return (rest[..<slash].lowercased(), slash == rest.endIndex ? "/" : String(rest[slash...]))
    }

    /// The name of a host without its port, and without the dot that may end it.
    private static func name(_ host: String) -> String {
        var name = host.utf8[...]
        if let colon = name.lastIndex(of: UInt8(ascii: ":")),
            !name[colon...].contains(UInt8(ascii: "]"))
        {
            name = name[..<colon]
        }
        return String(Substring(name.last == UInt8(ascii: ".") ? name.dropLast() : name))
    }

    // MARK: Answers

    private func refused(_ message: String, _ path: String) -> Addressed {
        var response = HTTPResponse.failure(WireError(code: .misdirected, message: message))
        if way == .proxy { response.status = 403 }
        return .answered(response, path: path)
    }

    private static let needsAddress =
        "This port is a proxy: set HTTPS_PROXY to it, or use openstore intercept run."

    private static func nothing(for name: String) -> String {
        "This store does not answer for "
            + "\(name.isEmpty ? "a host without a name" : String(name.prefix(255))), and sends "
            + "nothing on. It answers for " + AppleHost.all.map(\.name).joined(separator: ", ")
            + "."
    }

    private static func greeting(_ host: AppleHost) -> HTTPResponse {
        let body = [
            "host": host.name, "environment": host.environment.rawValue,
            "message": "An OpenStoreKit store answers for \(host.name).",
        ]
        return (try? .json(body)) ?? HTTPResponse(status: 200)
    }
}
