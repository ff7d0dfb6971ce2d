import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// What a database gives out after it went back to an earlier state.
@Suite(.usesDrivers) struct NumberAdvanceTests {
    @Test(arguments: CheckedDatabase.Kind.allCases)
    func `no number of the time that was lost is given out again, and who knows one starts anew`(
        kind: CheckedDatabase.Kind
    ) async throws {
        let place = try CheckedDatabase(kind)
        let database = try place.driver.install().open()
        defer { database.close() }
        let shop = try await SeededShop(in: database)
        let subject = HistorySubject(account: shop.ada.id, app: shop.app.id)
        let history = HistoryService(database: database)
        func sell(_ numbers: ClosedRange<Int>) async throws -> [Int64] {
            try await database.write { repositories in
                try numbers.map { number in
                    let entry = try repositories.ledger.insert(
                        shop.purchase(number, type: .consumable))
                    try repositories.events.append(
                        DeviceEventDraft(
                            audience: .account(shop.ada.id), app: shop.app.id, kind: .transactions),
                        at: SeededShop.date)
                    return entry.id.number
                }
            }
        }
        func page(after revision: HistoryRevision?) async throws -> HistoryPage {
            try await history.history(of: subject, HistoryQuery(), after: revision)
        }
        let kept = try await sell(1...3)
        let known = try await page(after: nil).revision
        let heard = try await database.lastEvent()
        let generation = try await database.read { try $0.catalog.generation(of: shop.app.id) }

        // Ten were sold in the two minutes that are lost.
        let lost = HistoryRevision(number: known.number + 10)
        func changes(after cursor: DeviceHistoryCursor?) async throws -> DeviceHistoryPage {
            try await history.changes(of: subject, after: cursor)
        }
        let deviceCursor = try await changes(after: nil).cursor
        let unheard = DeviceEventID(number: heard.number + 10)
        try NumberAdvance(since: SeededShop.date, now: SeededShop.date.addingTimeInterval(120))
            .run(on: place.address)
        let next = try await sell(4...5)
        #expect(next[0] > kept[2] + 120 * 10_000)
        let before = try await database.read { try $0.events.resumption(after: unheard) }
        #expect(before == heard, "a device that knows what is lost goes back")
        let after = try await database.read { try $0.events.resumption(after: heard) }
        #expect(after == heard)
        let fresh = try await database.read { repositories in
            try repositories.events.events(
                account: shop.ada.id, in: shop.ada.environment, app: shop.app.id, after: heard,
                limit: 10
            ).map(\.id.number)
        }
        #expect(fresh.count == 2 && fresh.allSatisfy { $0 > unheard.number })
        #expect(
            try await page(after: lost).records.map(\.entry.id.number) == kept + next,
            "a server that knows what is lost reads everything")
        // It may have noted purchases of the lost time, of which it had heard before their history.
        let again = try await changes(after: deviceCursor)
        #expect(again.startsOver && again.records.map(\.entry.id.number) == kept + next)
        let goesOn = try await changes(after: again.cursor)
        #expect(!goesOn.startsOver && goesOn.records.isEmpty)
        let read = try await page(after: known)
        #expect(read.records.map(\.entry.id.number) == next)
        #expect(try await page(after: read.revision).records.isEmpty)
        // Customers who had bought nothing before have larger revisions than the lost ones, too.
        let grace = try await database.write {
            try $0.ledger.insert(shop.purchase(1, type: .consumable, by: shop.grace)).id.number
        }
        let hers = try await history.history(
            of: HistorySubject(account: shop.grace.id, app: shop.app.id), HistoryQuery(),
            after: HistoryRevision(number: 7))
        #expect(hers.records.map(\.entry.id.number) == [grace])
        #expect(hers.revision.number > lost.number)
        #expect(
            try await database.read { try $0.catalog.generation(of: shop.app.id) } != generation)
        #expect(try place.inspection.repeatedNumbers() == [])
    }

    @Test(arguments: CheckedDatabase.Kind.allCases)
    func `an event is lost whose number was given and whose row is not there`(
        kind: CheckedDatabase.Kind
    ) async throws {
        let place = try CheckedDatabase(kind)
        let database = try place.driver.install().open()
        defer { database.close() }
        let shop = try await SeededShop(in: database)
        try await database.write { repositories in
            try repositories.events.append(
                DeviceEventDraft(
                    audience: .account(shop.ada.id), app: shop.app.id, kind: .transactions),
                at: SeededShop.date)
        }
        let last = try await database.lastEvent()
        let lost = DeviceEventID(number: last.number + 1)
        // A dump of PostgreSQL has its rows of one moment, and its sequences of a later one.
        try await place.run(
            kind == .sqlite
                ? "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'device_event'"
                : "SELECT nextval(pg_get_serial_sequence('device_event', 'id'))")
        try NumberAdvance(since: SeededShop.date, now: SeededShop.date.addingTimeInterval(120))
            .run(on: place.address)
        #expect(try await database.read { try $0.events.resumption(after: lost) } == last)
    }

    @Test(arguments: CheckedDatabase.Kind.allCases)
    func
        `a device that heard of another state in between hears this one from the first event on`(
            kind: CheckedDatabase.Kind
        ) async throws
    {
        let day: TimeInterval = 86_400
        /// The last event before the database goes back, and one of afterwards.
        func events(
            _ count: Int, since state: TimeInterval, at now: TimeInterval,
            resuming known: DeviceEventID = DeviceEventID(number: 0)
        ) async throws -> (last: DeviceEventID, next: DeviceEventID, resumed: DeviceEventID) {
            let place = try CheckedDatabase(kind)
            let database = try place.driver.install().open()
            defer { database.close() }
            let shop = try await SeededShop(in: database)
            func append(_ count: Int) async throws -> DeviceEventID {
                try await database.write { repositories in
                    for _ in 0..<count {
                        try repositories.events.append(
                            DeviceEventDraft(
                                audience: .account(shop.ada.id), app: shop.app.id,
                                kind: .transactions),
                            at: SeededShop.date)
                    }
                }
                return try await database.lastEvent()
            }
            let last = try await append(count)
            try NumberAdvance(
                since: SeededShop.date.addingTimeInterval(state),
                now: SeededShop.date.addingTimeInterval(now)
            ).run(on: place.address)
            let next = try await append(1)
            let resumed = try await database.read { try $0.events.resumption(after: known) }
            return (last, next, resumed)
        }

        // Last week's backup takes the place by mistake; an hour later yesterday's does, which has
        // events that last week's lacks.
        let first = try await events(1, since: 0, at: 7 * day)
        let second = try await events(
            3, since: 6 * day, at: 7 * day + 3600, resuming: first.next)
        #expect(second.resumed == DeviceEventID(number: 0))
        // Whoever heard events behind those of yesterday's backup has heard all of its own.
        let lost = DeviceEventID(number: second.last.number + 1)
        let third = try await events(3, since: 6 * day, at: 7 * day + 3600, resuming: lost)
        #expect(third.resumed == third.last)
    }

    @Test(arguments: CheckedDatabase.Kind.allCases)
    func
        `who goes back twice, to a later state at last, is ahead of what was given out between`(
            kind: CheckedDatabase.Kind
        ) async throws
    {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let day: TimeInterval = 86_400
        func history(
            since state: TimeInterval, at now: TimeInterval, after known: HistoryRevision? = nil
        ) async throws -> (page: HistoryPage, app: Int64) {
            let place = try CheckedDatabase(kind)
            let database = try place.driver.install().open()
            defer { database.close() }
            let shop = try await SeededShop(in: database)
            try NumberAdvance(since: start + state, now: start + now).run(on: place.address)
            _ = try await database.write {
                try $0.ledger.insert(shop.purchase(1, type: .consumable))
            }
            #expect(try place.inspection.repeatedNumbers() == [])
            let page = try await HistoryService(database: database).history(
                of: HistorySubject(account: shop.ada.id, app: shop.app.id), HistoryQuery(),
                after: known)
            let app = try await place.run("SELECT max(id) FROM app_transaction")
            return (page, try #require(Int64(app.trimmingCharacters(in: .whitespacesAndNewlines))))
        }

        // Last week's backup takes the place by mistake; an hour later yesterday's does.
        let (first, firstApp) = try await history(since: 0, at: 7 * day)
        let (second, secondApp) = try await history(
            since: 6 * day, at: 7 * day + 3600, after: first.revision)
        #expect(secondApp > firstApp)
        let before = try #require(first.records.first?.entry.id.number)
        let after = try #require(
            second.records.first?.entry.id.number, "a server that knows the hour reads everything")
        #expect(after > before)
        #expect(second.revision.number > first.revision.number)
    }
}
