import Foundation
import StoreHTTP
import StoreKernel

/// A value that the search does not take.
struct ParameterRefusal: Error, Hashable {
    /// What clients of the App Store's search know the parameter by.
    let key: String
    var status = 400

    /// The answer of the App Store's search, to the letter.
    var response: HTTPResponse {
        let explained: ScriptJSON = .object([
            ("output", .text("json")),
            ("callback", .text("A javascript function to handle your search results")),
            ("country", .text("ISO-2A country code")),
            ("limit", .text("The number of search results to return")),
            ("term", .text("A search string")),
            ("lang", .text("ISO-2A language code")),
        ])
        let body: ScriptJSON = .object([
            ("errorMessage", .text("Invalid value(s) for key(s): [\(key)]")),
            ("queryParameters", explained),
        ])
        return .script(status: status, body: Data(body.bytes))
    }
}

extension HTTPResponse {
    /// An answer that pages of others may read, as the App Store's search gives them.
    static func script(status: Int = 200, body: Data) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [
                "Content-Type": "text/javascript; charset=utf-8",
                "Access-Control-Allow-Origin": "*",
                "X-Content-Type-Options": "nosniff",
                "Cache-Control": status == 200 ? "no-cache" : "no-store",
            ], body: body)
    }
}
