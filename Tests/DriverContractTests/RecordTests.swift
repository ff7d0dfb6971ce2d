import Foundation
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreCore
@testable import StoreDatabase

/// Rows are written and read by the description that a record's initializer is.
@Suite struct RecordTests {
    private struct Cake: Record, Hashable {
        var id: Int64
        var name: String
        var isSweet: Bool
        var baked: Date?
        var price: Money
        var fee: Money
        var day: CalendarDay

        static let table: StaticString = "cake"

        init(
            id: Int64 = 0, name: String, isSweet: Bool = true, baked: Date? = nil,
            price: Int64 = 1_000,
            fee: Money = Money(thousandths: 10, currency: "USD"), day: CalendarDay
        ) {
            (self.id, self.name, self.isSweet, self.baked) = (id, name, isSweet, baked)
            self.price = Money(thousandths: price, currency: "USD")
            (self.fee, self.day) = (fee, day)
        }

        init(_ column: borrowing RecordColumns<Self>) throws {
            id = try column("id", \.id, .key)
            name = try column("name", \.name)
            isSweet = try column("is_sweet", \.isSweet)
            baked = try column("baked", \.baked)
            price = try column.money("price", "currency", \.price)
            fee = try column.money("fee", "currency", \.fee)
            day = try column("day", \.day, .immutable)
        }
    }

    private struct Name: RecordPart, Hashable {
        let name: String

        init(_ column: borrowing RecordColumns<Self>) throws {
            name = try column("name", \.name)
        }
    }

