import StoreModel
import Testing

@Suite("Application identifier")
struct ApplicationIdentifierTests {
    @Test(arguments: ["com.example.app", "com.example.*", "com.*", "*"])
    func `a bundle identifier or a wildcard behind a period is well-formed`(_ text: String) {
        #expect(ApplicationIdentifier(text)?.text == text)
    }

    @Test(arguments: [
        "", ".*", "**", "com.example*", "*.example", "com.*.app", "com..*", "com.",
        "com.example\u{600}.*",
    ])
    func `a wildcard elsewhere is malformed`(_ text: String) {
        #expect(ApplicationIdentifier(text) == nil)
    }

    @Test(arguments: [
        ("com.example.app", "com.example.app", true),
        ("com.example.app", "com.example.app2", false),
        ("com.example.app", "com.example", false),
        ("com.example.*", "com.example.app", true),
        ("com.example.*", "com.example.app.extension", true),
        ("com.example.*", "com.example", false),
        ("com.example.*", "com.examples.app", false),
        ("com.example.*", "Com.example.app", false),
        ("*", "com.example.app", true),
    ])
    func `it covers what it names and nothing else`(
        _ identifier: String, _ bundleID: String, _ covers: Bool
    ) throws {
        let identifier = try #require(ApplicationIdentifier(identifier))
        let bundleID = try #require(BundleID(bundleID))
        #expect(identifier.covers(bundleID) == covers)
    }

    @Test func `only one with a star stands for many`() {
        #expect(ApplicationIdentifier("com.example.*")?.isWildcard == true)
        #expect(ApplicationIdentifier("*")?.isWildcard == true)
        #expect(ApplicationIdentifier("com.example.app")?.isWildcard == false)
    }
}

@Suite("Store environment")
struct StoreEnvironmentTests {
    @Test func `production has no path prefix, the sandbox has one`() {
        #expect(StoreEnvironment.production.pathPrefix == "")
        #expect(StoreEnvironment.sandbox.pathPrefix == "/sandbox")
    }

    @Test(arguments: [
        ("production", StoreEnvironment.production), ("Sandbox", .sandbox), ("SANDBOX", .sandbox),
    ])
    func `its word is read in any case`(_ word: String, _ environment: StoreEnvironment) {
        #expect(StoreEnvironment(word: word) == environment)
    }

    @Test(arguments: ["", "prod", "sandbox ", "xcode"])
    func `any other word is refused`(_ word: String) {
        #expect(StoreEnvironment(word: word) == nil)
    }

    @Test(arguments: StoreEnvironment.allCases)
    func `each can be read back from its word`(_ environment: StoreEnvironment) {
        #expect(StoreEnvironment(word: environment.word) == environment)
    }
}

@Suite("Product states")
struct ProductStateTests {
    @Test func `removal by publisher or store counts as removed, nothing else does`() {
        let removed = ProductState.allCases.filter(\.isRemovedFromSale)
        #expect(removed == [.developerRemovedFromSale, .removedFromSale])
    }

    @Test func `a rejection by anyone counts as rejected`() {
        #expect(BinaryState.allCases.filter(\.isRejected) == [.rejected, .developerRejected])
    }

    @Test func `what a customer owns for good can be restored`() {
        let restorable = ProductType.allCases.filter(\.isRestorable)
        #expect(restorable == [.nonConsumable, .autoRenewableSubscription])
    }
}
