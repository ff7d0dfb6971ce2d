import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

/// A store that pages for ever, or always has something new.
struct EndlessStores {
    struct Pages: Sendable, CustomTestStringConvertible {
        var name: String
        /// What the n-th page begins after, from 1 on.
        var next: @Sendable (Int) -> Int64?
        /// How many pages are asked for.
        var asked: Int

        var testDescription: String { name }
    }

    private static let pages: [Pages] = [
        Pages(name: "the same next page for ever", next: { _ in 7 }, asked: 2),
        Pages(name: "a next page before the last one", next: { Int64(100 - $0) }, asked: 2),
        Pages(name: "the same transactions for ever", next: { Int64($0) }, asked: 2),
    ]

    /// An answer of which the next page is another one.
    private static func leading(_ pages: Pages, _ count: Counter) -> LyingStore.Lie {
        .changed { body in
            guard var answer = try? WireCoding.decode(TransactionsAnswer.self, from: body) else {
                return body
            }
            answer.next = pages.next(count.next()).map { TransactionID(number: $0) }
            return (try? WireCoding.encode(answer)) ?? body
        }
    }

    @Test(arguments: pages)
    func `a restore without an end fails, and each transaction was shown once`(
        _ pages: Pages
    ) async throws {
        let store = try await TestStore(hasContent: false)
        let owner = try await TestDevice(store)
        _ = try await owner.buy(SampleShop.badge)
        let liar = try LyingStore(before: store)
        let device = try await TestDevice(
            store, profile: try await store.profile(address: liar.address))
        device.queue.add(device.recorder)
        // What the first page has brought, and nothing else.
        let first = Mutex<Data?>(nil)
        let lie = Self.leading(pages, Counter())
        liar.keepTelling(
            .changed { body in
                guard case .changed(let change) = lie else { return body }
                let body = first.withLock { first in
                    first = first ?? body
                    return first ?? body
                }
                return change(body)
            }, about: DeviceRoute.restores)
        device.queue.restoreCompletedTransactions()
        let end = try await device.recorder.next { $0.isRestoreEnd }
        guard case .restoreFailed(let error) = end else {
            Issue.record("\(end)")
            return
        }
        #expect((error as? URLError)?.code == .badServerResponse)
        #expect(error.localizedDescription.contains("nothing new"))
        #expect(liar.requests(about: DeviceRoute.restores).count == pages.asked)
        #expect(device.queue.transactions.count == 1)
        // The next honest answer heals it; what was seen is not shown again.
        liar.keepTelling(nil, about: DeviceRoute.restores)
        device.queue.restoreCompletedTransactions()
        guard case .restored = try await device.recorder.next(where: \.isRestoreEnd) else {
            Issue.record("an honest restore has failed")
            return
        }
        let ids = device.queue.transactions.compactMap(\.transactionIdentifier)
        #expect(Set(ids).count == ids.count)
    }

