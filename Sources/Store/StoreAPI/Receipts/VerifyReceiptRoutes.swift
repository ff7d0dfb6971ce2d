import Foundation
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreWire

/// `/verifyReceipt` of both environments, as publishers' servers know it.
///
/// Whoever has a receipt may ask; whatever is wrong stands in the body's `status`, and the status
/// of HTTP is 200.
package struct VerifyReceiptRoutes: Sendable {
    private static let path = "/verifyReceipt"
    /// Bytes of a body that is read at once.
    private static let small = 64 << 10

    private let verification: ReceiptVerification
    /// Questions about one receipt for which all of an account is read.
    private let allowance: RequestAllowance
    private static let perMinute = 120
    private let report: @Sendable (String) -> Void

    init(services: APIServices) {
        verification = ReceiptVerification(services: services)
        allowance = RequestAllowance(perMinute: Self.perMinute, clock: services.clock)
        report = services.report
    }

    /// Whether it answers at a path, well or not.
    package static func answers(_ path: String) -> Bool {
        StoreEnvironment.allCases.contains { path == $0.pathPrefix + Self.path }
    }

    /// The largest body that it takes, in bytes: the largest receipt as base64, as programs
    /// write it that put a backslash before each slash.
    package static func largestBody(_ path: String) -> Int? {
        answers(path) ? ReceiptVerifier.sizeLimit / 2 * 3 : nil
    }

    func routes() -> [Router.Route] {
        StoreEnvironment.allCases.map { environment in
            Router.Route(.post, environment.pathPrefix + Self.path) { request in
                respond(to: request, in: environment)
            }
        }
    }

    /// Small receipts without subscriptions are answered on the connection's own thread.
    private func respond(
        to request: HTTPRequest, in environment: StoreEnvironment
    ) -> HTTPOutcome {
        guard request.bodyFile == nil, request.body.count <= Self.small else {
            return .later {
                await response(to: request) {
                    let prepared = try verification.prepare(request.wholeBody(), in: environment)
                    try count(prepared, of: request)
                    return try await verification.answer(prepared)
                }
            }
        }
        do {
            let prepared = try verification.prepare(request.body, in: environment)
            if prepared.isQuick, let answer = try verification.answerAtOnce(prepared) {
                return .now(.verification(answer))
            }
            try count(prepared, of: request)
            return .later {
                await response(to: request) { try await verification.answer(prepared) }
            }
        } catch {
            return .now(failure(error, request))
        }
    }

    /// - Throws: `RequestLimitExceeded`.
    private func count(
        _ prepared: ReceiptVerification.Prepared, of request: HTTPRequest
    ) throws {
        guard !prepared.isQuick, let holder = prepared.holder else { return }
        try allowance.count(.receipt(holder), of: request)
    }

    private func response(
        to request: HTTPRequest, _ answer: () async throws -> Data
    ) async -> HTTPResponse {
        do {
            return .verification(try await answer())
        } catch {
            return failure(error, request)
        }
    }

    private func failure(_ error: any Error, _ request: HTTPRequest) -> HTTPResponse {
        if let error = error as? RequestLimitExceeded,
            let response = StoreRoutes.tooMany(error, request)
        {
            return response
        }
        if let failure = error as? VerifyReceiptFailure { return .verification(failure.status) }
        report(String(describing: error))
        return .verification(.dataAccess)
    }
}

extension HTTPResponse {
    static func verification(_ status: VerifyReceiptStatus) -> HTTPResponse {
        verification(VerifyReceiptAnswer.failure(status))
    }

    static func verification(_ body: Data) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: body)
    }
}
