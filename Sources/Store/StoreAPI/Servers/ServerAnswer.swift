import Foundation
import StoreHTTP
import StoreWire

/// The name of the header that says to whoever writes a client what is wrong.
private let debugHeader = "X-OpenStore-Debug"

extension HTTPResponse {
    /// An answer of the App Store Server API. Its clients compare the media type byte by byte.
    static func server(_ value: some Encodable, status: Int = 200) throws -> HTTPResponse {
        try .json(value, status: status)
    }

    /// Done, and nothing to say about it.
    static func serverDone(status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: ["Cache-Control": "no-store"])
    }

    /// A refusal with its number.
    static func failure(_ error: ServerAPIError) -> HTTPResponse {
        var response = HTTPResponse(
            status: error.code.status,
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: (try? WireCoding.encode(error)) ?? Data())
        if let detail = error.detail { response.headers[debugHeader] = plain(detail) }
        return response
    }

    /// Says nothing in its body, as Apple's servers do: a token that is not taken, an address that
    /// there is not.
    static func serverSilence(status: Int, _ sentence: String) -> HTTPResponse {
        var response = HTTPResponse(
            status: status,
            headers: ["Cache-Control": "no-store", debugHeader: plain(sentence)])
        if status == 401 { response.headers["WWW-Authenticate"] = "Bearer" }
        return response
    }

    /// Headers hold letters of ASCII, and one line.
    private static func plain(_ sentence: String) -> String {
        String(
            String.UnicodeScalarView(
                sentence.unicodeScalars.prefix(500).map { $0.isASCII && $0.value >= 32 ? $0 : "?" })
        )
    }
}
