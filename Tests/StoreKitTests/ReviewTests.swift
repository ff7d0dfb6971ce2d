import Foundation
import StoreCore
@testable import StoreKit
import StoreModel
import StoreTestSupport
import StoreTexts
import Synchronization
import Testing

struct Reviews {
    private static let page = "https://store.example/us/app/reader/id7"
    private static let day: TimeInterval = 24 * 60 * 60

    private static func server() throws -> PageServer {
        try PageServer([
            PageServer.Item(
                id: "7", bundleID: SampleShop.bundleID.text, page: page + "?l=en",
                facts: ["trackId": 7])
        ])
    }

    @Test func `production asks three times in 365 days for a version, whatever the process`()
        async throws
    {
        let server = try Self.server()
        let store = try await TestStore()
        let clock = SettableClock()
        let folder = try TemporaryFolder()
        for isShown in [true, true, true, false] {
            let device = try await PageDevice(
                store, address: server.address, environment: "production", folder: folder)
            let prompts = ReviewPrompts(device: device.device, version: "1.0", now: { clock.now() })
            await prompts.request()
            #expect(device.shown.all.count == (isShown ? 1 : 0))
            #expect(device.log.all.count == (isShown ? 0 : 1))
            clock.advance(by: 100 * Self.day)
        }
        // 400 days after the first one it has its turn again: one of the three is too old.
        let device = try await PageDevice(
            store, address: server.address, environment: "production", folder: folder)
        let prompts = ReviewPrompts(device: device.device, version: "1.0", now: { clock.now() })
        await prompts.request()
        #expect(device.shown.all == [Self.page + "?l=en&action=write-review"])
        await prompts.request()
        #expect(device.shown.all.count == 1)
        #expect(device.log.all.count == 1)
    }

    @Test func `a new version is asked about anew, and the old one is not`() async throws {
        let server = try Self.server()
        let store = try await TestStore()
        let clock = SettableClock()
        let device = try await PageDevice(
            store, address: server.address, environment: "production")
        for (version, shown) in [("1.0", 3), ("1.1", 6), ("1.0", 6), ("1.1", 6), ("2.0", 9)] {
            let prompts = ReviewPrompts(
                device: device.device, version: version, now: { clock.now() })
            for _ in 0..<4 { await prompts.request() }
            #expect(device.shown.all.count == shown, "\(version)")
        }
        #expect(device.log.all.last?.contains("the version 2.0") == true)
        clock.advance(by: 366 * Self.day)
        let prompts = ReviewPrompts(device: device.device, version: "1.0", now: { clock.now() })
        await prompts.request()
        #expect(device.shown.all.count == 10)
    }

    @Test func `what was asked before versions were counted goes on to count`() async throws {
        let server = try Self.server()
        let clock = SettableClock()
        let device = try await PageDevice(
            try await TestStore(), address: server.address, environment: "production")
        struct Old: Codable { var prompts: [TimeInterval] }
        let now = clock.now().timeIntervalSince1970
        try DeviceRecord<Old>("reviews", of: device.device).update {
            $0 = Old(prompts: [now - 400 * Self.day, now - 2, now - 1])
        }
        let prompts = ReviewPrompts(device: device.device, version: "9", now: { clock.now() })
        for _ in 0..<3 { await prompts.request() }
        #expect(device.shown.all.count == 1)
    }

    @Test func `the sandbox asks every time`() async throws {
        let server = try Self.server()
        let device = try await PageDevice(try await TestStore(), address: server.address)
        let clock = SettableClock()
        let prompts = ReviewPrompts(device: device.device, version: "1.0", now: { clock.now() })
        for _ in 0..<5 { await prompts.request() }
        #expect(device.shown.all.count == 5)
    }

    @Test func `a prompt that nobody saw is not counted`() async throws {
        let server = try Self.server()
        let store = try await TestStore()
        let clock = SettableClock()
        let folder = try TemporaryFolder()
        let blind = try await PageDevice(
            store, address: server.address, environment: "production", folder: folder,
            canShow: false)
        let unseen = ReviewPrompts(device: blind.device, version: "1.0", now: { clock.now() })
        for _ in 0..<3 { await unseen.request() }
        #expect(blind.log.all.count == 3)
        #expect(blind.log.all.allSatisfy { $0.contains("can't show pages") })
        let device = try await PageDevice(
            store, address: server.address, environment: "production", folder: folder)
        let prompts = ReviewPrompts(device: device.device, version: "1.0", now: { clock.now() })
        for _ in 0..<4 { await prompts.request() }
        #expect(device.shown.all.count == 3)
    }

    @Test func `the answer is written by the framework, and asked for again where it can't be`()
        async throws
    {
        let store = try await TestStore(hasContent: false)
        let app = try await store.sellApp()
        let account = try await store.store.services.accounts.account(
            email: TestStore.american, environment: .sandbox)
        _ = try await store.store.services.itemSales.buy(
            app, expecting: Money(thousandths: 0, currency: "USD"), by: account)
        let sheet = ReviewingSheet([
            OpenStoreReview(stars: 4, title: "Fine", text: "It goes."),
            OpenStoreReview(stars: 4, title: "Fine", text: "It goes.", nickname: "Ada"), nil,
            OpenStoreReview(stars: 2),
        ])
        let device = try await TestDevice(store, customer: sheet)
        let prompts = ReviewPrompts(
            device: device.device, version: "1.0", now: { Date() }, texts: Texts(.english))
        func own() async throws -> CustomerReview? {
            try await store.store.services.customerReviews.own(on: app, by: account)
        }
        await prompts.request()
        #expect(try await own()?.title == "Fine")
        #expect(sheet.questions.map { $0.problem == nil } == [true, false])
        #expect(sheet.questions.last?.before?.rating == 4)
        // Gives up: it stays as it is.
        await prompts.request()
        #expect(try await own()?.rating == 4)
        #expect(sheet.questions.last?.before?.nickname == "Ada")
        await prompts.request()
        #expect(try await own()?.rating == 2)
        #expect(device.recorder.logged.isEmpty)
    }

    @Test func `a store without a page of the app is said to have none`() async throws {
        let server = try PageServer([])
        let device = try await PageDevice(try await TestStore(), address: server.address)
        await ReviewPrompts(device: device.device, version: "1.0", now: { Date() }).request()
        #expect(device.shown.all.isEmpty)
        #expect(device.log.all.first?.contains("no page of the app") == true)
    }
}

/// Answers questions for a review one after the other.
private final class ReviewingSheet: OpenStoreSheet {
    private let state: Mutex<(answers: [OpenStoreReview?], questions: [OpenStoreReviewQuestion])>

    init(_ answers: [OpenStoreReview?]) {
        state = Mutex((answers, []))
    }

    var questions: [OpenStoreReviewQuestion] { state.withLock { $0.questions } }

    func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool { false }

    func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
        OpenStoreCredentials(email: TestStore.american, password: TestStore.password)
    }

    func review(_ question: OpenStoreReviewQuestion) async throws -> OpenStoreReview? {
        state.withLock { state in
            state.questions.append(question)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
    }
}
