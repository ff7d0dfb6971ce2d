import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

/// What an app sees of a store that lies about one place of an answer: an error, or nothing. The
/// next honest answer heals it.
struct LyingStores {
    /// An answer of the device interface, and the places in it.
    struct Row: Sendable, CustomTestStringConvertible {
        var route: String
        /// Places that may be absent.
        var optional: Set<String> = []
        /// Comes before all else.
        var prepare: @Sendable (LyingDevice) async throws -> Void = { _ in }
        /// Does what makes the app ask.
        var ask: @Sendable (LyingDevice) async throws -> Void
        /// Finds everything as it was, after an honest answer to a lie about a place.
        var heal: @Sendable (LyingDevice, _ place: String) async throws -> Void = { device, _ in
            try await device.ask()
        }

        var testDescription: String { route }
    }

    private static let rows: [Row] = [
        Row(
            route: DeviceRoute.products,
            optional: [
                "products.content", "products.number", "products.subscription",
                "products.subscription.offers.identifier",
            ]
        ) { device in
            let answer = try await device.device.products(LyingDevice.products, isFresh: true)
            LyingDevice.look(at: answer)
        },
        Row(route: DeviceRoute.quotes) { device in
            _ = try await device.device.client.quote(
                QuoteRequest(productId: SampleShop.badge),
                session: try await device.device.signedIn())
        },
        Row(route: DeviceRoute.session, optional: ["asksToBuy"]) { device in
            device.device.sessions.clear(device.device.sessions.session)
            try await device.device.signedIn()
        },
        Row(route: DeviceRoute.receipt) { device in
            try await device.device.refreshReceipt(nil)
            _ = try OpenStoreReceipt.current(on: device.device)
        },
        Row(route: DeviceRoute.restores, optional: ["next"]) { device in
            device.test.queue.restoreCompletedTransactions()
            let end = try await device.test.recorder.next { $0.isRestoreEnd }
            if case .restoreFailed(let error) = end { throw error }
        },
        Row(
            route: DeviceRoute.history, optional: ["revokedCertificates", "time"],
            prepare: { try await $0.useHistory() }, ask: { try await $0.fetchHistory() },
            heal: { device, place in
                // What a page has left out comes when the customer misses it.
                try await device.fetchHistory(all: place == "transactions")
                try await device.checkHistory()
            }),
        Row(
            route: DeviceRoute.subscriptions,
            prepare: { try await $0.useHistory() },
            ask: { device in
                try await device.fetchHistory(all: false)
                await device.lookAtStatuses()
            },
            heal: { device, _ in
                try await device.fetchHistory(all: false)
                try await device.checkHistory()
            }),
        Row(
            route: DeviceRoute.appTransaction, optional: ["ageRatingCode"],
            prepare: { try await $0.useHistory() },
            ask: { _ = try await $0.test.engine.appTransaction(isFresh: true) },
            heal: { device, _ in
                let result = try await device.test.engine.appTransaction(isFresh: false)
                guard case .verified = result else { throw StoreKitError.unknown }
            }),
    ]

    @Test(arguments: rows)
    func `an answer with a lie is an error or an answer, and the next honest one heals it`(
        _ row: Row
    ) async throws {
        let device = try await LyingDevice()
        try await row.prepare(device)
        try await row.ask(device)
        let truth = try #require(device.liar.truth(about: row.route))
        let lies = try FieldLie.all(about: truth)
        try #require(lies.count >= 16)
        var believed: [String] = []
        for (number, lie) in lies.enumerated() {
            device.liar.tell([.changed { lie.applied(to: $0) }], about: row.route)
            do {
                try await row.ask(device)
                if lie.isPlain(whereOptionalAre: row.optional) { believed.append("\(lie)") }
            } catch {
                #expect(!visibleError(error).localizedDescription.isEmpty)
            }
            let isLastOfPlace = number + 1 == lies.count || lies[number + 1].path != lie.path
            if isLastOfPlace { try await row.heal(device, lie.place) }
        }
        #expect(believed.isEmpty)
        try await row.ask(device)
        let ids = device.test.queue.transactions.compactMap(\.transactionIdentifier)
        #expect(Set(ids).count == ids.count)
    }

