import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

/// A shop where the American asks to buy, with a guardian and the guardian's browser.
struct ApprovalClient: Sendable {
    static let guardian = "grace@example.com"
    static let password = "guardian-horse"

    let shop: TestStore
    let environment: StoreEnvironment
    let device: PromptClient
    var browser: PageBrowser { device.browser }

    init(
        environment: StoreEnvironment = .sandbox, hasGuardian: Bool = true,
        clock: any StoreClock = SettableClock()
    ) async throws {
        shop = try await TestStore(hasContent: false, isApproved: true, clock: clock)
        self.environment = environment
        let accounts = shop.store.services.accounts
        let guardian = try await accounts.create(
            email: Self.guardian, password: Self.password, storefront: .unitedStates,
            environment: environment)
        let ward = try await accounts.account(email: TestStore.american, environment: environment)
        _ = try await accounts.change(ward.id) { settings in
            settings.asksToBuy = true
            settings.guardian = hasGuardian ? guardian.id : nil
        }
        device = try await PromptClient(
            shop, environment: environment, signedIn: TestStore.american)
    }

    private static func order(_ number: Int) -> PurchaseRequest {
        PurchaseRequest(
            purchaseKey: PurchaseKey("purchase-key-\(1000 + number)")!,
            productId: SampleShop.credits, quantity: 2,
            confirmedPrice: Money(thousandths: 990, currency: "USD"), applicationUsername: nil)
    }

    /// What the device hears when it sends an order, for the first time or again.
    func send(_ number: Int = 1) async throws -> HTTPResponse {
        try await device.send(
            "POST", DeviceRoute.purchases, WireCoding.encode(Self.order(number)))
    }

    /// Asks for two credits, and gives the address of the page that the device hears of.
    func ask(_ number: Int = 1) async throws -> String? {
        let response = try await send(number)
        #expect(response.status == 202)
        return try WireCoding.decode(DeferredAnswer.self, from: response.data).approvalPage
            .map { shop.server.address + environment.pathPrefix + $0 }
    }

    /// Asks, and opens the page in the guardian's browser.
    func page(_ number: Int = 1) async throws -> PageBrowser.Page {
        try await browser.open(try #require(try await ask(number)))
    }

    /// Lets the guardian's browser be one in which the guardian has signed in.
    func signInGuardian() async throws {
        let guardian = try await shop.store.services.accounts.account(
            email: Self.guardian, environment: environment)
        browser.cookies = [
            "openstore-\(environment.word)":
                try #require(try await shop.store.services.pageSessions.start(guardian))
        ]
    }

    func ledger() async throws -> [LedgerEntry] { try await shop.ledger(in: environment) }

    /// The purchases that somebody can still decide on.
    func waiting() async throws -> [PendingPurchase] {
        try await shop.store.services.pending.waiting()
    }
}
