import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTexts

/// What the pages of approvals do: show what somebody asks to buy, take the decision.
struct ApprovalPages: Sendable {
    let approvals: ApprovalService
    let sessions: PageSessionService
    let layout: PageLayout

    /// The same for the customer of a browser.
    func reading(_ texts: Texts) -> ApprovalPages {
        ApprovalPages(approvals: approvals, sessions: sessions, layout: layout.reading(texts))
    }

    func show(_ request: HTTPRequest, in environment: StoreEnvironment) async throws -> HTTPResponse
    {
        guard let approval = try await approval(of: request, in: environment) else {
            return unknown(environment)
        }
        let visitor = PageVisitor(address: approval.address, environment: environment)
        let known = visitor.token(of: request)
        let token = try known ?? sessions.makeVisitor()
        let account = try await sessions.account(of: token, in: environment)
        let page = page(approval, token: token, account: account, request)
        var response = HTTPResponse.page(page.html(in: layout), status: page.state.status)
        if known == nil, page.state == .pending {
            response.headers.append("Set-Cookie", visitor.cookie(token))
        }
        return response
    }

    func answer(
        _ request: HTTPRequest, in environment: StoreEnvironment
    ) async throws -> HTTPResponse {
        guard let approval = try await approval(of: request, in: environment) else {
            return unknown(environment)
        }
        let name = request.parameters.first ?? ""
        let form = try FormFields(request)
        let visitor = PageVisitor(address: approval.address, environment: environment)
        guard visitor.isOwnForm(request), let token = visitor.token(of: request),
            form[PageForm.tokenField] == sessions.formToken(of: token, on: name),
            let answer = PageAnswer(rawValue: form[PageForm.answerField]),
            answer == .forget || Self.outcomes[answer] != nil
        else { return .foreignForm(in: layout, environment) }

        let shown = HTTPResponse.redirect(to: name)
        guard let outcome = Self.outcomes[answer] else {
            try await sessions.end(token)
            return shown
        }
        // What has come to its end takes no passwords any more; the page says how it ended.
        guard approval.status == .waiting else { return shown }
        let account = try await sessions.account(of: token, in: environment)
        let problem: String
        do {
            var proven = account
            if let guardian = approval.guardian, guardian.id != account?.id {
                let password = form["password"]
                guard !password.isEmpty else { throw ApprovalRefusal.notProven }
                // Starts no session: the browser may well be that of the one who asks.
                proven = try await approvals.prove(
                    password: password, for: approval, client: request.clientAddress)
            }
            try await approvals.decide(outcome, on: approval, proven: proven?.id)
            return shown
        } catch let refusal as ApprovalRefusal {
            switch refusal {
            case .exhausted: return shown
            case .notProven: problem = layout.texts.typePassword
            case .passwordWrong: problem = layout.texts.passwordWrong
            case .delayed(let delay): problem = layout.texts.tooManyPasswords(count: delay.minutes)
            }
        } catch let refusal as PendingPurchaseRefusal {
            switch refusal {
            case .unknown, .over: return shown
            case .notSold, .offerOver:
                problem = layout.texts.notSoldAnyLonger
            }
        }
        var page = page(approval, token: token, account: account, request)
        page.problem = problem
        return .page(page.html(in: layout), status: 422)
    }

    /// What the buttons decide; the other one signs out.
    private static let outcomes: [PageAnswer: PendingPurchase.Decision.Outcome] = [
        .yes: .approved, .no: .declined,
    ]

    private func page(
        _ approval: Approval, token: String, account: Account?, _ request: HTTPRequest
    ) -> ApprovalPage {
        let isProven = approval.guardian.map { $0.id == account?.id } ?? true
        let state: ApprovalPage.State =
            switch approval.status {
            case .waiting: isProven || approval.takesPasswords ? .pending : .exhausted
            case .approved: .approved
            case .declined: .declined
            case .lapsed: .lapsed
            }
        return ApprovalPage(
            requester: approval.requester.email, appName: approval.appName,
            product: approval.product, quantity: approval.purchase.order.quantity,
            total: layout.texts.price(
                approval.total, in: approval.purchase.order.storefront.locale),
            notice: layout.texts.sentence(
                of: approval.product.charge, in: approval.purchase.order.storefront.locale,
                approval.total.currency),
            environment: approval.purchase.order.environment,
            state: state,
            formToken: sessions.formToken(of: token, on: request.parameters.first ?? ""),
            guardian: approval.guardian.map { isProven ? .known($0.email) : .toProve($0.email) }
                ?? .anyone)
    }

    private func approval(
        of request: HTTPRequest, in environment: StoreEnvironment
    ) async throws -> Approval? {
        guard let token = request.parameters.first else { return nil }
        return try await approvals.approval(page: token, environment: environment)
    }

    private func unknown(_ environment: StoreEnvironment) -> HTTPResponse {
        .page(
            EndingPage.unknown.html(in: layout, environment: environment),
            status: EndingPage.unknown.status)
    }
}
