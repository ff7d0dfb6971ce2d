import StoreModel
import StoreTexts

/// An addition of OpenStoreKit: asks on the terminal of the process.
public struct OpenStoreTerminalSheet: OpenStoreSheet {
    private let place: @Sendable () -> Int32
    private let device: @Sendable () throws -> StoreDevice
    private let open: @Sendable (URL) throws -> Void
    private let texts: Texts
    private let retry: RetryPolicy

    /// A sheet on the controlling terminal.
    public init() {
        self.init(opening: { try BrowserCommand.open($0) })
    }

    /// - Parameters:
    ///   - place: opens the terminal.
    ///   - device: whose customer is asked.
    ///   - open: opens a page in the browser.
    init(
        at place: @escaping @Sendable () -> Int32 = Terminal.controlling,
        device: @escaping @Sendable () throws -> StoreDevice = { try StoreDevice.current() },
        opening open: @escaping @Sendable (URL) throws -> Void, texts: Texts = .device,
        retry: RetryPolicy = .standard
    ) {
        self.place = place
        self.device = device
        self.open = open
        self.texts = texts
        self.retry = retry
    }

    /// Asks whether to buy.
    public func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool {
        try await Terminal.exclusive(at: place) { terminal in
            let isSubscription = question.renewal != nil
            var frame = SheetFrame(
                isSubscription ? texts.confirmSubscription : texts.confirmPurchase,
                columns: terminal.columns)
            frame.add(question.facts(in: texts))
            if let notice = question.notice(in: texts) { frame.add(notice) }
            if question.isSandbox { frame.add(texts.sandboxMark) }
            terminal.write(frame.text)
            while true {
                let prompt = isSubscription ? texts.askSubscribe : texts.askBuy
                guard let answer = terminal.ask(prompt) else { return false }
                switch YesOrNo(answer, in: texts) {
                case .yes: return true
                case .no, .nothing: return false
                case nil: continue
                }
            }
        }
    }

    /// Asks who the customer is.
    public func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
        try await Terminal.exclusive(at: place) { terminal in
            var frame = SheetFrame(texts.signIn, columns: terminal.columns)
            frame.add(question.problem ?? texts.signInToGoOn)
            if question.isSandbox { frame.add(texts.sandboxMark) }
            terminal.write(frame.text)
            var email = question.email
            if let email {
                terminal.write("\(texts.email): \(email.terminalText())\n")
            } else {
                email = terminal.ask("\(texts.email): ")?.trimmingCharacters(in: .whitespaces)
            }
            guard let email, !email.isEmpty,
                let password = terminal.ask("\(texts.password): ", echo: false), !password.isEmpty
            else { return nil }
            return OpenStoreCredentials(email: email, password: password)
        }
    }

    /// Asks for an offer code.
    public func redeem(_ question: OpenStoreRedemptionQuestion) async throws -> String? {
        try await Terminal.exclusive(at: place) { terminal in
            var frame = SheetFrame(texts.redeemCode, columns: terminal.columns)
            frame.add(question.problem ?? texts.enterCode)
            frame.add([(texts.account, question.account)])
            if question.isSandbox { frame.add(texts.sandboxMark) }
            terminal.write(frame.text)
            let code = terminal.ask("\(texts.code): ")?.trimmingCharacters(in: .whitespaces)
            return code?.isEmpty == false ? code : nil
        }
    }

    /// Asks about a higher price.
    public func consent(_ question: OpenStorePriceConsentQuestion) async throws -> Bool? {
        try await Terminal.exclusive(at: place) { terminal in
            var frame = SheetFrame(texts.priceIncrease, columns: terminal.columns)
            frame.add(question.facts(in: texts))
            if question.isSandbox { frame.add(texts.sandboxMark) }
            terminal.write(frame.text)
            while true {
                guard let answer = terminal.ask(texts.askAgree) else { return nil }
                switch YesOrNo(answer, in: texts) {
                case .yes: return true
                case .no: return false
                case .nothing: return nil
                case nil: continue
                }
            }
        }
    }

    /// Writes the address of a page, which terminals make a link.
    public func show(_ page: OpenStorePage) async throws {
        let wantsPage = try await Terminal.exclusiveUnlessCancelled(at: place) { terminal in
            var frame = SheetFrame(page.title, columns: terminal.columns)
            // Unbroken, however long it is: terminals make it a link.
            frame.add(lines: [page.url.absoluteString.terminalText()])
            terminal.write(frame.text)
            let answer = terminal.ask(texts.returnOrOpen)
            return ["o", "open"].contains(
                answer?.trimmingCharacters(in: .whitespaces).lowercased())
        }
        if wantsPage { try open(page.url) }
    }

    /// Shows an item on the terminal, where the customer reads its reviews, buys and downloads it,
    /// and reviews it. Only the pages of its publisher and of the store open in the browser.
    ///
    /// - Throws: what keeps the item from being shown.
    public func present(_ item: OpenStoreItem) async throws {
        try await ItemDialog(
            device: try device(), place: place, open: open, texts: texts, retry: retry
        ).run(item)
    }

    /// Asks for stars, and then for a title and a text.
    public func review(_ question: OpenStoreReviewQuestion) async throws -> OpenStoreReview? {
        try await Terminal.exclusiveUnlessCancelled(at: place) { terminal in
            var frame = SheetFrame(
                texts.rateApp(app: question.title), columns: terminal.columns)
            frame.add(question.problem ?? texts.enjoyApp(app: question.title))
            if question.isSandbox { frame.add(texts.sandboxMark) }
            terminal.write(frame.text)
            return ReviewDialog(terminal: terminal, texts: texts).ask(changing: question.before)
                .map {
                    OpenStoreReview(
                        stars: $0.rating, title: $0.title, text: $0.body, nickname: $0.nickname)
                }
        }
    }
}

/// What a customer types to say yes or no: in their language, or `y` and `n` as everywhere.
enum YesOrNo: Sendable, Hashable {
    case yes, no
    /// Return alone.
    case nothing

    /// Nil for what is none of them.
    init?(_ answer: String, in texts: Texts) {
        let word = answer.trimmingCharacters(in: .whitespaces).lowercased()
        if word.isEmpty {
            self = .nothing
        } else if ["y", "yes"].contains(word) || Self.words(texts.yesAnswers).contains(word) {
            self = .yes
        } else if ["n", "no"].contains(word) || Self.words(texts.noAnswers).contains(word) {
            self = .no
        } else {
            return nil
        }
    }

    private static func words(_ list: String) -> [String] {
        list.split(scalar: " ").map { $0.lowercased() }
    }
}
