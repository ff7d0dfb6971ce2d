import Foundation
@testable import StoreCore
import StoreDatabase
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@Suite(.usesDrivers) struct NotificationServiceTests {
    private static let day: TimeInterval = 86_400

    private func request(
        _ fixture: SubscriberShop, days: Double = 30, type: String? = nil, subtype: String? = nil,
        transaction: String? = nil, onlyFailures: Bool = false
    ) -> NotificationHistoryRequest {
        NotificationHistoryRequest(
            start: fixture.clock.now().addingTimeInterval(-days * Self.day),
            end: fixture.clock.now().addingTimeInterval(1), type: type, subtype: subtype,
            transaction: transaction, onlyFailures: onlyFailures)
    }

    private func types(_ page: NotificationHistoryPage) -> [String] {
        page.notifications.map(\.content.notification.details.type.rawValue)
    }

    // MARK: Tests

    @Test(arguments: StoreDriver.all)
    func `a test notification's token tells what became of it`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriberShop(driver)
        let service = fixture.service
        let token = try #require(try await service.sendTest(to: fixture.lane()))
        // Nothing is to be said before it was sent.
        #expect(
            try await service.test(token.description, of: fixture.lane())
                == .failure(.notAvailable))
        let sent = try #require(try await fixture.notifications().first)
        let attempt = SendAttempt(
            date: fixture.clock.now(), url: "https://example.com/sandbox",
            outcome: SendOutcome(.tlsIssue), duration: .zero, isReplay: false)
        try await fixture.database.write { try $0.notifications.append(attempt, of: sent.id) }
        let found = try await service.test(token.description, of: fixture.lane()).get()
        #expect(found.attempts == [attempt])
        #expect(found.content.notification == sent && found.content.transaction == nil)

        for text in [
            "\(token.uuid)_\(token.milliseconds + 1)",
            "00000000-0000-4000-8000-000000000000_\(token.milliseconds)",
        ] {
            #expect(try await service.test(text, of: fixture.lane()) == .failure(.notAvailable))
        }
        #expect(try await service.test("token", of: fixture.lane()) == .failure(.malformed))
        // Other environments and apps have no part in it.
        for lane in [
            fixture.lane(.production),
            AppScope(app: fixture.shop.otherApp.id, environment: .sandbox),
        ] {
            #expect(
                try await service.test(token.description, of: lane) == .failure(.notAvailable))
        }
        fixture.clock.advance(by: 181 * Self.day)
        #expect(
            try await service.test(token.description, of: fixture.lane())
                == .failure(.notAvailable))
    }

    @Test(arguments: StoreDriver.all)
    func `what is no test has no token`(driver: StoreDriver) async throws {
        let fixture = try await SubscriberShop(driver)
        try await fixture.buy()
        let told = try #require(try await fixture.notifications().first)
        let token = TestNotificationToken(told).description
        #expect(
            try await fixture.service.test(token, of: fixture.lane()) == .failure(.notAvailable))
        let lane = AppScope(app: fixture.shop.otherApp.id, environment: .sandbox)
        #expect(try await fixture.service.sendTest(to: lane) == nil)
    }

    // MARK: History

    @Test(arguments: StoreDriver.all)
    func `history comes in pages of twenty, the oldest first`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriberShop(driver)
        for _ in 0..<45 {
            fixture.clock.advance(by: 60)
            _ = try await fixture.service.sendTest(to: fixture.lane())
        }
        let wanted = try await fixture.notifications().map(\.uuid)
        let request = request(fixture)
        var found: [String] = []
        var (token, sizes): (String?, [Int]) = (nil, [])
        repeat {
            let page = try await fixture.service.history(request, after: token, of: fixture.lane())
                .get()
            found += page.notifications.map(\.content.notification.uuid)
            sizes.append(page.notifications.count)
            token = page.token
        } while token != nil
        #expect(found == wanted && sizes == [20, 20, 5])
        // What comes meanwhile is behind the end that was asked for.
        #expect(
            try await fixture.service.history(
                request, after: nil,
                of: AppScope(app: fixture.shop.otherApp.id, environment: .sandbox)
            ).get().notifications.isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `a history has what was dated before its end and written a moment later`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriberShop(driver)
        let draft = NotificationDraft(app: fixture.shop.app.id, environment: .sandbox, type: .test)
        let service = NotificationService(
            database: fixture.database, clock: fixture.clock, seal: ReadableSeal()
        ) { duration in
            #expect(duration >= .seconds(NotificationHistoryRequest.settling))
            _ = try await fixture.database.write {
                try $0.notifications.append(draft, at: fixture.clock.now())
            }
        }
        var asked = request(fixture)
        let page = try await service.history(asked, after: nil, of: fixture.lane()).get()
        #expect(types(page) == ["TEST"])
        // What is long over is waited for by nobody.
        fixture.clock.advance(by: 60)
        asked.end = fixture.clock.now().addingTimeInterval(-NotificationHistoryRequest.settling)
        let again = try await service.history(asked, after: nil, of: fixture.lane()).get()
        #expect(types(again) == ["TEST"])
    }

    @Test(arguments: StoreDriver.all)
    func `a page's token is for one request, one app and one day`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriberShop(driver)
        for _ in 0..<21 {
            fixture.clock.advance(by: 6)
            _ = try await fixture.service.sendTest(to: fixture.lane())
        }
        let asked = request(fixture)
        let service = fixture.service
        let token = try #require(
            try await service.history(asked, after: nil, of: fixture.lane()).get().token)
        var other = asked
        other.onlyFailures = true
        for (request, lane) in [
            (other, fixture.lane()), (asked, fixture.lane(.production)),
            (asked, AppScope(app: fixture.shop.otherApp.id, environment: .sandbox)),
        ] {
            #expect(
                try await service.history(request, after: token, of: lane)
                    == .failure(.invalidToken))
        }
        for text in ["", "x", token + "x", String(repeating: "a", count: 100_000)] {
            #expect(
                try await service.history(asked, after: text, of: fixture.lane())
                    == .failure(.invalidToken))
        }
        fixture.clock.advance(by: Self.day - 1)
        #expect(
            try await service.history(asked, after: token, of: fixture.lane())
                .get().notifications.count == 1)
        fixture.clock.advance(by: 1)
        #expect(
            try await service.history(asked, after: token, of: fixture.lane())
                == .failure(.tokenExpired))
    }

    @Test(arguments: StoreDriver.all)
    func `a history from the earliest start is read to its end`(driver: StoreDriver) async throws {
        let fixture = try await SubscriberShop(driver)
        for _ in 0..<21 {
            fixture.clock.advance(by: 6)
            _ = try await fixture.service.sendTest(to: fixture.lane())
        }
        var asked = request(fixture)
        asked.start = fixture.clock.now().addingTimeInterval(-NotificationHistoryRequest.reach)
        let page = try await fixture.service.history(asked, after: nil, of: fixture.lane()).get()
        let token = try #require(page.token)
        fixture.clock.advance(by: 60)
        #expect(
            try await fixture.service.history(asked, after: token, of: fixture.lane())
                .get().notifications.count == 1)
        #expect(
            try await fixture.service.history(asked, after: nil, of: fixture.lane())
                == .failure(.startTooEarly))
    }

    @Test(arguments: StoreDriver.all)
    func `history is filtered by type, by customer and by failure`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriberShop(driver)
        let (service, lane) = (fixture.service, fixture.lane())
        let ada = try await fixture.buy()
        let grace = try await fixture.buy(SeededShop.chapter, 2, by: fixture.shop.grace)
        try await fixture.wait(SubscriberShop.month)
        func found(_ request: NotificationHistoryRequest) async throws -> [String] {
            types(try await service.history(request, after: nil, of: lane).get())
        }
        #expect(
            try await found(request(fixture)) == ["SUBSCRIBED", "ONE_TIME_CHARGE", "DID_RENEW"])
        #expect(try await found(request(fixture, type: "DID_RENEW")) == ["DID_RENEW"])
        #expect(
            try await found(request(fixture, type: "SUBSCRIBED", subtype: "INITIAL_BUY"))
                == ["SUBSCRIBED"])
        #expect(
            try await found(request(fixture, type: "SUBSCRIBED", subtype: "RESUBSCRIBE")).isEmpty)
        // Nothing here causes it, but it can be asked about.
        #expect(try await found(request(fixture, type: "OFFER_REDEEMED")).isEmpty)
        let renewed = try #require(try await fixture.subscription()?.latest)
        for id in [ada.id, renewed] {
            #expect(
                try await found(request(fixture, transaction: "\(id)"))
                    == ["SUBSCRIBED", "DID_RENEW"])
        }
        #expect(
            try await found(request(fixture, transaction: "\(grace.id)")) == ["ONE_TIME_CHARGE"])
        #expect(try await found(request(fixture, onlyFailures: true)).isEmpty)
        let first = try #require(try await fixture.notifications().first)
        try await fixture.database.write {
            try $0.notifications.set(
                NotificationStatus(state: .failed, attempts: 1, due: nil), of: first.id)
        }
        #expect(
            try await found(request(fixture, transaction: "\(ada.id)", onlyFailures: true))
                == ["SUBSCRIBED"])
    }

    @Test(arguments: StoreDriver.all)
    func `a request that can't be answered says why`(driver: StoreDriver) async throws {
        let fixture = try await SubscriberShop(driver)
        let now = fixture.clock.now()
        let customer = try await fixture.buy(SubscriberShop.monthly, 1, by: fixture.shop.customer)
        func refusal(
            _ change: (inout NotificationHistoryRequest) -> Void
        ) async throws -> NotificationHistoryRefusal? {
            var request = request(fixture)
            change(&request)
            switch try await fixture.service.history(request, after: nil, of: fixture.lane()) {
            case .success: return nil
            case .failure(let refusal): return refusal
            }
        }
        #expect(try await refusal { $0.start = nil } == .invalidStart)
        #expect(
            try await refusal { $0.start = now.addingTimeInterval(1) } == .invalidStart)
        #expect(try await refusal { $0.end = nil } == .invalidEnd)
        #expect(try await refusal { $0.end = $0.start } == .startNotBeforeEnd)
        #expect(
            try await refusal { $0.end = now.addingTimeInterval(-40 * Self.day) }
                == .startNotBeforeEnd)
        #expect(
            try await refusal { $0.start = now.addingTimeInterval(-180 * Self.day - 1) }
                == .startTooEarly)
        #expect(
            try await refusal { $0.start = now.addingTimeInterval(-180 * Self.day) } == nil)
        #expect(
            try await refusal { $0.end = now.addingTimeInterval(1000 * Self.day) } == nil)
        #expect(try await refusal { $0.type = "UNKNOWN" } == .invalidType)
        #expect(try await refusal { $0.subtype = "INITIAL_BUY" } == .invalidType)
        #expect(
            try await refusal {
                ($0.type, $0.subtype) = ("DID_RENEW", "INITIAL_BUY")
            } == .invalidType)
        #expect(
            try await refusal {
                ($0.type, $0.transaction) = ("DID_RENEW", "1")
            } == .tooManyFilters)
        #expect(try await refusal { $0.transaction = "x" } == .invalidTransaction)
        #expect(try await refusal { $0.transaction = "" } == .invalidTransaction)
        #expect(
            try await refusal { $0.transaction = "123456789012345" } == .transactionNotFound)
        // A customer's of the other environment.
        #expect(
            try await refusal { $0.transaction = "\(customer.id)" } == .transactionNotFound)
    }

    // MARK: Connect

    @Test(arguments: StoreDriver.all)
    func `publishers see what their own apps are told, and have it sent again`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await SubscriberShop(driver)
        let (service, lane) = (fixture.service, fixture.lane())
        for _ in 0..<5 {
            fixture.clock.advance(by: 1)
            _ = try await service.sendTest(to: lane, by: fixture.actor(.developer))
        }
        var all: [StoreNotification] = []
        var cursor: String?
        repeat {
            let page = try await service.notifications(
                of: lane, NotificationQuery(), PageRequest(limit: 2, cursor: cursor),
                by: fixture.actor(.customerSupport))
            all += page.items
            cursor = page.next
        } while cursor != nil
        #expect(all == (try await fixture.notifications().reversed()))
        let id = try #require(all.first).id
        let asked = try await service.resend(id, by: fixture.actor(.developer))
        #expect(asked.status.isReplay)
        // Once more while it waits is not twice.
        try await service.resend(id, by: fixture.actor(.developer))
        #expect(
            try await service.notification(id, by: fixture.actor(.admin)).content.notification
                == asked)
        let actions = try await fixture.database.read { repositories in
            try repositories.audit.entries(team: nil, before: nil, limit: 100)
                .map(\.entry.action)
        }
        #expect(actions.filter { $0 == "notification.test" }.count == 5)
        #expect(actions.filter { $0 == "notification.resend" }.count == 1)
    }

    @Test(arguments: StoreDriver.all)
    func `others see nothing, and have nothing sent`(driver: StoreDriver) async throws {
        let fixture = try await SubscriberShop(driver)
        let (service, lane) = (fixture.service, fixture.lane())
        let id = try await service.sendTest(to: lane, by: fixture.actor(.admin)).id
        let before = try await fixture.notifications()
        func rules(_ actor: ConnectActor) async throws -> [String?] {
            func rule(_ body: () async throws -> Void) async throws -> String? {
                do {
                    try await body()
                    return nil
                } catch let refusal as ConnectRefusal {
                    return refusal.rule
                }
            }
            return [
                try await rule {
                    _ = try await service.notifications(
                        of: lane, NotificationQuery(), PageRequest(limit: 1), by: actor)
                },
                try await rule { _ = try await service.notification(id, by: actor) },
                try await rule { _ = try await service.resend(id, by: actor) },
                try await rule { _ = try await service.sendTest(to: lane, by: actor) },
            ]
        }
        #expect(
            try await rules(fixture.actor(.admin, team: 999))
                == ["notFound", "notFound", "notFound", "notFound"])
        #expect(
            try await rules(fixture.actor(.marketing)) == ["role", "role", "role", "role"])
        #expect(
            try await rules(fixture.actor(.customerSupport)) == [nil, nil, "role", "role"])
        #expect(try await fixture.notifications() == before)
        // An app without a URL.
        let other = AppScope(app: fixture.shop.otherApp.id, environment: .sandbox)
        await #expect {
            _ = try await service.sendTest(to: other, by: fixture.actor(.admin))
        } throws: {
            ($0 as? ConnectRefusal)?.rule == "notificationURLMissing"
        }
    }

    @Test func `what a transaction writes that takes long is not missed`() async throws {
        let place = try CheckedDatabase(.postgres)
        let fixture = try await SubscriberShop(place.driver)
        _ = try await fixture.service.sendTest(to: fixture.lane())
        let copying = """
            INSERT INTO notification (app, environment, type, facts, date, state, due)
                SELECT app, environment, type, facts, date, state, due FROM notification
            """
        // More than a page of them, and as many that nobody can read yet.
        try await place.run("\(copying), generate_series(1, 24)")
        let other = try OpenTransaction(place, copying)
        #expect(try await fixture.database.notificationWriters().count == 1)
        let waits = Mutex(0)
        let service = NotificationService(
            database: fixture.database, clock: fixture.clock, seal: ReadableSeal(),
            sleep: { _ in
                let number = waits.withLock { waits in
                    waits += 1
                    return waits
                }
                if number == 2 { try other.commit() }
            })
        var found: Set<NotificationID> = []
        var token: String?
        let request = request(fixture)
        repeat {
            let page = try await service.history(request, after: token, of: fixture.lane()).get()
            found.formUnion(page.notifications.map(\.content.notification.id))
            token = page.token
        } while token != nil
        #expect(found.count == 50)
        // At least two for the transaction, and the last page's for clocks.
        #expect(waits.withLock { $0 } >= 3)
        #expect(try await fixture.database.notificationWriters().isEmpty)
    }

    @Test func `a transaction that does not end makes the history wait, not lie`() async throws {
        let place = try CheckedDatabase(.postgres)
        let fixture = try await SubscriberShop(place.driver)
        let other = try OpenTransaction(place, "UPDATE notification SET due = due")
        let error = await #expect(throws: SQLError.self) {
            _ = try await fixture.service.history(request(fixture), after: nil, of: fixture.lane())
        }
        #expect(error?.code == .busy)
        try other.commit()
        #expect(
            try await fixture.service.history(request(fixture), after: nil, of: fixture.lane())
                .get()
                .notifications.isEmpty)
    }

    @Test(
        arguments: StoreDriver.one,
        [
            "", "x", "-", "1-", "-1", "1-x", "99999999999999999999-1", "1-1-1", "-5--5",
            "9223372036854775807-1",
        ])
    func `a cursor that nobody gave out is refused`(
        driver: StoreDriver, cursor: String
    ) async throws {
        let fixture = try await SubscriberShop(driver)
        await #expect(throws: PageRequest.badCursor) {
            _ = try await fixture.service.notifications(
                of: fixture.lane(), NotificationQuery(), PageRequest(limit: 1, cursor: cursor),
                by: fixture.actor(.admin))
        }
    }
}

