import Foundation
import StoreCore
import StoreWire

/// A resource in an answer.
///
///     extension Resource {
///         init(_ storefront: Storefront) {
///             self.init(
///                 .territories, id: storefront.code,
///                 ["currency": .text(storefront.currency)])
///         }
///     }
///
/// Attributes that are null are left out, as App Store Connect leaves them out. Sparse
/// fieldsets, links and included resources are the engine's.
package struct Resource: Sendable {
    let kind: ResourceType
    let id: String
    let attributes: [String: JSONValue]
    /// What relationships refer to, where it is known without asking; others get their
    /// `data` when they are included.
    let links: [String: [ResourceLink]]

    /// - Parameters:
    ///   - attributes: named as in the API.
    ///   - links: what relationships refer to, where it is at hand. A to-one relationship has
    ///     one link or none.
    init(
        _ kind: ResourceType, id: String, _ attributes: [String: JSONValue],
        links: [String: [ResourceLink]] = [:]
    ) {
        self.kind = kind
        self.id = id
        self.attributes = attributes
        self.links = links
    }

    var link: ResourceLink { ResourceLink(type: kind.name, id: id) }
}

/// What is wanted of a relationship: `GET /v1/apps/{id}/inAppPurchasesV2`, or the same
/// relationship named in `include`.
struct RelatedRequest: Sendable {
    /// The identifier of the resource that the relationship belongs to.
    let id: String
    let page: PageRequest
    /// Filters and order; none where the relationship is included.
    let filters: [String: [String]]
    let sort: [String]
}

/// A type of resources: how one is found, and what its relationships lead to.
///
///     extension ResourceType {
///         static let bundleIDs = ResourceType(
///             "bundleIds", at: "/v1/bundleIds", reading: .viewApps,
///             find: { call, id in
///                 Resource(try await call.services.identifiers.identifier(id, by: call.actor))
///             },
///             relationships: [
///                 .many("profiles") { call, wanted in
///                     try await call.services.profiles.profiles(
///                         of: wanted.id, wanted.page, by: call.actor
///                     ).map { Resource($0) }
///                 },
///                 .one("app") { call, wanted in … },
///             ])
///     }
///
/// From this the engine makes `GET /v1/bundleIds/{id}`, `GET /v1/bundleIds/{id}/profiles`,
/// `GET /v1/bundleIds/{id}/relationships/profiles` and so on, as far as the description has
/// them (`ConnectOperation.reading`), the relationships' links, and `include=profiles`.
package struct ResourceType: Sendable {
    typealias Find = @Sendable (ConnectCall, String) async throws -> Resource

    /// The type's name in documents, for example `bundleIds`.
    let name: String
    /// Where resources of the type are; nil where they have no path of their own.
    let path: String?
    /// What it takes to see one.
    let permission: ConnectPermission
    let find: Find?
    let relationships: [ResourceRelationship]
    /// The form of attributes; only for types that are not App Store Connect's, whose
    /// description is made from it.
    let shape: ResourceShape?

    init(
        _ name: String, at path: String? = nil, reading permission: ConnectPermission = .viewApps,
        shape: ResourceShape? = nil, find: Find? = nil,
        relationships: [ResourceRelationship] = []
    ) {
        self.name = name
        self.path = path
        self.permission = permission
        self.shape = shape
        self.find = find
        self.relationships = relationships
    }

    func relationship(_ name: String) -> ResourceRelationship? {
        relationships.first { $0.name == name }
    }
}

/// What a relationship leads to.
struct ResourceRelationship: Sendable {
    typealias One = @Sendable (ConnectCall, RelatedRequest) async throws -> Resource?
    typealias Many = @Sendable (ConnectCall, RelatedRequest) async throws -> ListPage<Resource>

    enum Load: Sendable {
        case one(One)
        case many(Many)
    }

    let name: String
    /// The type that it leads to; only types that are not App Store Connect's need it.
    let type: String?
    /// Whether a document may take it away with null; only to-one relationships of our own can.
    var isOptional = false
    let load: Load

    /// - Parameter load: nil where there is nothing; throws where the resource that the
    ///   relationship belongs to is not there.
    static func one(
        _ name: String, to type: String? = nil, isOptional: Bool = false, _ load: @escaping One
    ) -> ResourceRelationship {
        ResourceRelationship(name: name, type: type, isOptional: isOptional, load: .one(load))
    }

    /// - Parameter load: throws where the resource that the relationship belongs to is not
    ///   there.
    static func many(
        _ name: String, to type: String? = nil, _ load: @escaping Many
    ) -> ResourceRelationship {
        ResourceRelationship(name: name, type: type, load: .many(load))
    }
}
