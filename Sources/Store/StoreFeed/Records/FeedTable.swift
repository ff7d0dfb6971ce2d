/// What a column of a table holds, as importers make it in their databases.
enum FeedType: Sendable, Hashable {
    case bigint
    case integer
    /// At most so many characters; longer text is cut.
    case varchar(Int)
    case longtext
    case datetime
    case decimal
    /// `1` or `0`.
    case boolean

    var name: String {
        switch self {
        case .bigint: "BIGINT"
        case .integer: "INTEGER"
        case .varchar(let length): "VARCHAR(\(length))"
        case .longtext: "LONGTEXT"
        case .datetime: "DATETIME"
        case .decimal: "DECIMAL(11,3)"
        case .boolean: "BOOLEAN"
        }
    }
}

/// A table of the feed. Its first column, `export_date`, is every table's.
package struct FeedTable: Sendable, Hashable {
    package let name: String
    let columns: [Column]
    let primaryKey: [String]

    struct Column: Sendable, Hashable {
        let name: String
        let type: FeedType
    }

    /// - Parameter columns: those behind `export_date`.
    init(
        _ name: String, key primaryKey: [String], _ columns: KeyValuePairs<String, FeedType>
    ) {
        self.name = name
        self.columns =
            [Column(name: "export_date", type: .bigint)]
            + columns.map { Column(name: $0.key, type: $0.value) }
        self.primaryKey = primaryKey
    }
}
