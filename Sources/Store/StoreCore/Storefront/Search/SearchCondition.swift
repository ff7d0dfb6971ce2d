/// What words a row must have, and where: a search's condition before it is written in a
/// database's own language.
indirect enum SearchCondition {
    /// Words one behind another in a column. `isBegun`: the last one may go on; `isFirst`: the
    /// column begins with them.
    case phrase([String], isBegun: Bool = false, isFirst: Bool = false)
    case all([SearchCondition])
    case any([SearchCondition])
    /// In these columns only.
    case columns([SearchColumn], SearchCondition)

    /// Restricted to columns; the same for none.
    func within(_ columns: [SearchColumn]) -> SearchCondition {
        columns.isEmpty ? self : .columns(columns, self)
    }
}

/// A column that words are looked for in.
enum SearchColumn: String {
    case title, titles, artist, collection
    case names, description, keywords, composer, director, producer, actor, marks
    case name
}

/// A table of the search.
enum SearchTable {
    case names, texts, artists

    /// In the order of the schema.
    var columns: [SearchColumn] {
        switch self {
        case .names: [.title, .titles, .artist, .collection]
        case .texts:
            [
                .names, .description, .keywords, .composer, .director, .producer, .actor,
                .marks,
            ]
        case .artists: [.name]
        }
    }
}