    @Test func `whatever the answer to an order says, it is bought once, as the store has it`()
        async throws
    {
        let device = try await LyingDevice()
        let first = try await device.test.buy(SampleShop.chapter)
        let truth = try #require(device.liar.truth(about: DeviceRoute.purchases))
        let lies = try FieldLie.all(about: truth)
        for lie in lies {
            device.liar.tell([.changed { lie.applied(to: $0) }], about: DeviceRoute.purchases)
            let bought = try await device.test.buy(SampleShop.chapter)
            try #require(bought.transactionState == .purchased, "\(lie)")
            for download in bought.downloads { LyingDevice.look(at: download) }
        }
        let shown = device.test.queue.transactions.compactMap(\.transactionIdentifier)
        #expect(shown.count == lies.count + 1)
        let sold = try await device.store.ledger().map(\.id.description)
        #expect(Set(shown).isSubset(of: sold))
        #expect(first.transactionState == .purchased)
    }

    @Test func `whatever the store says is not finished, it is shown once`() async throws {
        let device = try await LyingDevice()
        let bought = try await device.test.buy(SampleShop.chapter)
        await device.test.engine.close()
        // A device that has lost its journal.
        let folder = device.test.device.folders.state
        let journal = "journal-\(device.test.device.profile.tag)"
        try FileManager.default.removeItem(at: folder.appendingPathComponent(journal))
        let again = try await TestDevice(
            device.store, folder: device.test.folder,
            profile: try await device.store.profile(address: device.liar.address))
        let truth = try WireCoding.encode(
            TransactionsAnswer(
                transactions: [
                    TransactionAnswer(
                        signedTransaction: try #require(bought.openStoreSignature?.jws),
                        contents: [])
                ], next: nil))
        for lie in try FieldLie.all(about: truth) {
            device.liar.tell([.changed { lie.applied(to: $0) }], about: DeviceRoute.unfinished)
            again.engine.enqueue { await $0.refresh() }
        }
        again.queue.add(again.recorder)
        again.engine.enqueueRefresh()
        await again.engine.close()
        let shown = again.queue.transactions.compactMap(\.transactionIdentifier)
        #expect(shown == [try #require(bought.transactionIdentifier)])
    }

    @Test func `after whatever is said of events, the next ones are heard`() async throws {
        let store = try await TestStore(hasContent: false)
        let liar = try LyingStore(before: store)
        let device = try await TestDevice(
            store, profile: try await store.profile(address: liar.address), listens: true)
        device.recorder.takesUp.withLock { $0 = false }
        let price = Money(thousandths: 990, currency: "USD")
        let consent = WireConsent(
            id: 3, productId: SampleShop.monthly, title: "Pro monthly", currentPrice: price,
            newPrice: price, locale: "en_US")
        let answers: [EventsAnswer] = [
            (WireEvent.Kind.storePayment, WireEvent.Kind.revocation),
            (.transactions, .contentVersion),
        ].map { first, second in
            EventsAnswer(
                cursor: 7,
                events: [
                    WireEvent(id: 6, kind: first, productId: SampleShop.badge),
                    WireEvent(id: 7, kind: second, productId: SampleShop.badge),
                ], consents: [consent])
        }
        for answer in answers {
            let truth = try WireCoding.encode(answer)
            let lies = try FieldLie.all(about: truth)
            liar.tell(
                lies.map { .instead(status: 200, body: $0.applied(to: truth)) },
                about: DeviceRoute.events)
        }
        try await device.device.signedIn()
        device.queue.add(device.recorder)
        try await until { store.store.services.events.waiting > 0 }
        let account = try await store.store.services.accounts.account(
            email: TestStore.american, environment: .sandbox)
        let app = try #require(
            try await store.store.database.read { try $0.catalog.app(SampleShop.bundleID) })
        try await store.store.services.offers.beginStorePayment(
            of: try #require(ProductID(SampleShop.credits)), by: account.id, in: app.id)
        let offer = try await device.recorder.next { event in
            if case .offered(SampleShop.credits) = event { true } else { false }
        }
        guard case .offered(let product) = offer else { return }
        #expect(product == SampleShop.credits)
        await device.engine.close()
    }

    @Test func `a refusal with a lie is an error`() async throws {
        let device = try await LyingDevice()
        let refusal = WireError(
            code: .productInvalid, message: "There is no such product.",
            reason: InvalidReasonCode(rawValue: "unknownIdentifier"), request: "r1")
        let truth = try WireCoding.encode(refusal)
        for lie in try FieldLie.all(about: truth) {
            device.liar.tell(
                [.instead(status: 422, body: lie.applied(to: truth))], about: DeviceRoute.products)
            await #expect(throws: WireError.self, "\(lie)") { try await device.ask() }
            try await device.ask()
        }
    }

