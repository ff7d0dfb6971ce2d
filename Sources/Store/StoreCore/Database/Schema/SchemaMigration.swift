import CStoreSchema
import Foundation
import StoreModel

/// The base schema, with which new databases begin, or a step from one schema to the next.
///
/// The SQL is in `Sources/Store/CStoreSchema`: `Schema.sql`, whose first line says its number, and
/// `Steps.sql`.
struct SchemaMigration: Sendable {
    /// The number of the schema that a database has afterwards.
    let number: Int64
    /// SQL as SQLite has it.
    let statements: String
    private let isBase: Bool

    /// What takes more than statements, after them.
    var conversion: (@Sendable (any SQLConnection) throws -> Void)? {
        isBase ? nil : Self.conversions[number]
    }

    private static let conversions: [Int64: @Sendable (any SQLConnection) throws -> Void] = [
        20: nameTiers
    ]

    /// The base schema, and the steps in the order of their numbers: those up to the base's bring
    /// databases of earlier programs there, those behind it all databases further.
    static let all: [SchemaMigration] = {
        let base = embedded(cstore_schema_base)
        var steps: [[Substring]] = []
        for line in embedded(cstore_schema_steps).split(scalar: "\n") {
            if line.hasPrefix(scalars: "-- Step ") { steps.append([]) }
            if !steps.isEmpty { steps[steps.count - 1].append(line) }
        }
        return [SchemaMigration(base, isBase: true)]
            + steps.map { SchemaMigration($0.joined(separator: "\n"), isBase: false) }
    }()

    /// - Parameter statements: their first number is the schema's.
    private init(_ statements: String, isBase: Bool) {
        let digits = statements.utf8.drop { !Self.isDigit($0) }.prefix { Self.isDigit($0) }
        number = Int64(String(decoding: digits, as: UTF8.self)) ?? 0
        self.statements = statements
        self.isBase = isBase
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func embedded(
        _ file: (UnsafeMutablePointer<Int>?) -> UnsafePointer<UInt8>?
    ) -> String {
        var count = 0
        let bytes = UnsafeBufferPointer(start: file(&count), count: count)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The oldest schema that the steps bring up to date.
    private static let oldest: Int64 = 18

    private static let base = all.first { $0.isBase }?.number ?? 0

    /// The number of the schema that this program knows.
    static var newest: Int64 { all.last?.number ?? 0 }

    /// Whether a database needs it.
    ///
    /// - Parameter version: the number of the database's schema; 0 where there is none yet.
    func isMissing(from version: Int64) -> Bool {
        if isBase { return version == 0 }
        return number > (version == 0 ? Self.base : version)
    }

    /// - Parameter version: 0 where there is no schema yet.
    /// - Throws: `SQLError` where a database is newer than the program, or too old for its steps.
    static func check(_ version: Int64) throws {
        guard version == 0 || version >= oldest else {
            throw SQLError(
                code: .corrupt,
                "the database has schema \(version), which is too old: this program brings "
                    + "databases up to date from schema \(oldest) on")
        }
        guard version <= newest else {
            throw SQLError(
                code: .corrupt,
                "the database has schema \(version), this program knows \(newest); use the "
                    + "newer program")
        }
    }

    /// Makes sure, inside a transaction that writes, that no other program has changed the schema
    /// since this one has opened the database.
    ///
    /// - Throws: `SQLError` with the code `outdated`.
    static func requireNewest(_ connection: SQLiteConnection) throws {
        let version = try connection.row("PRAGMA user_version", []) { $0.integer(0) } ?? 0
        guard version == newest else {
            throw SQLError(
                code: .outdated,
                "the database has schema \(version) by now, and this program knows \(newest): "
                    + "start the program that brought it there instead")
        }
    }

    /// Brings a database to the newest schema, in one transaction.
    ///
    /// - Throws: `SQLError` with the code `corrupt` where the file belongs to something
    ///   else or to a newer store.
    static func migrate(_ connection: SQLiteConnection) throws {
        try connection.script("BEGIN IMMEDIATE")
        do {
            let version = try connection.row("PRAGMA user_version", []) { $0.integer(0) } ?? 0
            // Other programs number their schemas too.
            let tables =
                try connection.row(
                    """
                    SELECT count(*), count(*) FILTER (WHERE name = 'catalog_clock')
                    FROM sqlite_schema
                    """, []
                ) { (all: $0.integer(0), clocks: $0.integer(1)) } ?? (all: 0, clocks: 0)
            guard version == 0 ? tables.all == 0 : tables.clocks == 1 else {
                throw SQLError(code: .corrupt, "the file is a database of some other program")
            }
            try check(version)
            for migration in all where migration.isMissing(from: version) {
                try connection.script(migration.statements)
                try migration.conversion?(connection)
                try connection.script("PRAGMA user_version = \(migration.number)")
            }
            try connection.script("COMMIT")
        } catch {
            try? connection.script("ROLLBACK")
            throw error
        }
    }
}

/// Has the offers of the API say the tier of their price, which so far only the identifier of their
/// price point did: base64url of JSON.
private func nameTiers(_ connection: any SQLConnection) throws {
    struct PricePoint: Decodable { var p: String? }
    let rows = try connection.rows(
        "SELECT number, links FROM kept_resource WHERE links LIKE '%subscriptionPricePoint%'", []
    ) { (number: $0.integer(0), links: $0.text(1)) }
    for row in rows {
        var links = try JSONDecoder().decode([String: [String]].self, from: Data(row.links.utf8))
        let text = (links["subscriptionPricePoint"]?.first ?? "")
            .replacing(scalar: "-", with: "+").replacing(scalar: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text + padding),
            let tier = try? JSONDecoder().decode(PricePoint.self, from: data).p
        else { continue }
        links[KeptResource.tier] = [tier]
        try connection.run(
            "UPDATE kept_resource SET links = ?2 WHERE number = ?1",
            [.integer(row.number), try .json(links)])
    }
}
