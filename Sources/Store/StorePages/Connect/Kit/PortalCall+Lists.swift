import StoreCore

extension PortalCall {
    /// The rows of the page that the list is asked for.
    package var pageRequest: PageRequest {
        PageRequest(
            limit: PortalPaging.size,
            cursor: page == 1 ? nil : String((page - 1) * PortalPaging.size))
    }

    /// Scheme, host and port that the browser reaches the store at: what a profile made from
    /// here tells its app.
    package var storeAddress: String {
        let host = request.headers["Host"] ?? "localhost"
        let isHost = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                true
            default: false
            }
        }
        let scheme = visit.browser.isSecure ? "https" : "http"
        return "\(scheme)://\(isHost && host.utf8.count <= 255 ? host : "localhost")"
    }
}
