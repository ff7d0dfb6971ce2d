import Foundation
import FoundationNetworking
import StoreModel
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

@testable import StoreKit

/// The sheet against a real store, with a customer who answers on the pages over HTTP.
struct BrowserSheets {
    @Test func `a purchase goes from the sign-in page to the confirmation page`() async throws {
        let store = try await TestStore()
        let customer = PageCustomer(store) { page in
            page.buttons.contains("signIn")
                ? ("signIn", ["email": TestStore.american, "password": TestStore.password])
                : ("yes", [:])
        }
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        let bought = try await device.buy(SampleShop.credits, quantity: 3)
        #expect(bought.transactionState == .purchased)
        let ledger = try await store.ledger()
        #expect(ledger.map(\.details.quantity) == [3])
        // The browser was signed in by the first page, so the second asked for no password.
        #expect(customer.titles == ["Sign In", "Confirm Your In-App Purchase"])
        #expect(customer.passwordFields == [true, false])
    }

    @Test func `a purchase that is cancelled on the page fails so`() async throws {
        let store = try await TestStore()
        let customer = PageCustomer(store) { page in
            page.buttons.contains("signIn")
                ? ("signIn", ["email": TestStore.american, "password": TestStore.password])
                : ("no", [:])
        }
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        let ended = try await device.buy(SampleShop.credits)
        #expect(ended.transactionState == .failed)
        #expect((ended.error as? SKError)?.code == .paymentCancelled)
        #expect(try await store.ledger().isEmpty)
    }

    @Test func `giving the sign-in up cancels the payment`() async throws {
        let store = try await TestStore()
        let customer = PageCustomer(store) { _ in ("no", [:]) }
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        let ended = try await device.buy(SampleShop.credits)
        #expect((ended.error as? SKError)?.code == .paymentCancelled)
        #expect(device.device.sessions.session == nil)
    }

    @Test func `too many wrong passwords end the payment`() async throws {
        let store = try await TestStore()
        let customer = PageCustomer(store) { _ in
            ("signIn", ["email": TestStore.american, "password": "wrong"])
        }
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        let ended = try await device.buy(SampleShop.credits)
        #expect((ended.error as? SKError)?.code == .paymentNotAllowed)
    }

    /// A device on which the American account is signed in.
    private func signedIn(
        _ store: TestStore, _ customer: PageCustomer, transport: (any RequestTransport)? = nil
    ) async throws -> TestDevice {
        let device = try await TestDevice(store, transport: transport, customer: customer.sheet)
        try device.device.sessions.save(
            try await device.device.client.signIn(
                email: TestStore.american, password: TestStore.password))
        customer.serve(device.device)
        return device
    }

    @Test func `a code comes as it was typed, and nil where the customer gives up`() async throws {
        let store = try await TestStore()
        let customer = PageCustomer(store) { page in
            ("redeem", ["code": "SPRING26", "password": TestStore.password])
        }
        let device = try await signedIn(store, customer)
        let question = OpenStoreRedemptionQuestion(
            isSandbox: true, account: TestStore.american, problem: nil)
        #expect(try await customer.sheet.redeem(question) == "SPRING26")
        customer.decide { _ in ("no", [:]) }
        #expect(try await customer.sheet.redeem(question) == nil)
        _ = device
    }

    @Test(arguments: [("yes", true as Bool?), ("no", false), ("later", nil)])
    func `consent is given, refused or put off`(answer: String, consent: Bool?) async throws {
        let store = try await TestStore()
        let customer = PageCustomer(store) { _ in
            (answer, ["password": TestStore.password])
        }
        let device = try await signedIn(store, customer)
        let question = OpenStorePriceConsentQuestion(
            isSandbox: true, productIdentifier: SampleShop.chapter, title: "not shown",
            currentPrice: "not shown", newPrice: "not shown", account: TestStore.american,
            currentAmount: Money(thousandths: 1990, currency: "USD"),
            newAmount: Money(thousandths: 2990, currency: "USD"))
        #expect(try await customer.sheet.consent(question) == consent)
        #expect(!customer.words.contains("not shown"))
        _ = device
    }

    @Test func `a network that fails while the customer thinks is survived`() async throws {
        let store = try await TestStore()
        let customer = PageCustomer(store) { _ in ("yes", ["password": TestStore.password]) }
        let polls = Counter()
        let transport = InterferingTransport(before: { request in
            guard request.httpMethod == "GET", request.url?.path.contains("/prompts/") == true
            else { return }
            if polls.next() <= 2 { throw URLError(.networkConnectionLost) }
        })
        let device = try await signedIn(store, customer, transport: transport)
        let bought = try await device.buy(SampleShop.credits)
        #expect(bought.transactionState == .purchased)
        #expect(polls.value >= 3)
    }

