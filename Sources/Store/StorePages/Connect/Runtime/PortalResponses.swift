import Foundation
import StoreHTTP

extension HTTPResponse {
    /// A page of the portal, which can't be framed and is kept by nobody.
    static func portal(_ page: HTML, status: Int) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: HTTPHeaders(
                portalHeaders + [(name: "Content-Type", value: "text/html; charset=utf-8")]),
            body: Data(page.document().utf8))
    }

    static func portalRedirect(to location: String) -> HTTPResponse {
        HTTPResponse(
            status: 303, headers: HTTPHeaders(portalHeaders + [(name: "Location", value: location)])
        )
    }

    /// - Parameter name: of the file; letters, digits, `-`, `_` and `.` are kept of it.
    static func portalDownload(_ data: Data, type: String, name: String) -> HTTPResponse {
        let safe = name.map { character in
            character.isASCII && (character.isLetter || character.isNumber)
                || "-_.".contains(character) ? character : "_"
        }
        return HTTPResponse(
            status: 200,
            headers: HTTPHeaders(
                portalHeaders + [
                    (name: "Content-Type", value: type),
                    (
                        name: "Content-Disposition",
                        value: "attachment; filename=\"\(String(safe))\""
                    ),
                ]), body: data)
    }

    /// Scripts and styles come from the store's own files only.
    private static var portalHeaders: [(name: String, value: String)] {
        [
            (
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                    + "media-src 'self'; "
                    + "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; "
                    + "base-uri 'none'"
            ),
            ("Cache-Control", "no-store"),
        ] + pageHeaders
    }
}

extension HTTPResponse {
    /// An answer for the portal's script.
    static func json(_ value: some Encodable, status: Int = 200) throws -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: try JSONEncoder().encode(value))
    }
}
