import Foundation
import StoreModel

/// Resources that are kept without being acted on.
package protocol KeptRepository {
    func resource(_ kind: KeptKind, _ id: String) throws -> KeptResource?
    /// The one with a name, where the kind's names count in the whole app.
    func resource(_ kind: KeptKind, named name: String, of app: AppID) throws -> KeptResource?
    /// A page of what an owner has, in the order in which it was made.
    ///
    /// - Parameter territories: gives those of these only; nil for all.
    /// - Throws: `ConnectRefusal` for a cursor that is none.
    func page(
        _ kind: KeptKind, of owner: KeptOwner, territories: [String]?, _ request: PageRequest
    ) throws -> ListPage<KeptResource>
    func count(_ kind: KeptKind, of owner: KeptOwner) throws -> Int
    /// Whether there is one with the name, other than `resource` itself: within the owner, or
    /// within the app where the kind's names count there.
    func isNameTaken(_ resource: KeptResource) throws -> Bool
    func insert(_ resource: KeptResource) throws
    /// Changes attributes and links.
    func update(_ resource: KeptResource) throws
    /// Takes it away with all that belongs to it.
    func delete(_ kind: KeptKind, _ id: String) throws
}
