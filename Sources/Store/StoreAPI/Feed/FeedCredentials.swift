import Foundation
import StoreHTTP
import StoreModel

/// User name and password of HTTP Basic (RFC 7617).
struct FeedCredentials: Sendable, Hashable {
    let userName: String
    let password: String

    /// Nil for a request without any, or with what is none.
    init?(_ request: HTTPRequest) {
        guard let header = request.headers["Authorization"], header.utf8.count <= 1024 else {
            return nil
        }
        let parts = header.split(scalar: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "basic",
            let data = Data(base64Encoded: String(parts[1])), !data.contains(0),
            let text = String(data: data, encoding: .utf8),
            let colon = text.unicodeScalars.firstIndex(of: ":")
        else { return nil }
        userName = String(text[..<colon])
        password = String(text.unicodeScalars[colon...].dropFirst())
    }
}