/// A transaction of somebody else that has written and is not over.
private final class OpenTransaction: Sendable {
    private let session: Mutex<PostgresSession>

    init(_ place: CheckedDatabase, _ statement: String) throws {
        guard case .postgres(let address) = try place.address else {
            throw SQLError(code: .other, "only a server has transactions beside each other")
        }
        session = Mutex(try PostgresSession(address))
        try session.withLock { session in
            for text in ["SET search_path TO openstore", "BEGIN", statement] {
                try session.run(text)
            }
        }
    }

    func commit() throws { try session.withLock { _ = try $0.run("COMMIT") } }
}

extension SubscriberShop {
    var service: NotificationService {
        NotificationService(
            database: database, clock: clock, seal: ReadableSeal(), sleep: { _ in })
    }

    func lane(_ environment: StoreEnvironment = .sandbox) -> AppScope {
        AppScope(app: shop.app.id, environment: environment)
    }

    func actor(_ role: ConnectRole, team: Int64? = nil) -> ConnectActor {
        ConnectActor(
            kind: .person(PersonID(number: 1), email: "dev@example.com"),
            team: team ?? shop.app.teamID, roles: [role])
    }
}

/// Tokens that anybody can read.
private struct ReadableSeal: HistoryCursorSeal {
    func token(for cursor: NotificationHistoryCursor) throws -> String {
        String(decoding: try JSONEncoder().encode(cursor), as: UTF8.self)
    }

    func cursor(of token: String) -> NotificationHistoryCursor? {
        try? JSONDecoder().decode(NotificationHistoryCursor.self, from: Data(token.utf8))
    }
}
