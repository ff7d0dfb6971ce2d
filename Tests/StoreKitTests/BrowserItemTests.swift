import Foundation
import FoundationNetworking
import StoreCore
@testable import StoreKit
import StoreModel
import StoreServer
import StoreTestSupport
import StoreWire
import Testing

/// Items that apps show, in front of a real store and a customer who answers on the page.
struct BrowserItems {
    private static let typed = ["email": TestStore.american, "password": TestStore.password]

    private static func store(
        clock: any StoreClock = SystemClock()
    ) async throws -> (TestStore, ItemID) {
        let store = try await TestStore(hasContent: false, clock: clock)
        let id = try await store.addItem("The Clock", tier: nil, own: ["USA": 1990]) { details in
            details.texts["en_US"]?.description = "A clock that has only one hand."
            details.facts.sellerName = "Ada’s Books"
        }
        return (store, id)
    }

    /// Buys what is offered, and is done with what was bought.
    private static func buyer(_ store: TestStore) -> PageCustomer {
        PageCustomer(store) { page in
            page.buttons.contains("buy") ? ("buy", typed) : ("done", [:])
        }
    }

    @MainActor @Test func `an app shows an item, the customer buys it, the delegate hears`()
        async throws
    {
        let (store, id) = try await Self.store()
        let customer = Self.buyer(store)
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        let controller = SKStoreProductViewController(device: device.device)
        let delegate = PageDelegate()
        controller.delegate = delegate
        try await controller.loadProduct(withParameters: [
            SKStoreProductParameterITunesItemIdentifier: NSNumber(value: id.number),
            SKStoreProductParameterAffiliateToken: "ada12",
            SKStoreProductParameterCampaignToken: "spring",
        ])
        try await controller.openStorePresent()
        #expect(await delegate.finished() === controller)
        #expect(delegate.count == 1)
        let sales = try await store.itemSales()
        #expect(sales.map(\.item) == [id])
        #expect(sales.first?.referral == Referral(affiliateToken: "ada12", campaign: "spring"))
        // The app's own session is not the browser's.
        #expect(device.device.sessions.session == nil)
        #expect(customer.words.contains("The Clock"))
        #expect(customer.words.contains("Ada’s Books"))
    }

