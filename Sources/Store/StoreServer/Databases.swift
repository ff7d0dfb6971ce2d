import StoreCore

/// Where a store keeps its rows, as commands name it.
package typealias DatabaseAddress = StoreCore.DatabaseAddress

/// Moves a shop from one database to another.
package typealias DatabaseCopy = StoreCore.DatabaseCopy
