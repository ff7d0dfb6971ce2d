import Foundation

extension HTTPRequest {
    /// Where the request comes from: the peer, or, where that is a trusted proxy, the last address
    /// in `X-Forwarded-For` that is none of a trusted proxy. What others write there is not
    /// believed, be it in the proxy's header field or in one before it.
    package var client: IPAddress? {
        guard let peer, proxies.contains(peer) else { return peer }
        var nearest = peer
        for field in headers.all("X-Forwarded-For").reversed() {
            for item in Self.items(field).reversed() {
                // Whoever wrote something else is not known; who handed it on is.
                guard let named = IPAddress(item) else {
                    return nearest
                }
                nearest = named
                guard proxies.contains(named) else { return named }
            }
        }
        return nearest
    }

    /// The client's address as text, by which limits count: of an IPv6 address it is the network's
    /// half.
    package var clientAddress: String? { client?.network.text }

    /// Whether a trusted proxy hands the request on, or somebody on its machine sends it: header
    /// fields that only proxies write are believed.
    package var isFromProxy: Bool { peer.map(proxies.contains) ?? false }

    /// Whether somebody's header fields say that the request was handed on.
    package var isForwarded: Bool {
        [
            "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "X-Real-IP",
            "Via",
        ]
        .contains { headers[$0] != nil }
    }

    /// The last word of a field that each proxy adds to, or writes anew; nil where no trusted one
    /// has.
    func forwarded(_ name: String) -> String? {
        guard isFromProxy else { return nil }
        return headers.last(name).flatMap { Self.items($0).last }
    }

    /// By bytes: what others wrote before a proxy's comma does not hide it.
    private static func items(_ field: String) -> [String] {
        field.utf8.split(separator: UInt8(ascii: ",")).map {
            Substring($0).trimmingCharacters(in: .whitespaces)
        }
    }
}
