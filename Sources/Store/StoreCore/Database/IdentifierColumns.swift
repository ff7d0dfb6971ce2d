import Foundation
import StoreDatabase
import StoreModel

/// How identifiers that devices have, too, stand in columns.
extension AccountID: NumberColumnValue {}
extension AppID: NumberColumnValue {}
extension ArtistID: NumberColumnValue {}
extension ID: NumberColumnValue {}
extension ItemID: NumberColumnValue {}
extension ProductNumber: NumberColumnValue {}
extension TransactionID: NumberColumnValue {}

extension ApplicationIdentifier: TextColumnValue {}
extension BundleID: TextColumnValue {}
extension ContentDigest: TextColumnValue {}
extension ProductID: TextColumnValue {}
extension PurchaseKey: TextColumnValue {}

extension AppPackageFormat: TextColumnValue {}
extension ArtistType: TextColumnValue {}
extension BinaryState: TextColumnValue {}
extension ItemKind: TextColumnValue {}
extension ProductState: TextColumnValue {}
extension ProductType: TextColumnValue {}
extension RevisionState: TextColumnValue {}
extension StoreEnvironment: TextColumnValue {}

extension ContentVersion: TextColumnValue {
    package init?(columnText: String) { self.init(columnText) }
    package var columnText: String { text }

    /// The number counts a record's columns: nothing from outside comes here.
    package static func sample(_ number: Int) -> ContentVersion {
        guard let version = ContentVersion(String(number % 1_000_000)) else {
            preconditionFailure("digits are a version")
        }
        return version
    }
}

extension Storefront: TextColumnValue {
    package init?(columnText: String) {
        guard let found = Storefront.named(columnText) else { return nil }
        self = found
    }

    package var columnText: String { code }

    package static func sample(_ number: Int) -> Storefront { all[number % all.count] }
}

extension TextColumnValue where Self: TextIdentifier {
    package init?(columnText: String) { self.init(columnText) }
    package var columnText: String { text }

    /// A UUID, or ten or 64 digits: the first that the type accepts. The number counts a record's columns:
    /// nothing from outside comes here.
    package static func sample(_ number: Int) -> Self {
        let digits = String(number)
        func padded(_ count: Int) -> String {
            String(repeating: "0", count: max(count - digits.utf8.count, 0)) + digits
        }
        let uuid = "00000000-0000-4000-8000-\(padded(12))"
        guard
            let sample = [uuid, padded(10), padded(64)].lazy.compactMap({ Self($0) }).first
        else { preconditionFailure("\(Self.self) has no sample") }
        return sample
    }
}

/// A column has the moment at which the day begins.
extension CalendarDay: ColumnValue {
    package static var null: SQLValue { Date.null }
    /// The number counts a record's columns: nothing from outside comes here.
    package static func sample(_ number: Int) -> CalendarDay {
        guard let day = CalendarDay(year: 1970 + number % 8000, month: 1, day: 1) else {
            preconditionFailure("each year has a first day")
        }
        return day
    }
    package init(_ row: any SQLRow, _ column: Int) throws {
        guard let day = CalendarDay(of: row.date(column)) else {
            throw SQLError(code: .row, "the database contains an invalid date")
        }
        self = day
    }
    package var sql: SQLValue { beginning.sql }
}
