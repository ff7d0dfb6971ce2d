import StoreCore
import StoreHTTP
import StoreWire

/// One operation of Connect's API: a method and a path, what it takes to call it, and what
/// it does.
///
/// Operations of App Store Connect are described in `api/app-store-connect.json`; the path is
/// the one that stands there, and requests are checked by it before `perform` is called.
/// Those of our own carry their description with them.
///
///     extension ConnectOperation {
///         static let bundleIDs: [ConnectOperation] =
///             reading(.bundleIDs) + [
///                 .list("/v1/bundleIds", .viewApps) { call in
///                     try await call.services.identifiers.list(
///                         platform: call.query.filter("platform"), call.page(), by: call.actor
///                     ).map { Resource($0) }
///                 },
///                 .create("/v1/bundleIds", .manageIdentifiers) { call in
///                     let draft = BundleIdentifierDraft(
///                         name: try call.data.text("name"),
///                         identifier: try call.data.text("identifier"))
///                     return Resource(
///                         try await call.services.identifiers.add(draft, by: call.actor))
///                 },
///                 .delete("/v1/bundleIds/{id}", .manageIdentifiers) { call in
///                     try await call.services.identifiers.delete(call.id, by: call.actor)
///                 },
///             ]
///     }
///
/// Then the list is added to `ConnectRouteTable.operations`. What the rules refuse
/// (`ConnectRefusal`) becomes an error object; operations do not catch it.
package struct ConnectOperation: Sendable {
    typealias Perform = @Sendable (ConnectCall) async throws -> ConnectAnswer

    package let method: HTTPMethod
    /// Below `/connect`, for example `/v1/bundleIds/{id}`.
    package let pattern: String
    /// What it takes to call it.
    package let permission: ConnectPermission
    /// What our own description says of it; nil where App Store Connect's describes it.
    let own: OwnDescription?
    /// Whether nobody has to say who they are: signing in.
    package let isOpen: Bool
    /// Whether the engine reads the body and checks it. Bytes of files are no documents; the
    /// parameters of such a request are checked as of any other.
    let readsDocument: Bool
    /// Looks, by the header alone, whether the sender may do this to what the path names, before
    /// the body is taken; for operations that take files.
    let admit: (@Sendable (ConnectCall) async throws -> Void)?
    /// Whether `UploadTokens` let in as well.
    let takesUploadPermit: Bool
    let perform: Perform

    init(
        _ method: HTTPMethod, _ pattern: String, _ permission: ConnectPermission,
        own: OwnDescription? = nil, isOpen: Bool = false, readsDocument: Bool = true,
        admit: (@Sendable (ConnectCall) async throws -> Void)? = nil,
        takesUploadPermit: Bool = false, perform: @escaping Perform
    ) {
        self.method = method
        self.pattern = pattern
        self.permission = permission
        self.own = own
        self.isOpen = isOpen
        self.readsDocument = readsDocument
        self.admit = admit
        self.takesUploadPermit = takesUploadPermit
        self.perform = perform
    }

    // MARK: Operations that App Store Connect has

    /// `GET` of a list.
    static func list(
        _ pattern: String, _ permission: ConnectPermission,
        _ body: @escaping @Sendable (ConnectCall) async throws -> ListPage<Resource>
    ) -> ConnectOperation {
        ConnectOperation(.get, pattern, permission) { .list(try await body($0)) }
    }

    /// `POST` that makes a resource.
    static func create(
        _ pattern: String, _ permission: ConnectPermission,
        _ body: @escaping @Sendable (ConnectCall) async throws -> Resource
    ) -> ConnectOperation {
        ConnectOperation(.post, pattern, permission) { .created(try await body($0)) }
    }

    /// `PATCH` of a resource.
    static func update(
        _ pattern: String, _ permission: ConnectPermission,
        _ body: @escaping @Sendable (ConnectCall) async throws -> Resource
    ) -> ConnectOperation {
        ConnectOperation(.patch, pattern, permission) { .resource(try await body($0)) }
    }

    /// `DELETE` of a resource.
    static func delete(
        _ pattern: String, _ permission: ConnectPermission,
        _ body: @escaping @Sendable (ConnectCall) async throws -> Void
    ) -> ConnectOperation {
        ConnectOperation(.delete, pattern, permission) { call in
            try await body(call)
            return .nothing
        }
    }

    /// `PATCH` or `DELETE` of `/x/{id}/relationships/y`; `call.linkages` has what was sent.
    static func changeLinks(
        _ method: HTTPMethod, _ pattern: String, _ permission: ConnectPermission,
        _ body: @escaping @Sendable (ConnectCall) async throws -> Void
    ) -> ConnectOperation {
        ConnectOperation(method, pattern, permission) { call in
            try await body(call)
            return .nothing
        }
    }
}
