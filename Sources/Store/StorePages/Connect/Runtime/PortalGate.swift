import Foundation
import StoreCore
import StoreHTTP

/// Lets in who may, and makes answers of what handlers and rules say.
struct PortalGate: Sendable {
    /// The most bytes and fields of a form: prices of all territories are one.
    private static let formSize = 256 << 10
    private static let formFields = 2000
    /// What scripts send the form's token in.
    static let tokenHeader = "X-Form-Token"

    let services: PortalServices
    let layout: PortalLayout

    func respond(_ route: PortalRoute, _ request: HTTPRequest) async -> HTTPResponse {
        let browser = PortalBrowser(request)
        do {
            switch route.action {
            case .open(let handler):
                return try await open(handler, route, request, browser)
            case .person(let handler):
                guard let (token, visitor) = try await signedIn(browser) else {
                    return Self.signIn(request)
                }
                let visit = try visit(route, request, browser, token: token)
                return await finish(visit, visitor) { try await handler(visit, visitor) }
            case .call(let handler):
                guard let (token, visitor) = try await signedIn(browser) else {
                    return Self.signIn(request)
                }
                guard let actor = visitor.actor else {
                    return .portalRedirect(to: PortalPath.choose)
                }
                if case .permission(let permission) = route.access {
                    do { try actor.require(permission) } catch {
                        // Who may not is told so before anything of the body is read.
                        let visit = try visit(nil, request, browser, token: token)
                        return failure(error, PortalFrame(visit: visit, visitor: visitor))
                    }
                }
                let visit = try visit(route, request, browser, token: token)
                return await finish(visit, visitor) {
                    try await handler(
                        PortalCall(visit: visit, visitor: visitor, actor: actor))
                }
            }
        } catch {
            return failure(error, nil)
        }
    }

    /// Refuses by its header a form whose body is not there yet.
    ///
    /// Whether a page of ours gave the form is known by its token, which may stand in the body;
    /// that the browser says so is known before.
    func refusal(of request: HTTPRequest, by route: PortalRoute) async -> HTTPResponse? {
        let browser = PortalBrowser(request)
        do {
            if route.access == .open { return nil }
            guard let (_, visitor) = try await signedIn(browser) else {
                return Self.signIn(request)
            }
            if case .permission(let permission) = route.access {
                guard let actor = visitor.actor else {
                    return .portalRedirect(to: PortalPath.choose)
                }
                try actor.require(permission)
            }
            return browser.isOwnForm ? nil : failure(ForeignForm(), nil)
        } catch {
            return failure(error, nil)
        }
    }

    private func signedIn(
        _ browser: PortalBrowser
    ) async throws -> (token: String, visitor: ConnectVisitor)? {
        guard let token = browser.session,
            let visitor = try await services.sessions.visitor(token: token)
        else { return nil }
        return (token, visitor)
    }

    private func open(
        _ handler: PortalRoute.OpenHandler, _ route: PortalRoute, _ request: HTTPRequest,
        _ browser: PortalBrowser
    ) async throws -> HTTPResponse {
        let token = try browser.visit ?? services.tokens.makeVisitor()
        let visit = try visit(route, request, browser, token: token)
        var response = await finish(visit, nil) { try await handler(visit) }
        let isFile = response.headers["Cache-Control"]?.contains("immutable") == true
        if browser.visit == nil, !isFile {
            response.headers.append("Set-Cookie", browser.setting(visit: token))
        }
        return response
    }

    /// - Parameter route: nil where nothing of the body is to be read.
    /// - Throws: `FormFields.Problem`, and `ForeignForm` where no page of ours has given the
    ///   form to this session.
    private func visit(
        _ route: PortalRoute?, _ request: HTTPRequest, _ browser: PortalBrowser, token: String
    ) throws -> PortalVisit {
        var form = FormFields()
        var files: [String: MultipartForm.File] = [:]
        if let route, route.method != .get {
            let stated: String
            if let header = request.headers[Self.tokenHeader] {
                stated = header
            } else if MultipartForm.isStated(by: request) {
                let sent = try MultipartForm(request)
                (form, files) = (sent.fields, sent.files)
                stated = form[PageForm.tokenField]
            } else {
                form = try FormFields(
                    request, sizeLimit: Self.formSize, fieldLimit: Self.formFields,
                    mayRepeat: true)
                stated = form[PageForm.tokenField]
            }
            guard browser.isOwnForm,
                stated == services.tokens.formToken(of: token, on: PortalVisit.formScope)
            else { throw ForeignForm() }
        }
        return PortalVisit(
            request: request, services: services, browser: browser, token: token, form: form,
            files: files)
    }

