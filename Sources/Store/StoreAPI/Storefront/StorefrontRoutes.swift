import Foundation
import StoreCore
import StoreHTTP
import StoreKernel
import StoreModel

/// Answers searches, lookups and feeds in the form of the App Store's.
struct StorefrontRoutes: Sendable {
    private let services: APIServices
    /// Apart, as the stars in them are.
    private let answers: [StoreEnvironment: StorefrontAnswers]

    init(services: APIServices) {
        self.services = services
        answers = Dictionary(
            uniqueKeysWithValues: StoreEnvironment.allCases.map { environment in
                var services = services
                services.storefront = services.storefront.seen(in: environment)
                return (environment, StorefrontAnswers(services: services))
            })
    }

    func routes() -> [Router.Route] {
        answers.flatMap { environment, answers in
            StorefrontRouteTable.rows.map { row in
                Router.Route(row.method, environment.pathPrefix + row.pattern) { request in
                    respond(to: request, row.operation, in: environment, with: answers)
                }
            }
        }
    }

    /// The answer at once where it is known, on the connection's own thread.
    private func respond(
        to request: HTTPRequest, _ operation: StorefrontOperation,
        in environment: StoreEnvironment, with answers: StorefrontAnswers
    ) -> HTTPOutcome {
        do {
            let callback = try QueryParameters(request.query).callback()
            // Pages of others may run a callback's answer. No page of the store does: what asks for
            // it there was put there by somebody, and would run with the portal's rights.
            if callback != nil, request.headers["Sec-Fetch-Site"] == "same-origin",
                request.headers["Sec-Fetch-Dest"] != "empty"
            {
                throw ParameterRefusal(key: "callback", status: 403)
            }
            let question = try StorefrontQuestion(operation, request)
            let context = StorefrontContext(
                environment: environment,
                links: StorefrontLinks(base: request.origin + environment.pathPrefix))
            if let known = answers.known(question, from: context) {
                return .now(known.response(to: request, callback))
            }
            return .later {
                do {
                    return try await answers.make(question, from: context)
                        .response(to: request, callback)
                } catch {
                    return failure(error)
                }
            }
        } catch {
            return .now(failure(error))
        }
    }

    private func failure(_ error: any Error) -> HTTPResponse {
        if let refusal = error as? ParameterRefusal { return refusal.response }
        services.report(String(describing: error))
        let body: ScriptJSON = .object([
            ("errorMessage", .text("The store failed. Try again."))
        ])
        return .script(status: 500, body: Data(body.bytes)).unavailable(
            if: FailureRemedy.of(error) == .repeating)
    }
}

/// An answer as it is kept.
struct StorefrontAnswer: Sendable {
    enum Form: Sendable {
        case script
        case xml
        case page
    }

    let body: Data
    let tag: String
    let form: Form
    /// 404 for what there is not.
    let status: Int

    init(_ body: Data, form: Form = .script, status: Int = 200) {
        self.body = body
        self.form = form
        self.status = status
        tag = "\"\(HTTPResponse.tag(of: body))\""
    }

    /// The answer to a request, which may have it already.
    func response(to request: HTTPRequest, _ callback: CallbackName?) -> HTTPResponse {
        switch form {
        case .script:
            // Nothing of a callback is kept: pages invent a new name for each request.
            if let callback {
                return .script(
                    body: Data("/**/\(callback.text)(".utf8) + body + Data(");\n".utf8))
            }
            return revalidated(.script(status: status, body: body), for: request)
        case .xml:
            var response = HTTPResponse.script(status: status, body: body)
            response.headers["Content-Type"] = "text/xml; charset=utf-8"
            return revalidated(response, for: request)
        case .page:
            var response = HTTPResponse.script(status: status, body: body)
            response.headers["Content-Type"] = "text/html; charset=utf-8"
            response.headers["Content-Security-Policy"] = "default-src 'none'"
            return revalidated(response, for: request)
        }
    }

    private func revalidated(_ response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
        guard status == 200 else { return response }
        var response = response
        response.headers["ETag"] = tag
        guard let known = request.headers["If-None-Match"], FileAnswer.names(known, tag) else {
            return response
        }
        response.status = 304
        response.headers["Content-Type"] = nil
        response.body = .data(Data())
        return response
    }
}
