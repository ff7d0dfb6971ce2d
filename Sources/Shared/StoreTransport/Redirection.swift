import Foundation

/// Where responses send requests to.
package enum Redirection {
    /// What is shown to another server; all else may be a secret of the first one.
    private static let sharedFields: Set<String> = ["range", "accept", "if-none-match"]

    /// The request that a response asks for; `nil` if it asks for none.
    ///
    /// - Throws: `TransportError` with `invalidResponse` for an address that is none, for a way
    ///   from HTTPS to HTTP, and where the body can't be sent again.
    package static func request(
        after request: TransportRequest, _ response: TransportResponse
    ) throws -> TransportRequest? {
        let keepsMethod = [307, 308].contains(response.status)
        let isSafe = request.method == "GET" || request.method == "HEAD"
        guard keepsMethod || (isSafe && [301, 302, 303].contains(response.status)),
            let location = response["Location"], let from = URL(string: request.url)
        else { return nil }
        guard let url = URL(string: location, relativeTo: from)?.absoluteURL,
            url.scheme == "https" || (url.scheme == "http" && from.scheme == "http")
        else { throw refusal("The response leads to no address that may be asked", response) }
        if case .stream = request.body {
            throw refusal("The response wants a body again that is gone", response)
        }
        var redirected = request
        redirected.url = url.absoluteString
        let isSameServer =
            url.host == from.host && url.port == from.port && url.scheme == from.scheme
        if !isSameServer {
            guard isSafe else {
                throw refusal(
                    "The response sends what is to be changed to another server", response)
            }
            redirected.headers.removeAll { !sharedFields.contains($0.name.lowercased()) }
            redirected.body = .none
        }
        return redirected
    }

    private static func refusal(_ reason: String, _ response: TransportResponse) -> TransportError {
        TransportError(.invalidResponse, reason, response: response)
    }
}
