import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// `/ocsp`: tells whether certificates of this store were revoked (RFC 6960, appendix A), to
/// everybody who asks.
struct OCSPRoutes: Sendable {
    static let path = "/ocsp"
    private static let contentType = "application/ocsp-response"

    private let clock: any StoreClock
    private let status: @Sendable (Data, Date) -> Data

    /// - Parameter status: answers a request, DER in and DER out.
    init(clock: any StoreClock, status: @escaping @Sendable (Data, Date) -> Data) {
        self.clock = clock
        self.status = status
    }

    func routes() -> [Router.Route] {
        [
            Router.Route(.post, Self.path) { request in .now(answer(request.body)) },
            // Base64 has slashes; what decodes addresses has made them slashes of the path.
            Router.Route(.get, Self.path + "/{request...}") { request in
                .now(answer(Self.decoded(request.parameters[0])))
            },
        ]
    }

    /// Empty for what is not base64: no request either. A program that leaves the plus signs
    /// alone may get spaces for them on the way.
    private static func decoded(_ text: String) -> Data {
        Data(base64Encoded: text.replacing(scalar: " ", with: "+")) ?? Data()
    }

    private func answer(_ request: Data) -> HTTPResponse {
        // Whether it is good now is the point of the question.
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": Self.contentType, "Cache-Control": "no-store"],
            body: status(request, clock.now()))
    }
}
