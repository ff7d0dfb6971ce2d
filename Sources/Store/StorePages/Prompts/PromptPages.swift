import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTexts

/// What the pages of prompts do: show the question, take the answer.
struct PromptPages: Sendable {
    let prompts: PromptService
    let sessions: PageSessionService
    let layout: PageLayout
    let items: ItemPromptPages

    /// The same for the customer of a browser.
    func reading(_ texts: Texts) -> PromptPages {
        PromptPages(
            prompts: prompts, sessions: sessions, layout: layout.reading(texts), items: items)
    }

    func show(_ request: HTTPRequest, in environment: StoreEnvironment) async throws -> HTTPResponse
    {
        guard let prompt = try await prompt(of: request, in: environment) else {
            return unknown(environment)
        }
        let question = try await prompts.question(of: prompt)
        if let ended = EndingPage(prompts.state(of: prompt), of: question.subject) {
            return ending(ended, question)
        }
        if let visit = try await visit(prompt, question, request) {
            return try await items.page(visit)
        }
        let visitor = PageVisitor(address: prompt.details.address, environment: environment)
        let known = visitor.token(of: request)
        let token = try known ?? sessions.makeVisitor()
        let account = try await sessions.account(of: token, in: environment)
        var response = HTTPResponse.page(
            page(prompt, question, token: token, account: account, request).html(in: layout))
        if known == nil { response.headers.append("Set-Cookie", visitor.cookie(token)) }
        return response
    }

    /// The visit of the page of an item, which says that somebody is there, whatever the page said
    /// before; nil for another question.
    private func visit(
        _ prompt: Prompt, _ question: PromptQuestion, _ request: HTTPRequest
    ) async throws -> StorefrontVisit? {
        let environment = prompt.details.environment
        let browser = PageVisitor(address: prompt.details.address, environment: environment)
        let known = browser.token(of: request)
        let token = try known ?? sessions.makeVisitor()
        let inApp = ItemPromptRequest(
            prompt, question, name: request.parameters.first ?? "", browser: browser,
            token: (token, known == nil),
            account: try await sessions.account(of: token, in: environment), prompts: prompts)
        guard let inApp else { return nil }
        if prompt.absence != nil { try await prompts.note(.hidden, of: prompt) }
        return items.visit(request, inApp)
    }

    /// Answers with a page of the storefront in the frame of the app that shows an item.
    func below(
        _ request: HTTPRequest, in environment: StoreEnvironment,
        _ body: (StorefrontVisit) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard let prompt = try await prompt(of: request, in: environment),
            case .item = prompt.details.subject,
            let visit = try await visit(prompt, try await prompts.question(of: prompt), request),
            let inApp = visit.inApp
        else { return unknown(environment) }
        guard prompts.state(of: prompt) == .open else {
            return .storefrontRedirect(to: inApp.path)
        }
        return try await framed(visit) { try await body(visit) }
    }

    /// What goes wrong on a page that an app shows, as a page in the same frame.
    private func framed(
        _ visit: StorefrontVisit, _ body: () async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        do {
            return try await body()
        } catch let refusal as PromptRefusal where refusal.isEnd {
            return .storefrontRedirect(to: visit.frame.app?.path ?? visit.frame.home)
        } catch is ForeignStorefrontForm {
            return .foreignForm(in: layout, visit.environment)
        } catch let problem as StorefrontProblem {
            return try visit.personal(nil, status: problem.status) { _ in
                problem.page(in: visit.frame)
            }
        }
    }

    func answer(
        _ request: HTTPRequest, in environment: StoreEnvironment
    ) async throws -> HTTPResponse {
        try await withForm(of: request, in: environment) { prompt, form, visitor, token in
            let isPart = !form[ItemSaleForm.partField].isEmpty
            let answer = PageAnswer(rawValue: form[PageForm.answerField]) ?? (isPart ? .buy : nil)
            guard let answer else { return .foreignForm(in: layout, environment) }
            return try await self.answer(
                answer, form, prompt, visitor: visitor, token: token, request, in: environment)
        }
    }

    private func answer(
        _ answer: PageAnswer, _ form: FormFields, _ prompt: Prompt, visitor: PageVisitor,
        token: String, _ request: HTTPRequest, in environment: StoreEnvironment
    ) async throws -> HTTPResponse {
        let account = try await sessions.account(of: token, in: environment)
        var response = HTTPResponse.redirect(to: request.parameters.first ?? "")
        if answer == .forget {
            try await sessions.end(token)
            return response
        }
        if case .item = prompt.details.subject,
            let visit = try await visit(prompt, try await prompts.question(of: prompt), request)
        {
            return try await framed(visit) { try await items.answer(answer, form, visit) }
        }
        do {
            let (decision, typed) = try await decision(
                answer, form, prompt, known: account, client: request.clientAddress)
            try await prompts.answer(decision, to: prompt, proven: typed ?? account)
            if let typed, let session = try await sessions.start(typed) {
                response.headers.append("Set-Cookie", visitor.cookie(session))
                try await sessions.end(token)
            }
        } catch let refusal as PromptRefusal {
            switch refusal {
            // The page shows how it ended.
            case .notOpen, .exhausted, .unknown: return response
            default:
                return try await again(
                    prompt, token: token, account: account, form, refusal, request)
            }
        }
        return response
    }

