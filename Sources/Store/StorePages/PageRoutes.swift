import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTexts

/// Who may call a route of the pages.
package enum PageAccess: String, Sendable, Hashable, CaseIterable {
    /// Anyone who can reach the store.
    case anyone
    /// Whoever knows the page's address, which can't be guessed. What it takes to answer
    /// is up to the question.
    case address
    /// The same, with a form that a page has given to this browser.
    case form
    /// Whoever knows the address of an item's page that an app shows.
    case item
    /// The same, with a form that such a page has given to this browser.
    case itemForm
}

/// Every route of the pages with who may call it, below each environment.
///
/// This is the only list: the routes are made from it, and a test walks it.
package enum PageRouteTable {
    package enum Operation: String, Sendable, Hashable, CaseIterable {
        case asset
        case showPrompt
        case answerPrompt
        case notePresence
        case showItemReview
        case writeItemReview
        case voteOnItemReview
        case showItemAccount
        case itemAccount
        case showApproval
        case decideApproval
    }

    package struct Row: Sendable, Hashable {
        package let method: HTTPMethod
        package let pattern: String
        package let access: PageAccess
        package let operation: Operation
    }

    package static let rows: [Row] = [
        Row(method: .get, pattern: "/assets/{name}", access: .anyone, operation: .asset),
        Row(method: .get, pattern: "/prompts/{page}", access: .address, operation: .showPrompt),
        Row(method: .post, pattern: "/prompts/{page}", access: .form, operation: .answerPrompt),
        Row(
            method: .post, pattern: "/prompts/{page}/presence", access: .form,
            operation: .notePresence),
        Row(
            method: .get, pattern: "/prompts/{page}/review", access: .item,
            operation: .showItemReview),
        Row(
            method: .post, pattern: "/prompts/{page}/review", access: .itemForm,
            operation: .writeItemReview),
        Row(
            method: .post, pattern: "/prompts/{page}/vote", access: .itemForm,
            operation: .voteOnItemReview),
        Row(
            method: .get, pattern: "/prompts/{page}/account", access: .item,
            operation: .showItemAccount),
        Row(
            method: .post, pattern: "/prompts/{page}/account", access: .itemForm,
            operation: .itemAccount),
        Row(
            method: .get, pattern: "/approvals/{page}", access: .address,
            operation: .showApproval),
        Row(
            method: .post, pattern: "/approvals/{page}", access: .form,
            operation: .decideApproval),
    ]
}

