import StoreModel

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

/// Full-text search: how a database looks for words and parts of words. What is found where is the same for all;
/// how it is asked is not.
protocol TextSearch {
    /// A condition as it stands behind MATCH.
    func text(of condition: SearchCondition, in table: SearchTable) -> String

    /// Those of the words that a table knows, with the number of rows that have them.
    func known(
        _ words: [String], in table: SearchTable
    ) throws -> [(word: String, count: Int64)]

    /// Products whose identifier or name has a text in it, in upper or lower case; of the app's
    /// deleted ones perhaps too. At least three characters.
    func products(
        of app: AppID, containing text: String, limit: Int
    ) throws -> [ProductNumber]

    /// Lets searches find a product by what it is called now.
    func index(_ product: ProductNumber) throws
}