    /// Takes what the script of an item's page says of whether somebody looks at it.
    func notePresence(
        _ request: HTTPRequest, in environment: StoreEnvironment
    ) async throws -> HTTPResponse {
        try await withForm(of: request, in: environment) { prompt, form, _, _ in
            guard case .item = prompt.details.subject,
                let presence = PromptPresence(rawValue: form[PageForm.presenceField])
            else { return .foreignForm(in: layout, environment) }
            let state = try await prompts.note(presence, of: prompt)
            return .pageSign(state == .open ? 204 : 410)
        }
    }

    /// Answers with what `body` makes of a form, where the prompt is known and this store's page
    /// has given the form to the browser.
    ///
    /// - Parameter body: gets the prompt, the form, who visits, and the browser's token.
    private func withForm(
        of request: HTTPRequest, in environment: StoreEnvironment,
        _ body: (Prompt, FormFields, PageVisitor, String) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard let prompt = try await prompt(of: request, in: environment) else {
            return unknown(environment)
        }
        let form = try FormFields(request)
        let visitor = PageVisitor(address: prompt.details.address, environment: environment)
        guard let token = token(of: form, visitor, request) else {
            return .foreignForm(in: layout, environment)
        }
        return try await body(prompt, form, visitor, token)
    }

    /// The browser's token, where this store's page has given the form to it.
    private func token(
        of form: FormFields, _ visitor: PageVisitor, _ request: HTTPRequest
    ) -> String? {
        guard visitor.isOwnForm(request), let token = visitor.token(of: request),
            form[PageForm.tokenField]
                == sessions.formToken(of: token, on: request.parameters.first ?? "")
        else { return nil }
        return token
    }

    /// What a button means, and the account whose password came with it.
    private func decision(
        _ answer: PageAnswer, _ form: FormFields, _ prompt: Prompt, known: Account?,
        client: String?
    ) async throws -> (PromptDecision, typed: Account?) {
        let subject = prompt.details.subject
        let decision: PromptDecision
        switch answer {
        case .yes: decision = .yes
        case .no: decision = .no
        case .later: decision = .later
        case .redeem:
            guard let code = PromptRules.code(form["code"]) else {
                throw PromptRefusal.codeMalformed
            }
            decision = .code(code)
        case .signIn:
            guard case .signIn = subject else { throw PromptRefusal.wrongAnswer }
            let proven = try await prompts.prove(
                email: form["email"], password: form["password"], for: prompt,
                client: client, mayConvert: PageForm.mayConvert(form))
            return (.signedIn(proven.id), proven)
        case .forget, .buy, .done, .leave: throw PromptRefusal.wrongAnswer
        }
        guard PromptRules.needsProof(decision, subject), known?.id != prompt.details.account,
            case let password = form["password"], !password.isEmpty
        else { return (decision, nil) }
        return (
            decision,
            try await prompts.prove(
                email: nil, password: password, for: prompt, client: client)
        )
    }

    /// The question once more, with what was wrong.
    private func again(
        _ prompt: Prompt, token: String, account: Account?, _ form: FormFields,
        _ refusal: PromptRefusal, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        let question = try await prompts.question(of: prompt)
        var page = page(prompt, question, token: token, account: account, request)
        page.problem = Self.sentence(refusal, isOwn: question.account != nil, in: layout.texts)
        page.typedEmail = form["email"]
        if case .wouldConvert = refusal { page.asksToConvert = true }
        return .page(page.html(in: layout), status: 422)
    }

    private func page(
        _ prompt: Prompt, _ question: PromptQuestion, token: String, account: Account?,
        _ request: HTTPRequest
    ) -> PromptPage {
        PromptPage(
            question: question,
            isProven: account != nil && account?.id == prompt.details.account,
            formToken: sessions.formToken(of: token, on: request.parameters.first ?? ""))
    }

    private func prompt(
        of request: HTTPRequest, in environment: StoreEnvironment
    ) async throws -> Prompt? {
        guard let token = request.parameters.first, token.utf8.count <= 128 else { return nil }
        return try await prompts.prompt(page: token, environment: environment)
    }

    private func unknown(_ environment: StoreEnvironment) -> HTTPResponse {
        .page(
            EndingPage.unknown.html(in: layout, environment: environment),
            status: EndingPage.unknown.status)
    }

    private func ending(_ ended: EndingPage, _ question: PromptQuestion) -> HTTPResponse {
        .page(
            ended.html(
                in: layout, appName: question.appName, environment: question.environment),
            status: ended.status)
    }

    /// - Parameter isOwn: whether the page says itself whose password it wants.
    static func sentence(
        _ refusal: PromptRefusal, isOwn: Bool, in texts: Texts = .english
    ) -> String {
        switch refusal {
        case .signInWrong where isOwn: texts.passwordWrong
        case .signInWrong: texts.emailOrPasswordWrong
        case .signInDelayed(let delay): texts.tooManyPasswords(count: delay.minutes)
        case .testerConverted(let email): texts.testerConverted(email: email)
        case .wouldConvert(let email): texts.wouldConvert(email: email)
        case .otherAccount: texts.otherAccount
        case .notProven: texts.typePassword
        case .codeMalformed: texts.noCode
        case .unknown, .notOpen, .exhausted: texts.questionOver
        case .wrongAnswer: texts.noAnswer
        }
    }
}