    private static func bakery() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(path: ":memory:")
        try connection.script(
            """
            CREATE TABLE cake (
                day INTEGER NOT NULL, fee INTEGER NOT NULL, price INTEGER NOT NULL,
                currency TEXT NOT NULL, baked INTEGER, is_sweet INTEGER NOT NULL,
                name TEXT NOT NULL, id INTEGER PRIMARY KEY
            ) STRICT
            """)
        return connection
    }

    private static func day() throws -> CalendarDay {
        try #require(CalendarDay(year: 2026, month: 11, day: 26))
    }

    @Test func `a record comes back as it was written, whatever the order of the columns`() throws {
        let connection = try Self.bakery()
        let cake = Cake(
            name: "Sachertorte", baked: Date(timeIntervalSince1970: 1_700_000_000),
            day: try Self.day())
        let added = try connection.inserted(cake)
        #expect(added.id == 1)
        #expect(try connection.find(Cake.self, Int64(1)) == added)
        var expected = cake
        expected.id = 1
        #expect(added == expected)
        try connection.insert(Cake(name: "Salt stick", isSweet: false, day: try Self.day()))
        #expect(try connection.first(Cake.self, "WHERE NOT is_sweet")?.baked == nil)
    }

    /// A cake with the shop that has it: a column of another table.
    private struct ShownCake: Record, Hashable {
        var id: Int64
        var name: String
        var shop: String?

        static let table: StaticString = "cake"
        static let source: StaticString = """
            (SELECT c.*, s.name AS shop FROM cake c LEFT JOIN shop s ON s.cake = c.id) cakes
            """

        init(name: String) {
            (id, self.name) = (0, name)
        }

        init(_ column: borrowing RecordColumns<Self>) throws {
            id = try column("id", \.id, .key)
            name = try column("name", \.name)
            shop = try column("shop", \.shop, .joined)
        }
    }

    @Test func `a joined column is read and never written`() throws {
        let connection = try SQLiteConnection(path: ":memory:")
        try connection.script(
            """
            CREATE TABLE cake (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
            CREATE TABLE shop (cake INTEGER NOT NULL, name TEXT NOT NULL) STRICT
            """)
        var cake = try connection.inserted(ShownCake(name: "Cake"))
        #expect(cake.id == 1)
        #expect(cake.shop == nil)
        try connection.run("INSERT INTO shop (cake, name) VALUES (1, 'Demel')")
        cake = try #require(try connection.find(ShownCake.self, cake.id))
        #expect(cake.shop == "Demel")
        (cake.name, cake.shop) = ("Pie", "Sacher")
        try connection.update(cake)
        #expect(
            try connection.all(ShownCake.self, "WHERE shop = 'Demel'").map(\.name) == ["Pie"])
        cake.name = "Tart"
        try connection.save(cake)
        let page = try connection.page(ShownCake.self, by: "id", PageRequest(limit: 3))
        #expect(page.items.map(\.name) == ["Tart"])
        #expect(page.items.map(\.shop) == ["Demel"])
    }

    @Test func `an update writes what may change, and nothing else`() throws {
        let connection = try Self.bakery()
        var cake = try connection.inserted(Cake(name: "Cake", day: try Self.day()))
        cake.name = "Pie"
        cake.day = try #require(CalendarDay(year: 2000, month: 1, day: 1))
        try connection.update(cake)
        let found = try #require(try connection.find(Cake.self, cake.id))
        #expect(found.name == "Pie")
        #expect(found.day == (try Self.day()))
    }

    @Test func `whatever a value says, it is bound`() throws {
        let connection = try Self.bakery()
        let name = "'); DROP TABLE cake; --"
        let added = try connection.inserted(Cake(name: name, day: try Self.day()))
        let others: SQL? = "AND id <> \(added.id + 1)"
        let none: SQL? = nil
        #expect(
            try connection.all(Cake.self, "WHERE name = \(name) \(others) \(none) ORDER BY id") == [
                added
            ])
        #expect(try connection.exists("FROM cake WHERE name = \(name)"))
        try connection.delete(Cake.self, added.id)
        #expect(try !connection.exists("FROM cake"))
    }

    @Test func `a page and the number of all come from one condition`() throws {
        let connection = try Self.bakery()
        for number in 0..<5 {
            try connection.insert(
                Cake(name: "\(number)", isSweet: number != 2, day: try Self.day()))
        }
        let first = try connection.page(
            Cake.self, "WHERE is_sweet", by: "name DESC", PageRequest(limit: 3))
        #expect(first.items.map(\.name) == ["4", "3", "1"])
        #expect(first.total == 4)
        let second = try connection.page(
            Cake.self, "WHERE is_sweet", by: "name DESC", PageRequest(limit: 3, cursor: first.next))
        #expect(second.items.map(\.name) == ["0"])
    }

    @Test func `a statement without one of the columns is refused by its name`() throws {
        let connection = try Self.bakery()
        try connection.insert(Cake(name: "Cake", day: try Self.day()))
        let error = #expect(throws: SQLError.self) {
            try connection.records(Name.self, "SELECT id, price FROM cake")
        }
        #expect(error?.description.contains("\"name\"") == true)
        #expect(
            try connection.records(Name.self, "SELECT id, name FROM cake").map(\.name) == ["Cake"])
    }

    @Test func `two values of one column are refused`() throws {
        let connection = try Self.bakery()
        let cake = Cake(
            name: "Cake", fee: Money(thousandths: 10, currency: "EUR"), day: try Self.day())
        #expect(throws: SQLError.self) { try connection.insert(cake) }
        #expect(try !connection.exists("FROM cake"))
    }

    @Test func `a composed statement is prepared once, and numbered for PostgreSQL`() {
        let (one, other): (SQL, SQL) = ("SELECT \(1) + \(Int64(2))", "SELECT \(3) + \(Int64(4))")
        #expect(StatementText(one) == StatementText(other))
        #expect(StatementText(one).start == StatementText(other).start)
        #expect(
            PostgresText.translated(StatementText(one).description) == "SELECT $1 + $2")
    }

    @Test func `more values than a statement can have are an error`() throws {
        let values = Array(repeating: SQLValue.integer(1), count: 65)
        #expect(throws: SQLError.self) { try PostgresParameters(values) }
        _ = try PostgresParameters(Array(values.dropLast()))
    }
}
