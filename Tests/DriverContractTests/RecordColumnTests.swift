import Foundation
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCore
@testable import StoreDatabase

/// Columns that are more than one plain value.
@Suite struct RecordColumnTests {
    private struct Frame: RecordPart, Hashable {
        var width: Int
        var color: String?

        init(_ width: Int, _ color: String? = nil) { (self.width, self.color) = (width, color) }

        init(_ column: borrowing RecordColumns<Self>) throws {
            width = try column("width", \.width)
            column.derived("is_wide", \.isWide)
            color = try column("color", \.color)
        }

        private var isWide: Bool { width > 40 }
    }

    private enum Owner: RecordPart, Hashable {
        case account(AccountID)
        case museum(String)

        private var accountID: AccountID? { if case .account(let id) = self { id } else { nil } }
        private var museumName: String? { if case .museum(let name) = self { name } else { nil } }

        init(_ column: borrowing RecordColumns<Self>) throws {
            self = try column.either(
                "account", \.accountID, Self.account, "museum", \.museumName, Self.museum)
        }
    }

    private struct Painting: Record, Hashable {
        var digest: Data
        var frame: Frame?
        var owner: Owner
        var words: [String]
        /// Decoded once for all rows with the same text.
        var tags: [String]?
        static let knownTags = JSONColumnCache<[String]>(limit: 1024)

        static let table: StaticString = "painting"

        init(
            _ digest: Data, frame: Frame? = nil, owner: Owner, words: [String] = [],
            tags: [String]? = nil
        ) {
            (self.digest, self.frame, self.owner) = (digest, frame, owner)
            (self.words, self.tags) = (words, tags)
        }

        init(_ column: borrowing RecordColumns<Self>) throws {
            digest = try column("digest", \.digest, .key)
            frame = try column.part(\.frame)
            owner = try column.part(\.owner)
            words = try column.json("words", \.words, sample: [])
            tags = try column.optionalJSON("tags", \.tags, sample: nil, cache: Self.knownTags)
        }
    }

    private static func gallery() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: ":memory:")
        try connection.script(
            """
            CREATE TABLE painting (
                room INTEGER, digest BLOB PRIMARY KEY, width INTEGER, color TEXT,
                is_wide INTEGER,
                account INTEGER, museum TEXT, words TEXT NOT NULL, tags TEXT,
                CHECK ((account IS NULL) <> (museum IS NULL))
            ) STRICT
            """)
        return connection
    }

    @Test func `bytes, parts that there may be, alternatives and JSON come back as they were`()
        throws
    {
        let connection = try Self.gallery()
        let paintings = [
            Painting(Data([0, 255, 65]), owner: .account(AccountID(number: 7))),
            Painting(
                Data([1]), frame: Frame(40), owner: .museum("Prado"), words: ["a \"b\"", "ü"]),
            Painting(Data([2]), frame: Frame(41, "gold"), owner: .museum("Prado")),
        ]
        for painting in paintings { #expect(try connection.inserted(painting) == painting) }
        #expect(try connection.all(Painting.self, "ORDER BY digest") == paintings)
        #expect(try connection.find(Painting.self, Data([2])) == paintings[2])
        #expect(try connection.exists("FROM painting WHERE width IS NULL AND color IS NULL"))
    }

    @Test func `JSON of which many rows have the same text is read as it was written`() throws {
        let connection = try Self.gallery()
        let beginning = String(repeating: "a", count: 100)
        let tags: [[String]?] = [
            [beginning + "b"], [beginning + "c"], ["\u{e9}"], ["e\u{301}"], ["x"], ["x"], [], nil,
        ]
        let paintings = tags.enumerated().map { index, tags in
            Painting(Data([UInt8(index)]), owner: .museum("Prado"), tags: tags)
        }
        for painting in paintings { try connection.insert(painting) }
        for _ in 1...2 {
            let read = try connection.all(Painting.self, "ORDER BY digest").map(\.tags)
            #expect(
                read.map { $0?.map { Array($0.utf8) } } == tags.map { $0?.map { Array($0.utf8) } })
        }
        #expect(try connection.exists("FROM painting WHERE tags IS NULL"))
    }

    @Test func `a part is taken away by an update`() throws {
        let connection = try Self.gallery()
        var painting = Painting(Data([1]), frame: Frame(40), owner: .museum("Prado"))
        try connection.insert(painting)
        (painting.frame, painting.owner) = (nil, .account(AccountID(number: 1)))
        try connection.update(painting)
        #expect(try connection.all(Painting.self) == [painting])
    }

    @Test func `a derived column is written with each change, and not read`() throws {
        let connection = try Self.gallery()
        func isWide() throws -> [Bool?] {
            try connection.values(Bool?.self, "SELECT is_wide FROM painting")
        }
        var painting = Painting(Data([1]), frame: Frame(41, "gold"), owner: .museum("Prado"))
        try connection.insert(painting)
        #expect(try isWide() == [true])
        painting.frame?.width = 40
        try connection.update(painting)
        #expect(try isWide() == [false])
        try connection.run("UPDATE painting SET is_wide = 1")
        #expect(try connection.all(Painting.self) == [painting])
        painting.frame = nil
        try connection.update(painting)
        #expect(try isWide() == [nil])
        #expect(try connection.all(Painting.self) == [painting])
    }

    @Test func `a row has columns beside its record's, and is replaced by its key`() throws {
        let connection = try Self.gallery()
        var painting = Painting(Data([1]), owner: .museum("Prado"))
        try connection.save(painting, with: OtherColumn("room", 12))
        painting.words = ["seen"]
        try connection.save(painting, with: OtherColumn("room", 13))
        #expect(try connection.values(Int.self, "SELECT room FROM painting") == [13])
        #expect(try connection.all(Painting.self) == [painting])
    }

    @Test func `values among which one has to be are one parameter`() throws {
        let connection = try Self.gallery()
        for number in 1...3 {
            try connection.insert(
                Painting(Data([UInt8(number)]), owner: .account(AccountID(number: Int64(number)))))
        }
        let accounts = [AccountID(number: 1), AccountID(number: 3)]
        let sql: SQL = "WHERE account IN \(list: accounts)"
        #expect(sql.values.count == 1)
        #expect(try connection.all(Painting.self, sql).count == 2)
        let nobody: [AccountID] = []
        #expect(try connection.all(Painting.self, "WHERE account IN \(list: nobody)").isEmpty)
        #expect(
            try connection.all(Painting.self, "WHERE museum IN \(list: ["Prado"])").isEmpty)
    }

    @Test func `a row with neither of two columns is refused`() throws {
        let connection = try Self.gallery()
        let error = #expect(throws: SQLError.self) {
            try connection.records(
                Owner.self, "SELECT CAST(NULL AS INTEGER) AS account, NULL AS museum")
        }
        #expect(error?.code == .row)
    }
}