    @MainActor @Test func `the store says why it does not show an item`() async throws {
        let (store, _) = try await Self.store()
        let japan = try await store.addItem("Japan", storefronts: ["JPN"])
        let device = try await TestDevice(store)
        for (item, code) in [(japan.number, "itemNotInStorefront"), (1, "itemUnknown")] {
            let controller = SKStoreProductViewController(device: device.device)
            let error = await #expect(throws: SKError.self) {
                try await controller.loadProduct(withParameters: [
                    SKStoreProductParameterITunesItemIdentifier: item
                ])
            }
            #expect(error?.code == .storeProductNotAvailable)
            let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
            #expect(cause?.userInfo["code"] as? String == code)
        }
    }

    private func item(_ id: ItemID) -> OpenStoreItem {
        OpenStoreItem(
            isSandbox: true, identifier: id.number, title: "The Clock", seller: "", price: nil,
            rating: nil, ratingCount: 0, summary: "", needsApproval: false,
            url: URL(string: "http://store.example")!,
            referral: ItemReferral())
    }

    @Test func `a review is asked for on a page of the app's, which ends the question`()
        async throws
    {
        let (store, id) = try await Self.store()
        let customer = PageCustomer(store, answers: false) { _ in ("done", [:]) }
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        let question = OpenStoreReviewQuestion(
            isSandbox: true, title: "Reader", itemIdentifier: id.number, page: item(id).page)
        let task = Task { try await customer.sheet.review(question) }
        try await store.untilPrompted()
        let url = try #require(customer.urls.first)
        #expect(url.hasSuffix("/review"))
        // Nobody has signed in on it yet: it leads to where that is done, inside of the frame.
        #expect(try await customer.browser.open(url).status == 200)
        let page = try await customer.browser.open(String(url.dropLast("/review".count)))
        _ = try await customer.browser.submit(page, "done")
        #expect(try await task.value == nil)
    }

    @Test(arguments: [true, false])
    func `the customer is done by Done, and by too many wrong passwords`(
        isByDone: Bool
    ) async throws {
        let (store, id) = try await Self.store()
        let customer = PageCustomer(store) { _ in
            isByDone
                ? ("done", [:])
                : ("signIn", ["email": TestStore.american, "password": "wrong"])
        }
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        try await customer.sheet.present(item(id))
        #expect(try await store.itemSales().isEmpty)
    }

    /// A controller that has loaded an item, and who hears that its customer is done.
    @MainActor private static func controller(
        showing item: ItemID, on device: TestDevice
    ) async throws -> (SKStoreProductViewController, PageDelegate) {
        let controller = SKStoreProductViewController(device: device.device)
        let delegate = PageDelegate()
        controller.delegate = delegate
        try await controller.loadProduct(withParameters: [
            SKStoreProductParameterITunesItemIdentifier: NSNumber(value: item.number)
        ])
        return (controller, delegate)
    }

    @MainActor @Test func `a tab that was closed is soon heard of, by the delegate too`()
        async throws
    {
        let clock = SettableClock()
        let (store, id) = try await Self.store(clock: clock)
        let customer = PageCustomer(store, answers: false) { _ in ("done", [:]) }
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        let (controller, delegate) = try await Self.controller(showing: id, on: device)
        let task = Task { try await controller.openStorePresent() }
        try await store.untilPrompted()
        let page = try await customer.browser.open(try #require(customer.urls.first))
        // What the page's script sends when it goes.
        let left = PageBrowser.Page(
            status: 200, headers: page.headers,
            text: page.text + "<input name=\"presence\" value=\"left\">",
            url: page.url + "/presence")
        #expect(try await customer.browser.submit(left, "").status == 204)
        #expect(delegate.count == 0)
        clock.advance(by: 15)
        try await task.value
        #expect(await delegate.finished() === controller)
        #expect(delegate.count == 1)
    }

    @Test func `a tab that was closed without scripts ends after half an hour`() async throws {
        let clock = SettableClock()
        let (store, id) = try await Self.store(clock: clock)
        let customer = PageCustomer(store, answers: false) { _ in ("done", [:]) }
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        let task = Task { try await customer.sheet.present(item(id)) }
        try await store.untilPrompted()
        clock.advance(by: 1800)
        try await task.value
        let page = try await customer.browser.open(try #require(customer.urls.first))
        #expect(page.words.contains("half an hour"))
    }

    @Test func `a task that is cancelled takes the page with it`() async throws {
        let (store, id) = try await Self.store()
        let customer = PageCustomer(store, answers: false) { _ in ("done", [:]) }
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        let task = Task { try await customer.sheet.present(item(id)) }
        try await store.untilPrompted()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let page = try await customer.browser.open(try #require(customer.urls.first))
        #expect(page.status == 410)
    }

    @MainActor @Test func `the app dismisses what is shown, and may show it again`() async throws {
        let (store, id) = try await Self.store()
        let customer = PageCustomer(store, answers: false) { _ in ("done", [:]) }
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        let (controller, delegate) = try await Self.controller(showing: id, on: device)
        for round in 1...2 {
            let task = Task { try await controller.openStorePresent() }
            try await store.untilPrompted()
            // There is one of it at a time.
            let error = await #expect(throws: SKError.self) {
                try await controller.openStorePresent()
            }
            #expect(error?.code == .storeProductNotAvailable)
            await withCheckedContinuation { continuation in
                controller.dismiss(animated: true) {
                    MainActor.assertIsolated()
                    continuation.resume()
                }
            }
            try await task.value
            #expect(customer.urls.count == round)
            let page = try await customer.browser.open(try #require(customer.urls.last))
            #expect(page.words.contains("No Longer Needed"))
        }
        #expect(delegate.count == 0)
        // Where nothing is shown, there is nothing to wait for.
        await withCheckedContinuation { continuation in
            controller.dismiss(animated: false) { continuation.resume() }
        }
    }

    @MainActor @Test func `two items at once have a page each`() async throws {
        let (store, id) = try await Self.store()
        let other = try await store.addItem("The Lamp", tier: nil, own: ["USA": 990])
        let customer = PageCustomer(store, answers: false) { _ in ("done", [:]) }
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        var tasks: [Task<Void, any Error>] = []
        for item in [id, other] {
            let (controller, _) = try await Self.controller(showing: item, on: device)
            tasks.append(Task { try await controller.openStorePresent() })
        }
        try await customer.untilAsked(2)
        var titles: [String] = []
        for url in customer.urls {
            let page = try await customer.browser.open(url)
            titles += ["The Clock", "The Lamp"].filter { page.text.contains("<title>\($0)") }
            _ = try await customer.browser.submit(page, "done")
        }
        for task in tasks { try await task.value }
        #expect(titles.sorted() == ["The Clock", "The Lamp"])
    }

    @Test func `a session that has ended is no obstacle`() async throws {
        let (store, id) = try await Self.store()
        let customer = Self.buyer(store)
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        let session = try await device.device.client.signIn(
            email: TestStore.american, password: TestStore.password)
        try device.device.sessions.save(session)
        try await device.device.client.signOut(session)
        try await customer.sheet.present(item(id))
        #expect(try await store.itemSales().count == 1)
        #expect(device.device.sessions.session == nil)
    }

    @Test func `the signed-in account is the one that buys`() async throws {
        let (store, id) = try await Self.store()
        let customer = PageCustomer(store) { page in
            page.buttons.contains("buy")
                ? ("buy", ["password": TestStore.password]) : ("done", [:])
        }
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        try device.device.sessions.save(
            try await device.device.client.signIn(
                email: TestStore.american, password: TestStore.password))
        try await customer.sheet.present(item(id))
        #expect(try await store.itemSales().count == 1)
    }

    @Test func `an item that is gone is refused with the reason`() async throws {
        let (store, _) = try await Self.store()
        let customer = Self.buyer(store)
        let device = try await TestDevice(store, customer: customer.sheet)
        customer.serve(device.device)
        let error = await #expect(throws: WireError.self) {
            try await customer.sheet.present(item(ItemID(number: 1)))
        }
        #expect(error?.code == .itemUnknown)
        #expect((visibleError(try #require(error)) as? SKError)?.code == .storeProductNotAvailable)
        #expect(customer.urls.isEmpty)
    }
}
