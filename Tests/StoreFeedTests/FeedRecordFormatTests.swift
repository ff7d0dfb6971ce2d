import Foundation
import StoreCore
import StoreModel
import StoreTestSupport
import Testing

@testable import StoreFeed

@Suite struct FeedRecordFormatTests {
    private static let table = FeedTable(
        "sample", key: ["sample_id"],
        [
            "sample_id": .bigint, "name": .varchar(5), "text": .longtext, "price": .decimal,
            "day": .datetime, "is_primary": .boolean,
        ])
    private static let date = Date(timeIntervalSince1970: 1_453_248_000.123)

    private func bytes(
        isFull: Bool = true, _ write: (FeedTableFile) throws -> Void
    ) throws -> Data {
        let folder = try TemporaryFolder()
        let file = try FeedTableFile(
            Self.table, at: folder.file("sample"), isFull: isFull, date: Self.date)
        try write(file)
        let size = try file.finish()
        let data = try Data(contentsOf: folder.file("sample"))
        #expect(Int64(data.count) == size)
        return data
    }

    @Test func `a table is these bytes`() throws {
        let data = try bytes { file in
            try file.write { row in
                row.add(Int64(7))
                row.add("Chapter")
                row.add("one\ntwo\u{1}three\u{2}\nfour\u{0}\u{7f}\t")
                row.add(Money(thousandths: 990, currency: "USD"))
                row.add(Date(timeIntervalSince1970: 1_245_542_400))
                row.add(true)
            }
            try file.write { row in
                row.add(Int64(-8))
                row.addNothing(5)
            }
        }
        let expected = """
            #export_date\u{1}sample_id\u{1}name\u{1}text\u{1}price\u{1}day\u{1}is_primary\u{2}
            #primaryKey:sample_id\u{2}
            #dbTypes:BIGINT\u{1}BIGINT\u{1}VARCHAR(5)\u{1}LONGTEXT\u{1}DECIMAL(11,3)\u{1}DATETIME\
            \u{1}BOOLEAN\u{2}
            #exportMode:FULL\u{2}
            ##legal: The data in this file is for partners that the store has approved.\u{2}
            ##legal: It may be used to show what the store sells, and to link to it.\u{2}
            ##legal: It may not be passed on to others as a whole or in substantial parts.\u{2}
            1453248000123\u{1}7\u{1}Chapt\u{1}one
            twothree
            four\t\u{1}0.990\u{1}2009 06 21\u{1}1\u{2}
            1453248000123\u{1}-8\u{1}\u{1}\u{1}\u{1}\u{1}\u{2}
            #recordsWritten:2\u{2}

            """
        #expect(String(decoding: data, as: UTF8.self) == expected)
    }

    @Test func `an empty table is one that importers take`() throws {
        let file = try FeedFile(try bytes(isFull: false) { _ in })
        #expect(file.rows.isEmpty)
        #expect(file.mode == "INCREMENTAL")
        #expect(file.legal.count == 3)
    }

    @Test(arguments: [
        (0, "0.000"), (1, "0.001"), (990, "0.990"), (120_000, "120.000"), (-1500, "-1.500"),
        (Int64.max, "9223372036854775.807"), (Int64.min, "-9223372036854775.808"),
    ])
    func `amounts have three decimals`(_ thousandths: Int64, _ text: String) {
        var bytes: [UInt8] = []
        FeedRecordFormat.append(thousandths: thousandths, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test(arguments: [
        ("日本語の本", 3, "日本語"), ("ab\u{1}cd", 3, "abc"), ("é", 1, "é"), ("e\u{301}x", 1, "e"),
        ("👩‍👩‍👧", 2, "👩\u{200d}"), ("", 3, ""),
    ])
    func `long text is cut between characters`(_ text: String, _ limit: Int, _ kept: String) {
        var bytes: [UInt8] = []
        FeedRecordFormat.append(text, limit: limit, to: &bytes)
        #expect(
            String(validating: bytes, as: UTF8.self).map { Array($0.unicodeScalars) }
                == Array(kept.unicodeScalars))
    }

    @Test(arguments: [
        ("2016-01-20", "2016-01-20"), ("2016-01-21", "2016-01-20"), ("2016-01-26", "2016-01-20"),
        ("2016-01-27", "2016-01-27"), ("2000-03-01", "2000-03-01"), ("1969-12-31", "1969-12-31"),
        ("1970-01-01", "1969-12-31"), ("1969-12-30", "1969-12-24"),
    ])
    func `a week begins on Wednesday`(_ day: String, _ wednesday: String) throws {
        #expect(try #require(CalendarDay(day)).wednesday == CalendarDay(wednesday))
    }

    @Test func `days in names are eight digits`() {
        #expect(CalendarDay(digits: "20160120") == CalendarDay("2016-01-20"))
        for wrong in ["2016012", "201601200", "20161320", "2016-1-2", "2016012٠", ""] {
            #expect(CalendarDay(digits: wrong) == nil, "\(wrong)")
        }
        #expect(FeedName.itunes.archive(on: CalendarDay("2016-01-20")!) == "itunes20160120.tbz")
    }

    @Test func `all tables have the columns of their key, and names of their own`() {
        let tables: [FeedTable] = [
            .application, .applicationDetail, .applicationPrice, .applicationDeviceType, .artist,
            .artistApplication, .artistCollection, .artistMatch, .artistSong, .artistType,
            .artistVideo, .collection, .collectionMatch, .collectionPrice, .collectionSong,
            .collectionTranslation, .collectionType, .collectionVideo, .deviceType, .genre,
            .genreApplication, .genreArtist, .genreCollection, .genreVideo, .keyValue, .mediaType,
            .parentalAdvisory, .role, .song, .songPrice, .storefront, .translationType, .video,
            .videoMatch, .videoPrice, .videoTranslation,
        ]
        #expect(Set(tables.map(\.name)).count == tables.count)
        for table in tables {
            let names = table.columns.map(\.name)
            #expect(names.first == "export_date")
            #expect(Set(names).count == names.count, "\(table.name)")
            #expect(Set(table.primaryKey).isSubset(of: Set(names)), "\(table.name)")
        }
    }
}
