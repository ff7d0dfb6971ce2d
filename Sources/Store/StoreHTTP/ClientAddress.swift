import CStoreHTTP
import Foundation

extension HTTPRequest {
    /// Where the request comes from: the peer, or, where that is a proxy on this machine, whom
    /// the proxy names last in `X-Forwarded-For`. What others write there is not believed, be it
    /// in the proxy's header field or in one before it. Of an IPv6 address it is the network's
    /// half.
    package var clientAddress: String? {
        guard let peer, peer.hasPrefix("127.") || peer == "::1",
            let last = headers.last("X-Forwarded-For")?.split(separator: ",").last
        else { return peer }
        let named = last.trimmingCharacters(in: .whitespaces)
        return ClientAddress.text { cstore_http_address(named, $0, $1) } ?? peer
    }
}

/// Addresses as text.
enum ClientAddress {
    /// What is written into a buffer; nil for nothing.
    static func text(_ write: (UnsafeMutablePointer<CChar>, UInt32) -> Void) -> String? {
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress else { return "" }
            write(start, UInt32(buffer.count))
            return String(cString: start)
        }
        return text.isEmpty ? nil : text
    }
}
