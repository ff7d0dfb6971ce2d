import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreModel
import StoreSecurity
import StoreTestSupport
import StoreWire
import Synchronization
import Testing

/// What an app of StoreKit 2 sees of a store that lies, beside the lies about single places.
struct LyingHistories {
    private static let routes = [
        DeviceRoute.history, DeviceRoute.subscriptions, DeviceRoute.appTransaction,
    ]

    /// Asks for everything.
    private static func ask(_ route: String, _ device: LyingDevice) async throws {
        if route == DeviceRoute.appTransaction {
            _ = try await device.test.engine.appTransaction(isFresh: true)
        } else {
            try await device.fetchHistory()
        }
    }

    // MARK: Bodies

    @Test(arguments: routes)
    func `an answer that is none, leads away or never ends is an error, and what is known stays`(
        _ route: String
    ) async throws {
        let device = try await LyingDevice()
        try await device.useHistory()
        let lies: [LyingStore.Lie] =
            [
                "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 Not Modified\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n{}{}",
                "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 307 On\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 307 On\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
            ].map { .bytes($0) } + [.endless]
        for lie in lies {
            let asked = device.liar.requests(about: route).count
            device.liar.keepTelling(lie, about: route)
            await #expect(throws: StoreKitError.self, "\(lie)") {
                do { try await Self.ask(route, device) } catch { throw storeKitError(error) }
            }
            #expect(device.liar.requests(about: route).count - asked <= 6)
            try await device.checkHistory()
            device.liar.keepTelling(nil, about: route)
            try await Self.ask(route, device)
            try await device.checkHistory()
        }
    }

    @Test(arguments: routes)
    func `an answer that drips ends with the task that waits for it`(_ route: String) async throws {
        let device = try await LyingDevice()
        let session = try await device.device.signedIn()
        device.liar.tell([.dripping], about: route)
        let task = Task { [client = device.device.client] in
            switch route {
            case DeviceRoute.history: _ = try await client.history(after: nil, session: session)
            case DeviceRoute.subscriptions: _ = try await client.subscriptions(session: session)
            default: _ = try await client.appTransaction(session: session)
            }
        }
        try await until { device.liar.bytesOfLies > 100 }
        task.cancel()
        let error = await #expect(throws: URLError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    // MARK: Pages

    struct Pages: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Changes the n-th page, from 1 on.
        var change: @Sendable (inout DeviceHistoryAnswer, Int) -> Void
        /// How many pages are asked for.
        var asked: Int
    }

    @Test(arguments: [
        Pages(
            testDescription: "the same place for ever",
            change: { answer, _ in answer.revision = "here" }, asked: 2),
        Pages(
            testDescription: "the same transactions for ever",
            change: { $0.revision = "page-\($1)" }, asked: 2),
        Pages(
            testDescription: "the same transactions for ever, beginning anew",
            change: { answer, number in
                (answer.revision, answer.startsOver) = ("page-\(number)", true)
            }, asked: 2),
        Pages(
            testDescription: "nothing for ever",
            change: { answer, number in
                (answer.revision, answer.transactions) = ("page-\(number)", [])
            }, asked: 1),
        Pages(
            testDescription: "nothing legible for ever",
            change: { answer, number in
                (answer.revision, answer.transactions) = ("page-\(number)", ["\(number)"])
            }, asked: 1),
    ])
    func `a history without an end is an error`(_ pages: Pages) async throws {
        let device = try await LyingDevice()
        try await device.useHistory()
        let truth = try #require(device.liar.truth(about: DeviceRoute.history))
        let whole = try WireCoding.decode(DeviceHistoryAnswer.self, from: truth)
        try #require(whole.transactions.count == 2)
        let count = Counter()
        let asked = device.liar.requests(about: DeviceRoute.history).count
        device.liar.keepTelling(
            .changed { body in
                var answer = whole
                answer.hasMore = true
                pages.change(&answer, count.next())
                return (try? WireCoding.encode(answer)) ?? body
            }, about: DeviceRoute.history)
        let error = await #expect(throws: URLError.self) { try await device.fetchHistory() }
        #expect(error?.code == .badServerResponse)
        #expect(error?.localizedDescription.contains("nothing new") == true)
        #expect(device.liar.requests(about: DeviceRoute.history).count - asked == pages.asked)
        try await device.checkHistory()
        device.liar.keepTelling(nil, about: DeviceRoute.history)
        try await device.fetchHistory(all: false)
        try await device.checkHistory()
    }

    @Test(arguments: ["", "\u{0}", "\u{e9}", String(repeating: "w", count: 1025), " "])
    func `a revision that no request could carry never stands in the way`(
        _ revision: String
    ) async throws {
        let device = try await LyingDevice()
        try await device.useHistory()
        device.liar.tell(
            [
                .changed { body in
                    guard
                        var answer = try? WireCoding.decode(DeviceHistoryAnswer.self, from: body)
                    else { return body }
                    answer.revision = revision
                    return (try? WireCoding.encode(answer)) ?? body
                }
            ], about: DeviceRoute.history)
        if revision.isEmpty {
            try await device.fetchHistory()
        } else {
            await #expect(throws: URLError.self) { try await device.fetchHistory() }
        }
        try await device.fetchHistory(all: false)
        try await device.checkHistory()
    }

    // MARK: Statements

    struct Statement: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var error: VerificationResult<Transaction>.VerificationError?
        var change: @Sendable (String) -> String
    }

    @Test(arguments: [
        Statement(
            testDescription: "another signature", error: .invalidSignature,
            change: { jws in
                let parts = jws.split(separator: ".").map { String($0) }
                let signature = Base64URL.encode(Data(repeating: 1, count: 64))
                return "\(parts[0]).\(parts[1]).\(signature)"
            }),
        Statement(
            testDescription: "another payload", error: .invalidSignature,
            change: { jws in
                let parts = jws.split(separator: ".").map { String($0) }
                let payload = Base64URL.decode(parts[1]) ?? Data()
                let text = String(decoding: payload, as: UTF8.self)
                    .replacingOccurrences(of: "\"quantity\":1", with: "\"quantity\":9")
                return "\(parts[0]).\(Base64URL.encode(Data(text.utf8))).\(parts[2])"
            }),
        Statement(testDescription: "no statement", error: nil, change: { _ in "a.b.c" }),
    ])
    func `a statement that is not verified is asked for again, without the app's doing`(
        _ statement: Statement
    ) async throws {
        let device = try await LyingDevice()
        try await device.useHistory()
        for all in [true, false] {
            device.liar.tell(
                [
                    .changed { body in
                        guard
                            var answer = try? WireCoding.decode(
                                DeviceHistoryAnswer.self, from: body)
                        else { return body }
                        answer.transactions = answer.transactions.map(statement.change)
                        return (try? WireCoding.encode(answer)) ?? body
                    }
                ], about: DeviceRoute.history)
            // The second time it is only asked for what has changed, which is lied about, too.
            if !all { try await device.store.buyElsewhere(SampleShop.credits) }
            try await device.fetchHistory(all: all)
            if all {
                let seen = await device.test.use {
                    var seen: [VerificationResult<Transaction>.VerificationError?] = []
                    for await result in Transaction.currentEntitlements {
                        if case .unverified(_, let error) = result { seen.append(error) }
                    }
                    return seen
                }
                #expect(seen == statement.error.map { [$0, $0] } ?? [])
            }
            try await device.fetchHistory(all: false)
            try await device.checkHistory()
        }
        let known = try device.test.engine.open().journal.history(of: TestStore.american)
        #expect(known?.transactions.count == 3)
    }

    /// Adds transactions to a page that the store has never made.
    private static func adding(_ invented: @escaping @Sendable (String) -> [String])
        -> LyingStore.Lie
    {
        .changed { body in
            guard var answer = try? WireCoding.decode(DeviceHistoryAnswer.self, from: body),
                let first = answer.transactions.first
            else { return body }
            answer.transactions += invented(first)
            return (try? WireCoding.encode(answer)) ?? body
        }
    }

    /// A transaction that the store has never made, with the signature of another.
    private static func invented(
        _ id: Int, like honest: String, beginning: String = "{"
    ) -> String {
        let parts = honest.split(separator: ".").map { String($0) }
        let payload = String(decoding: Base64URL.decode(parts[1]) ?? Data(), as: UTF8.self)
            .replacing(/"transactionId":"[0-9]+"/, with: "\"transactionId\":\"\(id)\"")
        let changed = Data((beginning + payload.dropFirst()).utf8)
        return "\(parts[0]).\(Base64URL.encode(changed)).\(parts[2])"
    }

    @Test func `a purchase that was invented is gone after the next honest answer`() async throws {
        let device = try await LyingDevice()
        try await device.useHistory()
        let known = try await device.test.all { Transaction.all }.map(\.id)
        for all in [true, false] {
            device.liar.tell(
                [
                    Self.adding { honest in
                        [Self.invented(2_999_999_999, like: honest)]
                    }
                ], about: DeviceRoute.history)
            if !all { try await device.store.buyElsewhere(SampleShop.credits) }
            try await device.fetchHistory(all: all)
            let journal = try device.test.engine.open().journal
            let history = try #require(journal.history(of: TestStore.american))
            #expect(history.transactions[TransactionID(number: 2_999_999_999)] != nil)
            try await device.fetchHistory(all: false)
            let healed = try #require(journal.history(of: TestStore.american))
            #expect(healed.transactions.count == known.count + (all ? 0 : 1))
            #expect(healed.untold.isSubset(of: healed.transactions.keys))
            try await device.checkHistory()
        }
    }

    @Test func `a whole history that breaks off loses nothing, and tells nothing twice`()
        async throws
    {
        let device = try await LyingDevice()
        try await device.useHistory()
        let journal = try device.test.engine.open().journal
        let before = try #require(journal.history(of: TestStore.american))
        try #require(before.transactions.count > 1)
        device.liar.tell(
            [
                .changed { body in
                    guard var answer = try? WireCoding.decode(DeviceHistoryAnswer.self, from: body)
                    else { return body }
                    answer.transactions = [answer.transactions[0]]
                    (answer.revision, answer.hasMore) = ("page-1", true)
                    return (try? WireCoding.encode(answer)) ?? body
                }, .instead(status: 500, body: Data()),
            ], about: DeviceRoute.history)
        await #expect(throws: (any Error).self) { try await device.fetchHistory() }
        let broken = try #require(journal.history(of: TestStore.american))
        #expect(Set(broken.transactions.keys) == Set(before.transactions.keys))
        #expect(broken.revision == HistoryWalk.beginning)
        try await device.checkHistory()
        try await device.fetchHistory(all: false)
        let healed = try #require(journal.history(of: TestStore.american))
        #expect(Set(healed.transactions.keys) == Set(before.transactions.keys))
        #expect(healed.untold == before.untold && healed.revision == before.revision)
    }

    @Test func `a history has so many bytes at most, as it ends up`() async throws {
        let device = try await LyingDevice()
        try await device.useHistory()
        let truth = try #require(device.liar.truth(about: DeviceRoute.history))
        var answer = try WireCoding.decode(DeviceHistoryAnswer.self, from: truth)
        let page = answer.transactions.compactMap { signed in
            device.test.engine.verified(signed).map { (signed: signed, result: $0) }
        }
        try #require(page.count == 2)
        var known = AccountHistory(revision: "revision")
        func text(without bytes: Int) -> String {
            let rest = HistoryWalk.largest - bytes
            return String(decoding: Data(repeating: UInt8(ascii: "x"), count: rest), as: UTF8.self)
        }
        let first = TransactionID(number: 1)
        known.transactions[first] = text(without: page[0].signed.utf8.count)
        answer.startsOver = false
        var full = HistoryWalk(after: known)
        #expect(throws: URLError.self) { _ = try full.take(answer, page) }
        // The same transactions again, signed anew, take no more room.
        known.transactions = Dictionary(
            uniqueKeysWithValues: page.compactMap { item in
                item.result.unsafePayloadValue.storeID.map { ($0, item.signed) }
            })
        known.transactions[first] = text(
            without: page.reduce(0) { $0 + $1.signed.utf8.count })
        var same = HistoryWalk(after: known)
        #expect(throws: Never.self) { _ = try same.take(answer, page) }
        answer.startsOver = true
        var anew = HistoryWalk(after: known)
        #expect(throws: Never.self) { _ = try anew.take(answer, page) }
    }

    @Test func `a statement that is too long is an error, and nothing of it is kept`()
        async throws
    {
        let device = try await LyingDevice()
        try await device.useHistory()
        let journal = try device.test.engine.open().journal
        let before = journal.history(of: TestStore.american)
        let truth = try #require(device.liar.truth(about: DeviceRoute.history))
        let whole = try WireCoding.decode(DeviceHistoryAnswer.self, from: truth)
        let pages = Counter()
        device.liar.keepTelling(
            .changed { body in
                guard var answer = try? WireCoding.decode(DeviceHistoryAnswer.self, from: body)
                else { return body }
                let page = pages.next()
                (answer.revision, answer.hasMore) = ("page-\(page)", true)
                let padding = String(repeating: "x", count: 40 << 10)
                answer.transactions = [
                    Self.invented(
                        3_000_000_000 + page, like: whole.transactions[0],
                        beginning: "{\"padding\":\"\(padding)\",")
                ]
                return (try? WireCoding.encode(answer)) ?? body
            }, about: DeviceRoute.history)
        let error = await #expect(throws: URLError.self) { try await device.fetchHistory() }
        #expect(error?.localizedDescription.contains("is too long") == true)
        #expect(pages.value == 1)
        #expect(journal.history(of: TestStore.american) == before)
        device.liar.keepTelling(nil, about: DeviceRoute.history)
        try await device.fetchHistory(all: false)
        try await device.checkHistory()
    }

    @Test func `an app transaction that is not verified is not kept`() async throws {
        let device = try await LyingDevice()
        try await device.useHistory()
        let kept = try device.test.engine.open().journal.history(of: TestStore.american)
        device.liar.tell(
            [
                .changed { body in
                    let text = String(decoding: body, as: UTF8.self)
                    let last = text.lastIndex(of: ".") ?? text.startIndex
                    let signature = Base64URL.encode(Data(repeating: 1, count: 64))
                    return Data("\(text[...last])\(signature)\"}".utf8)
                }
            ], about: DeviceRoute.appTransaction)
        let told = try await device.test.engine.appTransaction(isFresh: true)
        guard case .unverified(_, .invalidSignature) = told else {
            Issue.record("\(told)")
            return
        }
        let still = try device.test.engine.open().journal.history(of: TestStore.american)
        #expect(still?.appTransaction == kept?.appTransaction)
    }

    // MARK: Refunds and events

    @Test func `whatever the store says of a refund, the request can be made again`() async throws {
        let device = try await LyingDevice()
        try await device.useHistory()
        let bought = try #require(
            try await device.test.all { Transaction.all }.first {
                $0.productID == SampleShop.monthly
            })
        func request() async throws {
            _ = try await device.test.use {
                try await bought.openStoreBeginRefundRequest(reason: .legal)
            }
        }
        for code in [WireErrorCode.refundRequested, .refundNotPossible, .malformedRequest] {
            let truth = try WireCoding.encode(WireError(code: code, message: "No."))
            for lie in try FieldLie.all(about: truth) {
                device.liar.tell(
                    [.instead(status: 422, body: lie.applied(to: truth))],
                    about: "/refund-requests")
                await #expect(throws: Transaction.RefundRequestError.self, "\(lie)") {
                    try await request()
                }
            }
        }
        try await request()
        await #expect(throws: Transaction.RefundRequestError.duplicateRequest) {
            try await request()
        }
    }

    @Test func `after whatever is said of events, the history is the store's`() async throws {
        let store = try await TestStore(hasContent: false)
        let liar = try LyingStore(before: store)
        let device = try await TestDevice(
            store, profile: try await store.profile(address: liar.address), listens: true)
        let truth = try WireCoding.encode(
            EventsAnswer(
                cursor: 7,
                events: [
                    WireEvent(id: 6, kind: .subscription, productId: SampleShop.monthly),
                    WireEvent(id: 7, kind: .revocation, productId: nil),
                ], consents: [], history: 4))
        let lies = try FieldLie.all(about: truth)
        liar.tell(
            lies.map { .instead(status: 200, body: $0.applied(to: truth)) },
            about: DeviceRoute.events)
        try await device.device.signedIn()
        _ = try await device.all { Transaction.all }
        try await until { store.store.services.events.waiting > 0 }
        #expect(liar.requests(about: DeviceRoute.events).count > lies.count)
        async let update = device.updates(1)
        try await store.buyElsewhere(SampleShop.badge)
        #expect(try await update.map(\.productID) == [SampleShop.badge])
        #expect(try await device.entitlements() == [SampleShop.badge])
        await device.engine.close()
    }
}

extension TestStore {
    /// Buys something on another device of the account.
    fileprivate func buyElsewhere(_ product: String) async throws {
        let other = try await TestDevice(self)
        _ = try await other.buy(product)
        await other.engine.close()
    }
}
