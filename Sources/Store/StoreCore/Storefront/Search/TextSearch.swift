import StoreDatabase
import StoreModel

/// Full-text search: how a database looks for words and parts of words. What is found where is the same for all;
/// how it is asked is not.
protocol TextSearch {
    /// A condition as it stands behind MATCH.
    func text(of condition: SearchCondition, in table: SearchTable) -> String

    /// Those of the words that a table knows, with the number of rows that have them.
    func known(_ words: [String], in table: SearchTable) throws -> [KnownWord]

    /// Products whose identifier or name has a text in it, in upper or lower case; of the app's
    /// deleted ones perhaps too. At least three characters.
    func products(of app: AppID, containing text: String, limit: Int) throws -> [ProductNumber]

    /// Lets searches find a product by what it is called now.
    func index(_ product: ProductNumber) throws
}

/// A word with the number of rows that have it.
struct KnownWord: Sendable {
    let word: String
    let count: Int64
}

extension SQLConnection {
    /// How texts are searched.
    var search: any TextSearch {
        switch dialect {
        case .sqlite: FTS5Search(connection: self)
        case .postgres: PostgresTextSearch(connection: self)
        }
    }
}
