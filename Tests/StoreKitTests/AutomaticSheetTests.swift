import Foundation
@testable import StoreKit
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// `OPENSTORE_SHEET=accept` and `decline`.
struct AutomaticSheets {
    private static let tester = "\(TestStore.american):\(TestStore.password)"

    private static func sheet(
        accepts: Bool = true, tester: String? = tester, isSandbox: Bool = true
    ) -> AutomaticSheet {
        AutomaticSheet(accepts: accepts, tester: tester, isSandbox: { isSandbox })
    }

    @Test(arguments: [true, false])
    func `the tester is signed in, and the payment is accepted or declined`(
        accepts: Bool
    ) async throws {
        let store = try await TestStore(hasContent: false)
        let device = try await TestDevice(store, customer: Self.sheet(accepts: accepts))
        let ended = try await device.buy(SampleShop.credits)
        #expect(ended.transactionState == (accepts ? .purchased : .failed))
        if !accepts { #expect((ended.error as? SKError)?.code == .paymentCancelled) }
        #expect(device.device.sessions.session?.email == TestStore.american)
        #expect(try await store.ledger().count == (accepts ? 1 : 0))
    }

    @Test func `a session that is there is used`() async throws {
        let store = try await TestStore(hasContent: false)
        let folder = try TemporaryFolder()
        let elsewhere = try await TestDevice(store, folder: folder, email: TestStore.japanese)
        try await elsewhere.device.signedIn()
        let device = try await TestDevice(
            store, folder: folder, customer: Self.sheet(tester: nil))
        let bought = try await device.buy(SampleShop.credits)
        #expect(bought.transactionState == .purchased)
    }

    @Test(arguments: [true, false])
    func `a higher price is agreed to or not`(accepts: Bool) async throws {
        let store = try await TestStore(hasContent: false)
        let device = try await TestDevice(
            store, listens: true, customer: Self.sheet(accepts: accepts))
        try await device.device.signedIn()
        device.queue.add(device.recorder)
        try await device.untilListening()
        try await store.askConsent(SampleShop.credits, newPrice: 1990)
        try await until { try await store.openConsents() == 0 }
        await device.engine.close()
    }

    @Test(arguments: [true, false])
    func `an item is bought once or not at all, and never reviewed`(accepts: Bool) async throws {
        let store = try await TestStore(hasContent: false)
        let id = try await store.addItem("The Clock", tier: nil, own: ["USA": 1990])
        let box = ItemDialogs.DeviceBox()
        let sheet = AutomaticSheet(
            accepts: accepts, tester: Self.tester, isSandbox: { true },
            device: { try #require(box.device.withLock { $0 }) })
        let device = try await TestDevice(store, customer: sheet)
        box.device.withLock { $0 = device.device }
        let item = try await StorePageLookup(device: device.device).item(
            id.number, in: .unitedStates, referral: ItemReferral(affiliateToken: "ada12"))
        for _ in 1...2 { try await sheet.present(item) }
        #expect(
            try await store.itemSales().map(\.referral.affiliateToken)
                == (accepts ? ["ada12"] : []))
        let question = OpenStoreReviewQuestion(
            isSandbox: true, title: "Reader", itemIdentifier: id.number, page: item.page)
        #expect(try await sheet.review(question) == nil)
    }

    @Test func `pages and codes are passed over`() async throws {
        let sheet = Self.sheet()
        let url = try #require(URL(string: "https://store.example/us/app/1"))
        try await sheet.show(OpenStorePage(title: "App", url: url))
        let question = OpenStoreRedemptionQuestion(
            isSandbox: true, account: TestStore.american, problem: nil)
        #expect(try await sheet.redeem(question) == nil)
    }

    @Test(arguments: [true, false])
    func `a production profile is refused, whatever is asked`(accepts: Bool) async throws {
        let store = try await TestStore(hasContent: false, isApproved: true)
        let device = try await TestDevice(
            store, profile: try await store.profile(environment: .production),
            customer: Self.sheet(accepts: accepts, isSandbox: false))
        let failed = try await device.buy(SampleShop.credits)
        #expect((failed.error as? SKError)?.code == .paymentNotAllowed)
        #expect(
            failed.error?.localizedDescription
                == "OPENSTORE_SHEET=\(accepts ? "accept" : "decline") answers in the sandbox only, "
                + "and the app's profile is for production.")
        let sheet = Self.sheet(accepts: accepts, isSandbox: false)
        let url = try #require(URL(string: "https://store.example/us/app/1"))
        await #expect(throws: SKError.self) {
            try await sheet.show(OpenStorePage(title: "App", url: url))
        }
    }

    /// A value of `OPENSTORE_TESTER` and what is wrong with it.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let tester: String?
        let part: String

        var testDescription: String { tester ?? "nil" }
    }

    @Test(arguments: [
        Mistake(tester: nil, part: "OPENSTORE_TESTER=EMAIL:PASSWORD"),
        Mistake(tester: "", part: "OPENSTORE_TESTER=EMAIL:PASSWORD"),
        Mistake(tester: "ada@example.com", part: "a colon and a password"),
        Mistake(tester: "ada@example.com:", part: "a colon and a password"),
        Mistake(tester: ":correct-horse", part: "a colon and a password"),
        Mistake(tester: "ada@example.com:wrong-horse", part: "can't be signed in"),
    ])
    func `nobody is asked for a tester who can't be signed in`(_ mistake: Mistake) async throws {
        let store = try await TestStore(hasContent: false)
        let device = try await TestDevice(store, customer: Self.sheet(tester: mistake.tester))
        let failed = try await device.buy(SampleShop.credits)
        #expect((failed.error as? SKError)?.code == .paymentNotAllowed)
        #expect(failed.error?.localizedDescription.contains(mistake.part) == true)
    }

    @Test func `an account that the tester is not can't be signed in`() async throws {
        let question = OpenStoreSignInQuestion(
            isSandbox: true, email: TestStore.japanese, problem: nil)
        let error = await #expect(throws: SKError.self) {
            try await Self.sheet().signIn(question)
        }
        #expect(error?.localizedDescription.contains(TestStore.japanese) == true)
    }

    @Test func `the environment chooses it`() {
        for name in ["accept", "decline"] {
            let (sheet, problem) = OpenStore.sheet(named: name)
            #expect((sheet as? AutomaticSheet)?.accepts == (name == "accept"))
            #expect(problem == nil)
        }
    }
}

/// Where a process that is to have a device of its own keeps its files.
struct DevicesOfProcesses {
    @Test func `the folder of devices has a folder for each process, and the session is shared`()
        throws
    {
        func folders(_ environment: [String: String]) -> DeviceFolders {
            DeviceFolders(
                bundleID: "com.example.shop",
                environment: ["HOME": "/home/ada"].merging(environment) { $1 })
        }
        let usual = folders([:])
        #expect(usual.state.path == "/home/ada/.local/state/com.example.shop/StoreKit")
        #expect(folders(["OPENSTORE_DEVICES": ""]).state == usual.state)
        let own = folders(["OPENSTORE_DEVICES": "/tmp/devices"])
        let parts = own.state.path.split(separator: "/").map(String.init)
        try #require(parts.count == 6)
        #expect(UUID(uuidString: parts[2]) != nil)
        #expect(own.state.path == "/tmp/devices/\(parts[2])/state/com.example.shop/StoreKit")
        #expect(own.cache.path == "/tmp/devices/\(parts[2])/cache/com.example.shop/StoreKit")
        #expect(own.sessions == usual.sessions)
        #expect(folders(["OPENSTORE_DEVICES": "/tmp/devices"]).state == own.state)
    }
}
