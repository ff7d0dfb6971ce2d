import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

/// What a customer's answer on a page, a code and a consent come to where the store lies about them.
struct LyingSheets {
    /// A question, and which answers of the store about it are lied about.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        /// Whether a path is one of those answers'.
        var concerns: @Sendable (String) -> Bool
        /// Places that may be absent.
        var optional: Set<String> = []
        /// Asks, and says whether the sheet gave what the customer has answered.
        var ask: @Sendable (OpenStoreBrowserSheet) async throws -> Bool

        var testDescription: String { name }
    }

    private static let isPrompt: @Sendable (String) -> Bool = { $0.hasSuffix("/prompts") }
    private static let isState: @Sendable (String) -> Bool = { $0.contains("/prompts/") }

    private static let confirm: @Sendable (OpenStoreBrowserSheet) async throws -> Bool = { sheet in
        try await sheet.confirm(
            OpenStorePurchaseQuestion(
                isSandbox: true, productIdentifier: SampleShop.credits, title: "Credits",
                quantity: 1, price: "$0.99", account: TestStore.american, needsApproval: false,
                unitPrice: Money(thousandths: 990, currency: "USD"), renewal: nil))
    }

    private static let rows: [Row] = [
        Row(name: "a page", concerns: isPrompt, ask: confirm),
        Row(
            name: "a confirmation", concerns: isState, optional: ["code", "session"], ask: confirm),
        Row(name: "a code", concerns: isState, optional: ["session"]) { sheet in
            let question = OpenStoreRedemptionQuestion(
                isSandbox: true, account: TestStore.american, problem: nil)
            return try await sheet.redeem(question) == "SPRING26"
        },
        Row(name: "a sign-in", concerns: isState, optional: ["code", "session.asksToBuy"]) {
            sheet in
            let question = OpenStoreSignInQuestion(isSandbox: true, email: nil, problem: nil)
            return try await sheet.signIn(question)?.session?.email == TestStore.american
        },
    ]

    @Test(arguments: rows)
    func `what is said of a page is the customer's answer, an error, or none`(
        _ row: Row
    ) async throws {
        let store = try await TestStore(hasContent: false)
        let isLost = Mutex(false)
        let customer = PageCustomer(
            store, overdue: { try await until { isLost.withLock { $0 } } },
            lost: { isLost.withLock { $0 = true } }
        ) { page in
            if page.buttons.contains("redeem") {
                return ("redeem", ["code": "SPRING26", "password": TestStore.password])
            }
            if page.buttons.contains("signIn") {
                return ("signIn", ["email": TestStore.american, "password": TestStore.password])
            }
            return ("yes", ["password": TestStore.password])
        }
        let truth = Mutex<Data?>(nil)
        let next = Mutex<FieldLie?>(nil)
        let transport = InterferingTransport(change: { path, answer in
            guard row.concerns(path), !answer.isEmpty else { return answer }
            truth.withLock { $0 = answer }
            return next.withLock { $0.take() }?.applied(to: answer) ?? answer
        })
        let device = try await TestDevice(store, transport: transport, customer: customer.sheet)
        try device.device.sessions.save(
            try await device.device.client.signIn(
                email: TestStore.american, password: TestStore.password))
        customer.serve(device.device)
        let sheet = customer.sheet
        try #require(try await row.ask(sheet))
        let lies = try FieldLie.all(about: try #require(truth.withLock { $0 }))
        try #require(lies.count >= 32)
        var believed: [String] = []
        for (number, lie) in lies.enumerated() {
            next.withLock { $0 = lie }
            do {
                let isHonest = try await row.ask(sheet)
                if isHonest, lie.isPlain(whereOptionalAre: row.optional) {
                    believed.append("\(lie)")
                }
            } catch {
                #expect(!visibleError(error).localizedDescription.isEmpty)
            }
            next.withLock { $0 = nil }
            isLost.withLock { $0 = false }
            let isLastOfPlace = number + 1 == lies.count || lies[number + 1].path != lie.path
            if isLastOfPlace { #expect(try await row.ask(sheet), "after \(lie)") }
        }
        #expect(believed.isEmpty)
    }

    @Test(arguments: ["pending ", "", "PENDING", "maybe", "yes\u{0}", "left", "expired"])
    func `a page in a state that means no yes buys nothing`(state: String) async throws {
        let store = try await TestStore(hasContent: false)
        let customer = PageCustomer(store) { _ in ("yes", ["password": TestStore.password]) }
        let isLying = Mutex(true)
        let transport = InterferingTransport(change: { path, answer in
            guard Self.isState(path), isLying.withLock({ $0 }) else { return answer }
            return try WireCoding.encode(PromptStateAnswer(state: .init(rawValue: state)))
        })
        let device = try await TestDevice(store, transport: transport, customer: customer.sheet)
        try device.device.sessions.save(
            try await device.device.client.signIn(
                email: TestStore.american, password: TestStore.password))
        customer.serve(device.device)
        let failed = try await device.buy(SampleShop.credits)
        #expect((failed.error as? SKError)?.code == .paymentCancelled)
        #expect(try await store.ledger().isEmpty)
        isLying.withLock { $0 = false }
        #expect(try await device.buy(SampleShop.credits).transactionState == .purchased)
    }

    /// A page that is pending for ever, for the first question only.
    ///
    /// - Parameter abandoned: counts the pages that nobody waits for any longer.
    private static func held(
        _ store: TestStore, _ polls: Counter, abandoned: Counter = Counter()
    ) -> InterferingTransport {
        let held = Mutex<String?>(nil)
        return InterferingTransport(
            before: { request in
                if request.httpMethod == "DELETE", isState(request.url?.path ?? "") {
                    _ = abandoned.next()
                }
            },
            change: { path, answer in
                guard isState(path) else { return answer }
                let isHeld = held.withLock { held in
                    held = held ?? path
                    return held == path
                }
                guard isHeld else { return answer }
                _ = polls.next()
                return try WireCoding.encode(PromptStateAnswer(state: .pending))
            })
    }

    /// A customer who says yes, and whose first page is overdue when it was asked for some times.
    private static func customer(_ store: TestStore, _ polls: Counter) -> PageCustomer {
        let pages = Counter()
        return PageCustomer(
            store,
            overdue: {
                guard pages.next() == 1 else { return try await Task.sleep(for: .seconds(3600)) }
                try await until { polls.value >= 3 }
            }
        ) { _ in ("yes", ["password": TestStore.password]) }
    }

    @Test func `a page that is pending for ever ends its payment, and the next one goes on`()
        async throws
    {
        let store = try await TestStore(hasContent: false)
        let (polls, abandoned) = (Counter(), Counter())
        let customer = Self.customer(store, polls)
        let device = try await TestDevice(
            store, transport: Self.held(store, polls, abandoned: abandoned),
            customer: customer.sheet)
        try device.device.sessions.save(
            try await device.device.client.signIn(
                email: TestStore.american, password: TestStore.password))
        customer.serve(device.device)
        device.queue.add(device.recorder)
        for product in [SampleShop.credits, SampleShop.badge] {
            device.queue.add(TestDevice.payment(product))
        }
        let failed = try await device.recorder.transaction { $0.transactionState == .failed }
        #expect(failed.payment.productIdentifier == SampleShop.credits)
        #expect((failed.error as? SKError)?.code == .paymentCancelled)
        let bought = try await device.recorder.transaction { $0.transactionState == .purchased }
        #expect(bought.payment.productIdentifier == SampleShop.badge)
        #expect(device.recorder.logged.count { $0.contains("counts as expired") } == 1)
        #expect(try await store.ledger().count == 1)
        // The store hears that nobody waits for it any longer.
        try await until { abandoned.value == 1 }
    }

    @Test func `where nobody answers a question about a price, the others wait`() async throws {
        let store = try await TestStore(hasContent: false)
        let polls = Counter()
        let customer = Self.customer(store, polls)
        let device = try await TestDevice(
            store, transport: Self.held(store, polls), customer: customer.sheet)
        try device.device.sessions.save(
            try await device.device.client.signIn(
                email: TestStore.american, password: TestStore.password))
        customer.serve(device.device)
        for product in [SampleShop.credits, SampleShop.badge, SampleShop.chapter] {
            try await store.askConsent(product, newPrice: 2990)
        }
        let session = try #require(device.device.sessions.session)
        let answer = try await device.device.client.events(after: 0, wait: 0, session: session)
        try #require(answer.consents.count == 3)
        device.engine.state.withLock { $0.consents = answer.consents }
        device.queue.showPriceConsentIfNeeded()
        await device.engine.jobs.end()
        // What waits behind them has its turn after one page, not after three.
        #expect(customer.urls.count == 1)
        #expect(device.recorder.logged.contains { $0.contains("left for later") })
        #expect(try await store.openConsents() == 3)
        device.queue.showPriceConsentIfNeeded()
        await device.engine.jobs.end()
        #expect(try await store.openConsents() == 0)
    }

    // MARK: Codes and consents

    /// A customer who redeems what a test has them type, and agrees to everything.
    private static func customer(
        typing codes: @escaping @Sendable () -> String?
    ) -> OpenStoreScriptedSheet {
        OpenStoreScriptedSheet(
            confirm: { _ in true },
            signIn: { _ in
                OpenStoreCredentials(email: TestStore.american, password: TestStore.password)
            }, redeem: { _ in codes() }, consent: { _ in true })
    }

    @Test func `whatever the answer to a code says, it gives its product once`() async throws {
        let code = Mutex("")
        let device = try await LyingDevice(
            customer: Self.customer { code.withLock { $0 } })
        func redeem(_ number: Int) async throws -> SKPaymentTransaction {
            let text = "WELCOME\(1000 + number)"
            try await device.store.addCode(text, for: SampleShop.chapter)
            code.withLock { $0 = text }
            device.test.queue.presentCodeRedemptionSheet()
            return try await device.test.recorder.transaction { $0.transactionState == .purchased }
        }
        _ = try await redeem(0)
        let truth = try #require(device.liar.truth(about: DeviceRoute.redemptions))
        let lies = try FieldLie.all(about: truth)
        try #require(lies.count >= 48)
        for (number, lie) in lies.enumerated() {
            device.liar.tell([.changed { lie.applied(to: $0) }], about: DeviceRoute.redemptions)
            let got = try await redeem(number + 1)
            #expect(got.payment.productIdentifier == SampleShop.chapter, "\(lie)")
            for download in got.downloads { LyingDevice.look(at: download) }
        }
        let shown = device.test.queue.transactions.compactMap(\.transactionIdentifier)
        #expect(shown.count == lies.count + 1 && Set(shown).count == shown.count)
        #expect(Set(shown).isSubset(of: try await device.store.ledger().map(\.id.description)))
    }

    @Test func `a store that refuses each code is asked about five, and the queue goes on`()
        async throws
    {
        let typed = Counter()
        let device = try await LyingDevice(
            customer: Self.customer { "WELCOME\(typed.next())" })
        let refusal = WireError(code: .codeUnknown, message: "There is no such code.")
        device.liar.keepTelling(
            .instead(status: 422, body: try WireCoding.encode(refusal)),
            about: DeviceRoute.redemptions)
        device.test.queue.presentCodeRedemptionSheet()
        let bought = try await device.test.buy(SampleShop.credits)
        #expect(bought.transactionState == .purchased)
        #expect(typed.value == 5)
    }

    /// A lie about the answer to a consent.
    struct ConsentLie: Sendable, CustomTestStringConvertible {
        var name: String
        var lie: LyingStore.Lie

        var testDescription: String { name }
    }

    private static let consentLies: [ConsentLie] = [
        ConsentLie(name: "nothing", lie: .bytes("")),
        ConsentLie(name: "404", lie: .instead(status: 404, body: Data())),
        ConsentLie(name: "500", lie: .instead(status: 500, body: Data("[[[[".utf8))),
        ConsentLie(name: "no end", lie: .endless),
        ConsentLie(
            name: "elsewhere",
            lie: .bytes(
                "HTTP/1.1 307 On\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n")),
        // The store has never heard of it.
        ConsentLie(name: "done", lie: .instead(status: 204, body: Data())),
    ]

    @Test(arguments: consentLies)
    func `a consent that the store has not taken is asked for again`(
        _ row: ConsentLie
    ) async throws {
        let store = try await TestStore(hasContent: false)
        let liar = try LyingStore(before: store)
        let device = try await TestDevice(
            store, profile: try await store.profile(address: liar.address), listens: true,
            customer: Self.customer { nil })
        try await device.device.signedIn()
        device.queue.add(device.recorder)
        try await device.untilListening()
        liar.tell([row.lie], about: "/consents/")
        try await store.askConsent(SampleShop.credits, newPrice: 1990)
        try await until { liar.requests(about: "/consents/").count == 1 }
        // The queue goes on, and the next news asks of all that are open.
        #expect(try await device.buy(SampleShop.badge).transactionState == .purchased)
        #expect(try await store.openConsents() == 1)
        try await store.askConsent(SampleShop.badge, newPrice: 1990)
        try await until { try await store.openConsents() == 0 }
        await device.engine.close()
    }
}
