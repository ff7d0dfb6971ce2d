import Foundation
@testable import StoreKit
import StoreCore
import StoreModel
import StoreTestSupport
import StoreTexts
import StoreWire
import Synchronization
import Testing

/// What a customer reads where a purchase charges nothing.
struct ChargesOnSheets {
    /// A customer who agrees to everything and remembers what was asked.
    private final class Reader: Sendable {
        private let all = Mutex<[OpenStorePurchaseQuestion]>([])

        var questions: [OpenStorePurchaseQuestion] { all.withLock { $0 } }

        /// - Returns: how many questions there were.
        @discardableResult
        func read(_ question: OpenStorePurchaseQuestion) -> Int {
            all.withLock { all in
                all.append(question)
                return all.count
            }
        }
    }

    @Test func `the sheet of an owned product says that it is free, and names no price`()
        async throws
    {
        let store = try await TestStore(hasContent: false)
        let reader = Reader()
        let device = try await TestDevice(store) { question in
            reader.read(question)
            return true
        }
        for _ in 0..<2 { _ = try await device.buy(SampleShop.badge) }
        try #require(reader.questions.count == 2)
        #expect(
            reader.questions.map(\.text) == [
                "Do you want to buy one “A badge” for $0.99?",
                "Do you want to buy one “A badge” for $0.00? You own this: it is free.",
            ])
        #expect(reader.questions.map(\.price) == ["$0.99", "$0.00"])
        #expect(try await store.ledger().map(\.details.charged.thousandths) == [990, 0])
    }

    @Test func `the sheet of a subscription that runs says that nothing is charged`()
        async throws
    {
        let store = try await TestStore(hasContent: false)
        let reader = Reader()
        let device = try await TestDevice(store) { question in
            reader.read(question)
            return true
        }
        for _ in 0..<2 { _ = try await device.buy(SampleShop.monthly) }
        let sentence = Texts.english.subscriptionRuns
        #expect(
            reader.questions.map { $0.text.hasSuffix(sentence) } == [false, true])
    }

    @Test func `who was told that it is free, and has lost it, is asked again`() async throws {
        let store = try await TestStore(hasContent: false)
        let reader = Reader()
        let device = try await TestDevice(store) { question in
            guard reader.read(question) == 2 else { return true }
            do {
                let first = try #require(try await store.ledger().first)
                _ = try await store.store.services.purchases.revoke(first.id, reason: .other)
            } catch {
                Issue.record(error)
            }
            return true
        }
        for _ in 0..<2 { _ = try await device.buy(SampleShop.badge) }
        #expect(reader.questions.map(\.price) == ["$0.99", "$0.00", "$0.99"])
        #expect(try await store.ledger().map(\.details.charged.thousandths) == [990, 990])
    }

    @Test func `an unknown notice counts as a price that is charged`() throws {
        let answer = try WireCoding.decode(
            QuoteAnswer.self, from: Data(#"{"charge":"tomorrow","startDate":1}"#.utf8))
        #expect(answer.notice == .now)
        let trial = SubscriptionOffer(
            kind: .introductory, identifier: nil, paymentMode: .freeTrial,
            period: SubscriptionPeriod(unit: .month, count: 1), periodCount: 1, thousandths: 0)
        // Devices that know no upgrades know the offer of one.
        #expect(QuoteAnswer(.upgrade(trial)).charge == .offer)
        for notice: ChargeNotice in [
            .now, .owned, .running, .later(Date(milliseconds: 5)),
            .offer(trial.followed(by: trial)),
            .upgrade(nil), .upgrade(trial), .accepted(trial, start: Date(milliseconds: 5)),
        ] {
            let data = try WireCoding.encode(QuoteAnswer(notice))
            #expect(try WireCoding.decode(QuoteAnswer.self, from: data).notice == notice)
        }
    }
}
