import StoreSQL

/// Where a store keeps its rows, as commands name it.
package typealias DatabaseAddress = StoreSQL.DatabaseAddress

/// Moves a shop from one database to another.
package typealias DatabaseCopy = StoreSQL.DatabaseCopy
