import StoreModel

/// An addition of OpenStoreKit: asks on the terminal of the process.
public struct OpenStoreTerminalSheet: OpenStoreSheet {
    /// Buys where no password is typed into the app.
    private let browser: OpenStoreBrowserSheet
    private let open: @Sendable (URL) throws -> Void

    /// A sheet on the controlling terminal.
    public init() {
        self.init(browser: OpenStoreBrowserSheet(), opening: { try BrowserCommand.open($0) })
    }

    init(browser: OpenStoreBrowserSheet, opening open: @escaping @Sendable (URL) throws -> Void) {
        self.browser = browser
        self.open = open
    }

    /// Asks whether to buy.
    public func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool {
        try await Terminal.exclusive { terminal in
            let isSubscription = question.renewal != nil
            var frame = SheetFrame(
                isSubscription ? "Confirm Your Subscription" : "Confirm Your In-App Purchase",
                columns: terminal.columns)
            frame.add(question.facts)
            if let notice = question.charge.sentence { frame.add(notice) }
            if question.isSandbox { frame.add(sandboxMark) }
            terminal.write(frame.text)
            while true {
                let action = isSubscription ? RenewalNotice.action : "Buy"
                guard let answer = terminal.ask("\(action)? [y/n] ") else { return false }
                switch answer.trimmingCharacters(in: .whitespaces).lowercased() {
                case "y", "yes": return true
                case "n", "no", "": return false
                default: continue
                }
            }
        }
    }

    /// Asks who the customer is.
    public func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
        try await Terminal.exclusive { terminal in
            var frame = SheetFrame("Sign In", columns: terminal.columns)
            frame.add(question.problem ?? "Sign in to the store to go on.")
            if question.isSandbox { frame.add(sandboxMark) }
            terminal.write(frame.text)
            var email = question.email
            if let email {
                terminal.write("Email: \(email.terminalText())\n")
            } else {
                email = terminal.ask("Email: ")?.trimmingCharacters(in: .whitespaces)
            }
            guard let email, !email.isEmpty,
                let password = terminal.ask("Password: ", echo: false), !password.isEmpty
            else { return nil }
            return OpenStoreCredentials(email: email, password: password)
        }
    }

    /// Asks for an offer code.
    public func redeem(_ question: OpenStoreRedemptionQuestion) async throws -> String? {
        try await Terminal.exclusive { terminal in
            var frame = SheetFrame("Redeem Code", columns: terminal.columns)
            frame.add(question.problem ?? "Enter the code that you were given.")
            frame.add([("Account", question.account)])
            if question.isSandbox { frame.add(sandboxMark) }
            terminal.write(frame.text)
            let code = terminal.ask("Code: ")?.trimmingCharacters(in: .whitespaces)
            return code?.isEmpty == false ? code : nil
        }
    }

    /// Asks about a higher price.
    public func consent(_ question: OpenStorePriceConsentQuestion) async throws -> Bool? {
        try await Terminal.exclusive { terminal in
            var frame = SheetFrame("Price Increase", columns: terminal.columns)
            frame.add(question.facts)
            if question.isSandbox { frame.add(sandboxMark) }
            terminal.write(frame.text)
            while true {
                guard let answer = terminal.ask("Agree? [y/n, Return for later] ") else {
                    return nil
                }
                switch answer.trimmingCharacters(in: .whitespaces).lowercased() {
                case "y", "yes": return true
                case "n", "no": return false
                case "": return nil
                default: continue
                }
            }
        }
    }

    /// Writes the address of a page, which terminals make a link.
    public func show(_ page: OpenStorePage) async throws {
        let wantsPage = try await Terminal.exclusiveUnlessCancelled { terminal in
            var frame = SheetFrame(page.title, columns: terminal.columns)
            // Unbroken, however long it is: terminals make it a link.
            frame.add(lines: [page.url.absoluteString.terminalText()])
            terminal.write(frame.text)
            let answer = terminal.ask("Press Return to go on, or o to open it in the browser. ")
            return Choice(answer) == .open
        }
        if wantsPage { try open(page.url) }
    }

    /// Shows an item on the terminal. It is bought on a page of the store, which takes the
    /// password.
    public func present(_ item: OpenStoreItem) async throws {
        var isFirst = true
        while true {
            let isShown = isFirst
            isFirst = false
            let choice = try await Terminal.exclusiveUnlessCancelled { terminal in
                if isShown {
                    let card = ItemCard(item).text(width: terminal.columns - 4)
                    var frame = SheetFrame(card.title, columns: terminal.columns)
                    frame.add(lines: card.lines)
                    // On a line of its own, terminals make it a link.
                    terminal.write(frame.text + item.url.absoluteString.terminalText() + "\n")
                }
                while true {
                    guard let answer = terminal.ask(ItemCard.choices) else { return Choice.done }
                    if let choice = Choice(answer) { return choice }
                }
            }
            switch choice {
            case .open: try open(item.url)
            case .buy: return try await buy(item)
            case .done: return
            }
        }
    }

    /// What a customer types in front of an item.
    private enum Choice: Sendable {
        case open, buy, done

        /// Nil for what is none.
        init?(_ answer: String?) {
            switch (answer ?? "").trimmingCharacters(in: .whitespaces).lowercased() {
            case "o", "open": self = .open
            case "b", "buy": self = .buy
            case "", "d", "done", "q": self = .done
            default: return nil
            }
        }
    }

    /// Has the item bought on its page, until the customer is done there or says so here.
    private func buy(_ item: OpenStoreItem) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await browser.present(item) }
            group.addTask {
                try await Terminal.exclusiveUnlessCancelled { terminal in
                    _ = terminal.ask(
                        "Go on on the page. Press Done there, or Return here, to come back.\n")
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
