import Foundation
import StoreHTTP

extension HTTPResponse {
    /// A page of the store that is made for one request: nobody keeps it.
    package static func storefrontPage(_ page: HTML, status: Int = 200) -> HTTPResponse {
        storefront(Data(page.document().utf8), status: status, caching: "no-store")
    }

    /// - Parameters:
    ///   - caching: what others may do with it.
    ///   - isScripted: whether a script of the store runs on it.
    static func storefront(
        _ body: Data, status: Int, caching: String, isScripted: Bool = false
    ) -> HTTPResponse {
        var response = HTTPResponse(
            status: status,
            headers: HTTPHeaders(
                storefrontHeaders + [
                    (name: "Content-Type", value: "text/html; charset=utf-8"),
                    (name: "Cache-Control", value: caching),
                ]), body: body)
        if isScripted {
            response.headers["Content-Security-Policy"] = policy(
                scripts: "script-src 'self'; connect-src 'self'")
        }
        return response
    }

    /// To another page of the store.
    ///
    /// - Parameter status: 301 where the other address is the right one for ever, 303 where it
    ///   is what follows.
    static func storefrontRedirect(to location: String, status: Int = 303) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: HTTPHeaders(
                storefrontHeaders + [
                    (name: "Location", value: location),
                    (
                        name: "Cache-Control",
                        value: status == 301 ? "public, max-age=0, must-revalidate" : "no-store"
                    ),
                ]))
    }

    /// No script runs: what pages say to programs are data blocks, which browsers don't run.
    private static let storefrontHeaders: [(name: String, value: String)] =
        [("Content-Security-Policy", policy(scripts: "script-src 'none'"))] + pageHeaders

    private static func policy(scripts: String) -> String {
        "default-src 'none'; \(scripts); style-src 'self'; img-src 'self'; media-src 'self'; "
            + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    }
}