    @Test(arguments: pages)
    func `transactions without an end do not hold the queue`(_ pages: Pages) async throws {
        let store = try await TestStore(hasContent: false)
        let liar = try LyingStore(before: store)
        let device = try await TestDevice(
            store, profile: try await store.profile(address: liar.address))
        // Nobody has finished it, so the store has it to give.
        let bought = try await device.buy(SampleShop.credits)
        let truth = try WireCoding.encode(
            TransactionsAnswer(transactions: [
                TransactionAnswer(
                    signedTransaction: try #require(bought.openStoreSignature?.jws), contents: [])
            ]))
        let lies = Counter()
        guard case .changed(let change) = Self.leading(pages, lies) else { return }
        liar.keepTelling(.changed { _ in change(truth) }, about: DeviceRoute.unfinished)
        device.engine.enqueueRefresh()
        await device.engine.close()
        // A refresh that failed may be tried again, and each one ends. One that began before the
        // lies was answered honestly.
        let told = lies.value
        #expect(told > 0)
        #expect(told.isMultiple(of: pages.asked))
        #expect(told <= 3 * pages.asked)
        #expect(device.queue.transactions == [bought])
        #expect(device.recorder.logged.contains { $0.contains("could not be fetched") })
    }

    @Test func `an event that comes again and again is told once`() async throws {
        let store = try await TestStore(hasContent: false)
        let liar = try LyingStore(before: store)
        let device = try await TestDevice(
            store, profile: try await store.profile(address: liar.address), listens: true)
        let answer = EventsAnswer(
            cursor: 9,
            events: [WireEvent(id: 9, kind: .revocation, productId: SampleShop.badge)],
            consents: [])
        let body = try WireCoding.encode(answer)
        liar.tell(
            Array(repeating: .instead(status: 200, body: body), count: 30),
            about: DeviceRoute.events)
        try await device.device.signedIn()
        device.queue.add(device.recorder)
        try await until { store.store.services.events.waiting > 0 }
        await device.engine.close()
        let told = device.recorder.history.count { if case .revoked = $0 { true } else { false } }
        #expect(told == 1)
    }

    @Test(arguments: [true, false])
    func `of payments that a store begins without end, some are taken`(
        takesUp: Bool
    ) async throws {
        let store = try await TestStore(hasContent: false)
        let liar = try LyingStore(before: store)
        let (thoughts, end) = AsyncStream<Never>.makeStream()
        defer { end.finish() }
        let device = try await TestDevice(
            store, profile: try await store.profile(address: liar.address),
            listens: true
        ) { _ in
            // A customer who thinks about it until the test has ended.
            for await _ in thoughts {}
            return false
        }
        device.recorder.takesUp.withLock { $0 = takesUp }
        for answer in 0..<3 {
            let ids = (answer * 500 + 1)...(answer * 500 + 500)
            let events = ids.map {
                WireEvent(id: Int64($0), kind: .storePayment, productId: SampleShop.credits)
            }
            let body = try WireCoding.encode(
                EventsAnswer(cursor: Int64(ids.upperBound), events: events, consents: []))
            liar.tell([.instead(status: 200, body: body)], about: DeviceRoute.events)
        }
        try await device.device.signedIn()
        device.queue.add(device.recorder)
        try await until { store.store.services.events.waiting > 0 }
        let offered = device.recorder.history.count {
            if case .offered = $0 { true } else { false }
        }
        // A hundred of each answer, and a hundred that wait.
        #expect(offered == (takesUp ? 100 : 300))
        #expect(try device.engine.open().journal.entries.count == (takesUp ? 100 : 0))
        #expect(device.recorder.logged.count { $0.contains("are passed over") } == 3)
        #expect(device.recorder.logged.contains { $0.contains("is passed over") } == takesUp)
    }

    @Test func `a store that changes the price with each order ends the payment`() async throws {
        let store = try await TestStore(hasContent: false)
        let liar = try LyingStore(before: store)
        let asked = Counter()
        let device = try await TestDevice(
            store, profile: try await store.profile(address: liar.address)
        ) { _ in asked.next() > 0 }
        let refusal = WireError(code: .priceChanged, message: "The price has changed.")
        liar.keepTelling(
            .instead(status: 422, body: try WireCoding.encode(refusal)),
            about: DeviceRoute.purchases)
        let failed = try await device.buy(SampleShop.credits)
        #expect(failed.transactionState == .failed)
        #expect(failed.error?.localizedDescription.contains("with each order") == true)
        #expect(asked.value == 10)
        #expect(try await store.ledger().isEmpty)
    }
}

/// The rules by which it comes to an end.
struct EndsOfEndlessAnswers {
    @Test func `pages lead on, and bring something new`() throws {
        var walk = PageWalk()
        func ids(_ numbers: ClosedRange<Int64>) -> [TransactionID] {
            numbers.map { TransactionID(number: $0) }
        }
        #expect(try walk.take(ids(1...200), next: TransactionID(number: 200)))
        // A page may have some of what was there before.
        #expect(try walk.take(ids(200...210), next: TransactionID(number: 210)))
        #expect(walk.after?.number == 210)
        #expect(throws: URLError.self) {
            try walk.take(ids(1...200), next: TransactionID(number: 300))
        }
        #expect(throws: URLError.self) {
            try walk.take(ids(211...220), next: TransactionID(number: 210))
        }
        #expect(throws: URLError.self) { try walk.take([], next: TransactionID(number: 400)) }
        #expect(try !walk.take([], next: nil))
        let tooMany = ids(1000...1001 + Int64(PageWalk.limit))
        #expect(throws: URLError.self) { try walk.take(tooMany, next: TransactionID(number: 500)) }
    }

    @Test func `pauses grow while a store answers sooner than it should`() {
        var pace = EventBackoff()
        // Much may happen in a moment.
        for _ in 0..<EventBackoff.burst {
            #expect(pace.pause(after: .waited(hasEvents: true, isHasty: true)) == nil)
        }
        let rude: [EventBackoff.End] = [
            .waited(hasEvents: true, isHasty: true), .waited(hasEvents: false, isHasty: true),
            .failed, .caughtUp(isBehind: true),
        ]
        #expect(rude.map { pace.pause(after: $0) } == [0, 1, 2, 3])
        // What it missed meanwhile is asked for at once, and is no reason to trust it.
        #expect(pace.pause(after: .caughtUp(isBehind: false)) == nil)
        #expect(pace.pause(after: .failed) == 4)
        #expect(pace.pause(after: .waited(hasEvents: false, isHasty: false)) == nil)
        #expect(pace.pause(after: .failed) == 0)
    }

    struct Answer: Sendable {
        var known: Int64?
        var cursor: Int64
        var ids: [Int64]
        /// What is new; nil for an answer that is none.
        var news: [Int64]?
    }

    @Test(arguments: [
        Answer(known: 5, cursor: 7, ids: [6, 7], news: [6, 7]),
        Answer(known: 5, cursor: 5, ids: [4, 5], news: []),
        Answer(known: 5, cursor: 6, ids: [5, 6, 9, .max], news: [6]),
        Answer(known: nil, cursor: 3, ids: [-1, 0, 3], news: [3]),
        // Another store, or one from a backup, numbers anew.
        Answer(known: 5, cursor: 2, ids: [2], news: [2]),
        Answer(known: 5, cursor: -1, ids: [], news: nil),
        Answer(known: .max, cursor: .min, ids: [1], news: nil),
    ])
    func `of events only new ones count`(_ answer: Answer) {
        let events = answer.ids.map { WireEvent(id: $0, kind: .transactions, productId: nil) }
        let news = try? UnseenEvents(
            EventsAnswer(cursor: answer.cursor, events: events, consents: []), after: answer.known)
        #expect(news?.events.map(\.id) == answer.news)
    }
}
