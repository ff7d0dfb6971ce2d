import Foundation
import StoreDatabase

/// Moves all numbers of a database on, after it went back to an earlier state: what was given out in
/// the time that was lost is never given out again, as something else.
///
/// Numbers go by the clock then: whoever goes back later, to whichever state, is ahead of everything
/// that was given out before, also after an earlier return to another state.
package struct NumberAdvance {
    /// More than a store gives out of any kind, in a second.
    private static let perSecond: Int64 = 10_000
    /// No store is older. Milliseconds since 1970.
    private static let epoch: Int64 = 1_767_225_600_000
    /// What the numbers of a table begin behind; all others begin with 1.
    private static let beginnings: [(table: String, number: Int64)] = [
        ("ledger", 1_000_000_000_000_000), ("app_transaction", 700_000_000_000_000_000),
    ]
    /// For clocks that differ, and for what was given out at the moment of the state.
    private static let margin: Int64 = 1_000_000
    /// A clock that is off by years must not use numbers up.
    private static let longest: TimeInterval = 20 * 365 * 86_400

    /// What numbers are moved on by that the clock has not reached.
    private let gap: Int64
    /// What the clock says that the last number may be.
    private let given: Int64
    /// What it said at the state: a backup that took the place since then has gone on above it.
    private let before: Int64
    /// Milliseconds since 1970.
    private let now: Int64

    /// - Parameters:
    ///   - state: the last moment of which the database knows everything.
    ///   - now: until then numbers may have been given out.
    package init(since state: Date, now: Date) {
        let lost = Int64(min(max(0, now.timeIntervalSince(state)), Self.longest))
        gap = Self.margin + Self.perSecond * lost
        self.now = Int64(exactly: (now.timeIntervalSince1970 * 1000).rounded()) ?? 0
        let age = min(max(0, self.now - Self.epoch), Int64(Self.longest * 1000) * 5)
        given = age * Self.perSecond / 1000
        before = max(0, given - Self.perSecond * (lost + 1))
    }

    /// The last number that may have been given out, as SQL.
    private func last(of number: String, from first: Int64 = 0) -> String {
        "CASE WHEN \(number) < \(first + given) THEN \(first + given) ELSE \(number) + \(gap) END"
    }

    /// Moves the numbers on, in one transaction.
    ///
    /// - Throws: `SQLError`, with nothing changed.
    package func run(on address: DatabaseAddress) throws {
        switch address {
        case .sqlite(let path):
            let connection = try SQLiteConnection(path: path)
            try connection.script("BEGIN IMMEDIATE;" + sqliteSequences + counters + "COMMIT")
        case .postgres(let server):
            let session = try PostgresSession(server)
            try session.run("BEGIN")
            do {
                // Nobody takes a number, nor changes a history, in between.
                try session.run(
                    "LOCK TABLE ledger, device_event, history_counter IN EXCLUSIVE MODE")
                try session.run(postgresSequences)
                try session.run(counters)
                try session.run("COMMIT")
            } catch {
                _ = try? session.run("ROLLBACK")
                throw error
            }
        }
    }

    /// The last event, and the last revision of a history. Events go by rows, for PostgreSQL's
    /// sequences may be ahead of them: in a dump, on a standby and after a crash.
    private static let lastRows = """
        (SELECT coalesce(max(id), 0) AS last FROM device_event) e,
        (SELECT coalesce(max(last), 0) AS last FROM history_counter) c
        """

    /// Tables that have never given a number have no row there.
    private var sqliteSequences: String {
        """
        INSERT INTO sqlite_sequence (name, seq)
            SELECT t.name, 0 FROM sqlite_schema t
            WHERE t.type = 'table' AND t.sql LIKE '%AUTOINCREMENT%'
                AND NOT EXISTS (SELECT 1 FROM sqlite_sequence s WHERE s.name = t.name);
        INSERT INTO restoration (date, last_event, other_event, next_event, next_revision)
            SELECT \(now), e.last, 1 + \(before), 1 + \(last(of: "s.seq")),
                1 + \(last(of: "c.last"))
            FROM sqlite_sequence s, \(Self.lastRows)
            WHERE s.name = 'device_event';
        UPDATE sqlite_sequence SET seq = \(lastOfTable("name", "seq"));
        """
    }

    /// The last number of a table that may have been given out, as SQL.
    private func lastOfTable(_ name: String, _ number: String) -> String {
        let cases = Self.beginnings.map {
            "WHEN '\($0.table)' THEN \(last(of: number, from: $0.number))"
        }
        return "CASE \(name) \(cases.joined(separator: " ")) ELSE \(last(of: number)) END"
    }

    private var postgresSequences: String {
        """
        DO $$
        DECLARE
            numbered record;
            given bigint;
        BEGIN
            FOR numbered IN SELECT c.relname AS name, pg_get_serial_sequence(
                    'openstore.' || quote_ident(c.relname), a.attname) AS sequence
                FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
                WHERE c.relnamespace = 'openstore'::regnamespace AND a.attidentity <> ''
                    AND c.relname <> 'restoration'
            LOOP
                given := nextval(numbered.sequence) - 1;
                IF numbered.name = 'device_event' THEN
                    INSERT INTO restoration
                            (date, last_event, other_event, next_event, next_revision)
                        SELECT \(now), e.last, 1 + \(before), 1 + \(last(of: "given")),
                            1 + \(last(of: "c.last"))
                        FROM \(Self.lastRows);
                END IF;
                PERFORM setval(numbered.sequence, \(lastOfTable("numbered.name", "given")));
            END LOOP;
        END $$
        """
    }

    /// The last "Apple ID" that may have been given out: a hundredth of other numbers, for it is at
    /// most 2⁴⁰ − 1.
    private var lastAppleID: String {
        let (given, gap) = (given / 100, Self.margin + (gap - Self.margin) / 100)
        return """
            CASE WHEN last < \(given) THEN \(given)
                WHEN last > 1099511627775 - \(gap) THEN 1099511627775 ELSE last + \(gap) END
            """
    }

    /// What is counted without being a table's number. Caches of clients go by generations of the
    /// catalog; those of bundle identifiers stay, for profiles go by them.
    private var counters: String {
        """
        UPDATE apple_id SET last = \(lastAppleID);
        UPDATE history_counter SET last = (SELECT max(next_revision) FROM restoration);
        UPDATE catalog_clock SET generation = \(last(of: "generation"));
        UPDATE app_clock SET generation = \(last(of: "generation"));
        UPDATE storefront_clock SET generation = \(last(of: "generation"));
        UPDATE feed_clock SET version = \(last(of: "version"));
        """
    }
}