    @Test func `a session that is lost on the way is asked for anew`() async throws {
        let store = try await TestStore()
        let customer = PageCustomer(store) { _ in
            ("signIn", ["email": TestStore.american, "password": TestStore.password])
        }
        let lost = Counter()
        let transport = InterferingTransport(change: { path, answer in
            let text = String(decoding: answer, as: UTF8.self)
            guard path.contains("/prompts/"), text.contains("signedIn"), lost.next() == 1 else {
                return answer
            }
            throw URLError(.networkConnectionLost)
        })
        let device = try await TestDevice(store, transport: transport, customer: customer.sheet)
        customer.serve(device.device)
        let session = try await device.device.signedIn()
        #expect(session.email == TestStore.american)
        #expect(customer.titles == ["Sign In", "Sign In"])
    }

    @Test func `a task that is cancelled takes its prompt with it`() async throws {
        let store = try await TestStore()
        let customer = PageCustomer(store, answers: false) { _ in ("no", [:]) }
        let device = try await signedIn(store, customer)
        let question = OpenStoreRedemptionQuestion(
            isSandbox: true, account: TestStore.american, problem: nil)
        let task = Task { try await customer.sheet.redeem(question) }
        try await store.untilPrompted()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let page = try await customer.browser.open(try #require(customer.urls.first))
        #expect(page.words.contains("No Longer Needed"))
        _ = device
    }

    @Test func `a page of another store is not opened`() async throws {
        let store = try await TestStore()
        let customer = PageCustomer(store) { _ in ("no", [:]) }
        let transport = InterferingTransport(change: { path, answer in
            guard path.hasSuffix("/prompts") else { return answer }
            var prompt = try WireCoding.decode(PromptAnswer.self, from: answer)
            prompt.url = "http://evil.example/prompts/x"
            return try WireCoding.encode(prompt)
        })
        let device = try await signedIn(store, customer, transport: transport)
        let question = OpenStoreRedemptionQuestion(
            isSandbox: true, account: TestStore.american, problem: nil)
        await #expect(throws: URLError.self) { try await customer.sheet.redeem(question) }
        #expect(customer.urls.isEmpty)
        _ = device
    }

    @Test func `the environment chooses the sheet`() {
        #expect(OpenStore.sheet(named: "browser").sheet is OpenStoreBrowserSheet)
        for name in ["terminal", "", "window", nil] {
            #expect(OpenStore.sheet(named: name).sheet is OpenStoreTerminalSheet)
        }
    }
}

/// How addresses come to the customer.
struct BrowserCommands {
    private let url = URL(string: "http://store.example/prompts/a;b$(c)")!

    @Test(
        arguments: [
            ([:], []),
            (["DISPLAY": ":0"], [["xdg-open", "U"]]),
            (["BROWSER": "w3m"], [["w3m", "U"]]),
            (
                ["BROWSER": "firefox --new-window %s:w3m", "WAYLAND_DISPLAY": "wayland-0"],
                [["firefox", "--new-window", "U"], ["w3m", "U"], ["xdg-open", "U"]]
            ),
            (["BROWSER": "::", "DISPLAY": ""], []),
        ] as [([String: String], [[String]])])
    func `the browser is the one that the desktop names`(
        environment: [String: String], expected: [[String]]
    ) {
        let commands = BrowserCommand.commands(for: url, environment: environment)
        #expect(commands == expected.map { $0.map { $0 == "U" ? url.absoluteString : $0 } })
    }

    @Test func `a browser gets the address as one word, and no shell sees it`() async throws {
        let folder = try TemporaryFolder()
        let output = folder.file("output")
        let program = try folder.write(
            "browser",
            "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$1\" > '\(output.path).part'\n"
                + "mv '\(output.path).part' '\(output.path)'\n")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: program.path)
        try BrowserCommand.open(
            url, environment: ["BROWSER": program.path, "PATH": "/usr/bin:/bin"],
            write: { Issue.record("\($0)") })
        try await until { FileManager.default.fileExists(atPath: output.path) }
        let text = try String(contentsOf: output, encoding: .utf8)
        #expect(text == "1\n\(url.absoluteString)\n")
    }

    @Test(arguments: ["", "/nowhere/browser", "/bin/false"])
    func `without a browser the address is written`(browser: String) async throws {
        let (lines, continuation) = AsyncStream<String>.makeStream()
        try BrowserCommand.open(
            url, environment: ["BROWSER": browser, "PATH": "/usr/bin:/bin"],
            write: { continuation.yield($0) })
        var iterator = lines.makeAsyncIterator()
        #expect(await iterator.next() == "Open this page to go on: \(url.absoluteString)")
    }

    @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "mailto:a@b"])
    func `only pages of the web are opened`(address: String) throws {
        #expect(throws: SKError.self) {
            try BrowserCommand.open(URL(string: address)!, environment: [:], write: { _ in })
        }
    }
}
