import StoreModel

/// How identifiers that devices have, too, stand in columns.
extension AccountID: NumberColumnValue {}
extension AppID: NumberColumnValue {}
extension ArtistID: NumberColumnValue {}
extension ItemID: NumberColumnValue {}
extension PendingPurchaseID: NumberColumnValue {}
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