    private func finish(
        _ visit: PortalVisit, _ visitor: ConnectVisitor?,
        _ body: () async throws -> PortalAnswer
    ) async -> HTTPResponse {
        let frame = PortalFrame(visit: visit, visitor: visitor)
        do {
            switch try await body() {
            case .page(let page, let status):
                var response = HTTPResponse.portal(
                    layout.document(page, in: frame), status: status)
                if visit.browser.notice != nil {
                    response.headers.append("Set-Cookie", visit.browser.setting(notice: nil))
                }
                return response
            case .redirect(let location, let notice):
                var response = HTTPResponse.portalRedirect(to: location)
                if let notice {
                    response.headers.append("Set-Cookie", visit.browser.setting(notice: notice))
                }
                return response
            case .entering(let session, let location, let notice):
                var response = HTTPResponse.portalRedirect(to: location)
                response.headers.append("Set-Cookie", visit.browser.setting(session: session))
                if let notice {
                    response.headers.append("Set-Cookie", visit.browser.setting(notice: notice))
                }
                return response
            case .leaving(let location):
                var response = HTTPResponse.portalRedirect(to: location)
                response.headers.append("Set-Cookie", visit.browser.clearing)
                return response
            case .download(let data, let type, let name):
                return .portalDownload(data, type: type, name: name)
            case .response(let response): return response
            }
        } catch {
            return failure(error, frame)
        }
    }

    // MARK: What goes wrong

    /// A page for an error; what broke is reported and not told.
    private func failure(_ error: any Error, _ frame: PortalFrame?) -> HTTPResponse {
        switch error {
        case let refusal as ConnectRefusal:
            let (status, title) =
                switch refusal.kind {
                case .notFound: (404, "Nothing Here")
                case .forbidden: (403, "Not Allowed")
                case .tooMany: (429, "Too Often")
                case .invalid, .taken, .state: (422, "Not Possible")
                }
            return problem(status, title, refusal.problem, help: refusal.help, frame)
        case is ForeignForm:
            return problem(
                403, "Not Taken",
                "What was sent did not come from a page of this store in this browser, or "
                    + "cookies are blocked.",
                help: "Go back, reload the page and try again.", frame)
        case let problem as FormFields.Problem:
            let status =
                switch problem {
                case .otherType: 415
                case .tooLarge: 413
                case .malformed: 400
                }
            return self.problem(
                status, "Not Understood", "What was sent is not the form of this page.",
                help: "Go back, reload the page and try again.", frame)
        case let error as PasswordsBusy:
            var response = problem(
                503, "Too Many at Once", error.description,
                help: "Go back and send the form again.", frame)
            response.headers["Retry-After"] = String(PasswordsBusy.retryDelay)
            return response
        default:
            services.report(String(describing: error))
            let isUncertain = FailureRemedy.isOutcomeUncertain(after: error)
            return problem(
                500, "Something Broke",
                isUncertain
                    ? PageRoutes.uncertain : "The store failed, and nothing was changed.",
                help: (isUncertain ? "Look before you try again" : "Try again")
                    + "; the store’s log says more." + PageRoutes.reference(), frame
            ).unavailable(if: FailureRemedy.of(error) == .repeating)
        }
    }

    func unknown(_ request: HTTPRequest) -> HTTPResponse {
        problem(
            404, "Nothing Here", "There is no page at this address.",
            help: "Begin at the start page.", nil)
    }

    func tooLarge(_ limit: Int) -> HTTPResponse {
        problem(
            413, "Too Large",
            "What was sent is larger than \(PortalFormatting.bytes(Int64(limit))), which is as much "
                + "as one form may have.",
            help: "Allow scripts for this page, which send files in parts; or use a command, such "
                + "as openstore content upload.", nil)
    }

    private func problem(
        _ status: Int, _ title: String, _ text: String, help: String, _ frame: PortalFrame?
    ) -> HTTPResponse {
        let page = PortalPage(
            title,
            [
                .element("p", class: "lead", text), .element("p", help),
                .element(
                    "p", [], [.link(PortalPath.start, "To the start page")]),
            ])
        return .portal(layout.document(page, in: frame), status: status)
    }

    /// To the page for signing in, and back from it.
    private static func signIn(_ request: HTTPRequest) -> HTTPResponse {
        guard request.method == "GET", request.path != PortalPath.start else {
            return .portalRedirect(to: PortalPath.signIn)
        }
        let next = PortalLink(request.path, request.query).text
        return .portalRedirect(to: PortalLink(PortalPath.signIn, [("next", next)]).text)
    }
}

/// A form that no page of ours has given to this session.
private struct ForeignForm: Error {}
