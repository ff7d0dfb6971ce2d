import StoreHTTP
import StoreModel

extension HTTPRequest {
    /// Whether a form was sent from a page of this store. Browsers say so themselves; where a
    /// proxy stands in front, what they call the store is what the proxy says, not `Host`.
    var isOwnForm: Bool {
        if let site = headers["Sec-Fetch-Site"] { return site == "same-origin" }
        guard let stated = headers["Origin"]?.lowercased(), headers["Host"] != nil else {
            return false
        }
        // Not the scheme: proxies do not always say that there is TLS.
        func authority(_ origin: String) -> Substring? {
            origin.range(scalars: "://").map { origin[$0.upperBound...] }
        }
        return authority(stated) == authority(origin.lowercased())
    }
}
