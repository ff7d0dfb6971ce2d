import Foundation
import StoreDatabase
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCore

/// What an acknowledged write means, and one that failed.
@Suite(.usesDrivers) struct AcknowledgementTests {
    @Test(arguments: CheckedDatabase.Kind.allCases)
    func `a program whose schema another one has replaced writes nothing more`(
        kind: CheckedDatabase.Kind
    ) async throws {
        let place = try CheckedDatabase(kind)
        let database = try place.driver.install().open()
        try await place.run(
            kind == .sqlite
                ? "PRAGMA user_version = 1000" : "UPDATE schema_version SET number = 1000")
        await #expect {
            _ = try await database.write {
                try $0.catalog.save(TeamDraft(name: "Late", hasPaidAgreement: true))
            }
        } throws: { error in
            (error as? SQLError)?.code == .outdated && "\(error)".contains("schema 1000")
        }
        #expect(try await database.read { try $0.catalog.team(named: "Late") } == nil)
        database.close()
    }

    @Test func `sales are on disk when they are acknowledged, whatever a database is set to`()
        async throws
    {
        let place = try PostgresTestDatabase()
        try place.run(
            """
            ALTER DATABASE \(place.name) SET synchronous_commit TO off;
            CREATE TABLE public.seen (value TEXT);
            CREATE FUNCTION public.see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                INSERT INTO public.seen VALUES (current_setting('synchronous_commit'));
                RETURN NULL;
            END $$;
            CREATE TRIGGER see AFTER INSERT ON openstore.team
                FOR EACH STATEMENT EXECUTE FUNCTION public.see()
            """)
        let database = try PostgresDatabase(PostgresAddress(place.address))
        _ = try await database.write {
            try $0.catalog.save(TeamDraft(name: "Example", hasPaidAgreement: true))
        }
        #expect(try place.run("SELECT DISTINCT value FROM public.seen") == [["on"]])
        database.close()
        // The tests' server has the first two off.
        let settings = try DatabaseInspection(DatabaseAddress(place.address)).riskySettings()
        #expect(settings.map(\.name) == ["fsync", "full_page_writes", "synchronous_commit"])
        #expect(settings.map(\.losesSales) == [true, true, false])
    }

    @Test(arguments: [
        (SQLError.Code.disk, SQLError.Code.uncertain), (.other, .uncertain),
        (.corrupt, .uncertain), (.constraint, .constraint), (.busy, .busy),
    ])
    func `a commit that failed late may have been written, and is said so`(
        code: SQLError.Code, meaning: SQLError.Code
    ) {
        let failure = SQLError(code: code, "a reason").ofCommit
        #expect(failure.code == meaning && failure.description.contains("a reason"))
        #expect(FailureRemedy.isOutcomeUncertain(after: failure) == (meaning == .uncertain))
    }

    @Test(arguments: [
        (0.0, 0.0, 0.0), (0.9, 0, 0), (20, 0, 20), (0, 30, 30), (20, 30, 50), (0, -30, 0),
    ])
    func `what had to wait is dated when it is written, by the clock that is ahead`(
        wait: Double, lead: Double, added: Double
    ) throws {
        let start = ContinuousClock.now
        let connection = try SQLiteConnection(path: SQLiteConnection.memory(UUID().uuidString))
        let news = NotificationAnnouncement(
            WriteTransaction(on: connection, asked: start, lead: lead) { start + .seconds(wait) })
        let date = SeededShop.date
        #expect(abs(news.date(date).timeIntervalSince(date) - added) < 0.001)
    }
}
