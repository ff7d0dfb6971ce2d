import Foundation

extension HTTPRequest {
    /// Whether the client speaks TLS: with this server, or with a trusted proxy in front of it that
    /// says so in `X-Forwarded-Proto`.
    package var isSecure: Bool {
        isTLS || forwarded("X-Forwarded-Proto")?.lowercased() == "https"
    }

    /// Scheme, host and port by which the client reaches the store, for links: the `Host`, or what
    /// a trusted proxy names in `X-Forwarded-Host`; `localhost` for one that is none.
    package var origin: String { origin(isSecure: isSecure) }

    /// - Parameter isSecure: for whoever knows better than the proxy whether there is TLS.
    package func origin(isSecure: Bool) -> String {
        let host = forwarded("X-Forwarded-Host") ?? headers["Host"] ?? ""
        let isHost = (1...255).contains(host.utf8.count) && host.utf8.allSatisfy(Self.isOfHost)
        return "\(isSecure ? "https" : "http")://\(isHost ? host : "localhost")"
    }

    /// The store's address for what it signs, and others trust: what the operator stated, or an
    /// address of this machine or of a network. A name that only the client says is none: it may
    /// lead to anybody.
    package func trustedOrigin(isSecure: Bool) -> String? {
        if let statedOrigin { return statedOrigin }
        let origin = origin(isSecure: isSecure)
        guard let host = URLComponents(string: origin)?.host else { return nil }
        let name = host.utf8.first == UInt8(ascii: "[") ? String(host.dropFirst().dropLast()) : host
        return name == "localhost" || IPAddress(name) != nil ? origin : nil
    }

    /// ASCII letters and digits, and what names and addresses with ports have between them.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
            UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
            true
        default: false
        }
    }
}