/// The routes of the store's pages, to be added to its router.
package struct PageRoutes: Sendable {
    private let assets: PageAssets
    private let layout: PageLayout
    private let prompts: PromptPages
    private let approvals: ApprovalPages
    private let report: @Sendable (String) -> Void

    /// - Parameter report: hears of what broke; the page says less.
    package init(
        prompts: PromptService, approvals: ApprovalService, storefront: StorefrontPageServices,
        report: @escaping @Sendable (String) -> Void
    ) {
        let sessions = storefront.sessions
        assets = PageAssets(naming: sessions)
        layout = PageLayout(assets: assets)
        self.prompts = PromptPages(
            prompts: prompts, sessions: sessions, layout: layout,
            items: ItemPromptPages(prompts: prompts, services: storefront, assets: assets))
        self.approvals = ApprovalPages(
            approvals: approvals, sessions: sessions, layout: layout)
        self.report = report
    }

    /// All routes, below each environment.
    package func routes() -> [Router.Route] {
        StoreEnvironment.allCases.flatMap { environment in
            PageRouteTable.rows.map { row in
                Router.Route(row.method, environment.pathPrefix + row.pattern) { request in
                    outcome(of: row.operation, request, in: environment)
                }
            }
        }
    }

    /// A path as it may stand in a log: who knows a page's address can open it.
    package static func loggable(_ path: String) -> String {
        for environment in StoreEnvironment.allCases {
            for folder in ["/prompts/", "/approvals/"] {
                let prefix = environment.pathPrefix + folder
                if path.hasPrefix(scalars: prefix) { return prefix + "…" }
            }
        }
        return path
    }

    private func outcome(
        of operation: PageRouteTable.Operation, _ request: HTTPRequest,
        in environment: StoreEnvironment
    ) -> HTTPOutcome {
        let texts = request.texts
        let prompts = prompts.reading(texts)
        let approvals = approvals.reading(texts)
        switch operation {
        case .asset:
            let found = assets.response(named: request.parameters.first ?? "")
            return .now(
                found ?? problem(404, texts.nothingHere, texts.noFile, environment, texts))
        case .showPrompt:
            return .later {
                await safely(environment, texts) { try await prompts.show(request, in: $0) }
            }
        case .answerPrompt:
            return .later {
                await safely(environment, texts) { try await prompts.answer(request, in: $0) }
            }
        case .notePresence:
            return .later {
                await safely(environment, texts) { try await prompts.notePresence(request, in: $0) }
            }
        case .showItemReview:
            return below(request, environment) { try await ReviewFormPages($0).show() }
        case .writeItemReview:
            return below(request, environment) { try await ReviewFormPages($0).answer() }
        case .voteOnItemReview:
            return below(request, environment) { try await ReviewFormPages($0).vote() }
        case .showItemAccount:
            return below(request, environment) { try await CustomerPages($0).show() }
        case .itemAccount:
            return below(request, environment) { try await CustomerPages($0).answer() }
        case .showApproval:
            return .later {
                await safely(environment, texts) { try await approvals.show(request, in: $0) }
            }
        case .decideApproval:
            return .later {
                await safely(environment, texts) { try await approvals.answer(request, in: $0) }
            }
        }
    }

    private func below(
        _ request: HTTPRequest, _ environment: StoreEnvironment,
        _ body: @escaping @Sendable (StorefrontVisit) async throws -> HTTPResponse
    ) -> HTTPOutcome {
        let texts = request.texts
        let prompts = prompts.reading(texts)
        return .later {
            await safely(environment, texts) { try await prompts.below(request, in: $0, body) }
        }
    }

    private func safely(
        _ environment: StoreEnvironment, _ texts: Texts,
        _ body: (StoreEnvironment) async throws -> HTTPResponse
    ) async -> HTTPResponse {
        do {
            return try await body(environment)
        } catch let error as FormFields.Problem {
            let status =
                switch error {
                case .otherType: 415
                case .tooLarge: 413
                case .malformed: 400
                }
            return problem(status, texts.notUnderstood, texts.notTheForm, environment, texts)
        } catch is PasswordsBusy {
            var response = problem(
                503, texts.tooManyAtOnce, texts.passwordsBusy, environment, texts)
            response.headers["Retry-After"] = String(PasswordsBusy.retryDelay)
            return response
        } catch {
            report(String(describing: error))
            let sentence =
                FailureRemedy.isOutcomeUncertain(after: error)
                ? texts.storeFailedWriting : texts.storeFailed
            return problem(
                500, texts.somethingBroke, sentence + Self.reference(in: texts), environment, texts
            ).unavailable(if: FailureRemedy.of(error) == .repeating)
        }
    }

    /// The page for one request too many.
    ///
    /// - Parameter seconds: until the next one is answered.
    package func tooMany(_ request: HTTPRequest, seconds: Int) -> HTTPResponse {
        let isSandbox = request.path.hasPrefix(scalars: StoreEnvironment.sandbox.pathPrefix + "/")
        let texts = request.texts
        var response = problem(
            429, texts.tooManyRequests, texts.waitSeconds(count: seconds),
            isSandbox ? .sandbox : .production, texts)
        response.headers["Retry-After"] = String(seconds)
        return response
    }

    /// What is said where a commit was cut off.
    static let uncertain =
        "The store failed while it was writing: what you sent may have taken effect, or may not."

    /// What the store's log calls the request, for who asks the operator about it.
    package static func reference(in texts: Texts = .english) -> String {
        RequestTrace.current.map { " " + texts.reference(number: $0.id) } ?? ""
    }

    private func problem(
        _ status: Int, _ title: String, _ text: String, _ environment: StoreEnvironment,
        _ texts: Texts
    ) -> HTTPResponse {
        .page(
            layout.reading(texts).result(
                sign: "!", title: title, text: text, environment: environment),
            status: status)
    }
}