    @Test(
        arguments: [
            "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 Not Modified\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n{}{}",
            "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 307 Back\r\nLocation: ./products\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 307 On\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 307 On\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 307 On\r\nLocation: \u{e9}:\u{202e}//\r\nContent-Length: 0\r\n\r\n",
        ] as [RawAnswer])
    func `an answer that is none, or leads away, is an error`(_ answer: RawAnswer) async throws {
        let device = try await LyingDevice()
        device.liar.keepTelling(.bytes(answer.text), about: DeviceRoute.products)
        await #expect(throws: (any Error).self) { try await device.ask() }
        #expect(device.liar.requests(about: DeviceRoute.products).count <= 6)
        device.liar.keepTelling(nil, about: DeviceRoute.products)
        try await device.ask()
    }

    @Test func `an answer without an end is cut off`() async throws {
        let device = try await LyingDevice()
        device.liar.tell([.endless], about: DeviceRoute.products)
        let error = await #expect(throws: URLError.self) { try await device.ask() }
        #expect(error?.code == .dataLengthExceedsMaximum)
        try await device.ask()
    }

    @Test func `an answer that drips ends with the task that waits for it`() async throws {
        let device = try await LyingDevice()
        device.liar.tell([.dripping], about: DeviceRoute.products)
        let task = Task { [device = device.device] in
            try await device.client.products(LyingDevice.products, session: nil)
        }
        try await until { device.liar.bytesOfLies > 100 }
        task.cancel()
        let error = await #expect(throws: URLError.self) { _ = try await task.value }
        #expect(error?.code == .cancelled)
        try await device.ask()
    }
}

/// A device whose store lies at times.
struct LyingDevice: Sendable {
    static let products = [SampleShop.chapter, SampleShop.monthly, "com.example.shop.none"]

    let store: TestStore
    let liar: LyingStore
    let test: TestDevice

    var device: StoreDevice { test.device }

    /// A device whose account owns something that another device has bought.
    ///
    /// - Parameter customer: `nil` for one who buys everything.
    init(customer: (any OpenStoreSheet)? = nil) async throws {
        store = try await TestStore(noiseBytes: 1000)
        let owner = try await TestDevice(store)
        _ = try await owner.buy(SampleShop.badge)
        await owner.engine.close()
        liar = try LyingStore(before: store)
        test = try await TestDevice(
            store, profile: try await store.profile(address: liar.address), customer: customer)
        test.queue.add(test.recorder)
    }

    /// What an app with a customer asks; honest answers are taken, whatever was said before.
    func ask() async throws {
        let answer = try await device.products(Self.products, isFresh: true)
        try #require(answer.products.count == 2 && answer.invalid.count == 1)
        _ = try await device.withSession { session in
            try await device.client.unfinished(after: nil, session: session)
        }
    }

    /// Looks at everything that an app can see, in the ways in which apps do.
    static func look(at answer: ProductsAnswer) {
        look(at: SKProductsResponse(answer))
        for product in answer.values(log: { _ in }) {
            _ = product.displayPrice + product.displayName + product.description
            _ = product.price.formatted(product.priceFormatStyle)
            _ = product.jsonRepresentation.count
            guard let subscription = product.subscription else { continue }
            _ = subscription.groupDisplayName + "\(subscription.groupLevel)"
            for offer in [subscription.introductoryOffer].compactMap({ $0 }) {
                _ = offer.displayPrice + offer.paymentMode.localizedDescription
            }
        }
    }

    static func look(at response: SKProductsResponse) {
        _ = response.openStoreInvalidProducts.map(\.message) + response.invalidProductIdentifiers
        for product in response.products {
            show(product.price, product.priceLocale)
            _ = product.localizedTitle + product.localizedDescription + product.productIdentifier
            _ = product.downloadContentLengths.reduce(0) { $0 &+ $1.int64Value }
            _ = product.downloadContentVersion + (product.subscriptionGroupIdentifier ?? "")
            _ = product.subscriptionPeriod?.unit
            for discount in product.discounts + [product.introductoryPrice].compactMap({ $0 }) {
                show(discount.price, discount.priceLocale)
                _ = (discount.paymentMode, discount.type, discount.subscriptionPeriod.unit)
            }
        }
    }

    static func look(at download: SKDownload) {
        _ = download.contentIdentifier + download.contentVersion
        _ = download.expectedContentLength
    }

    private static func show(_ price: NSDecimalNumber, _ locale: Locale) {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = locale
        _ = formatter.string(from: price)
    }
}
