import StoreCore
import StoreHTTP

/// Operations that App Store Connect lacks, below `/openstore/v1`: their path and their
/// description follow from the type's `ResourceShape`.
extension ConnectOperation {
    /// `GET` of all resources of a type.
    ///
    /// - Parameters:
    ///   - filters: what `filter[name]` takes, one or more with commas between them.
    ///   - searches: the same of filters that take one text, which may have commas itself.
    static func list(
        _ kind: ResourceType, _ permission: ConnectPermission,
        filters: [String: AttributeForm] = [:], searches: [String: AttributeForm] = [:],
        sorts: [String] = [],
        _ body: @escaping @Sendable (ConnectCall) async throws -> ListPage<Resource>
    ) -> ConnectOperation {
        ConnectOperation(
            .get, kind.ownPath, permission,
            own: .list(of: kind, filters: filters, searches: searches, sorts: sorts)
        ) { .list(try await body($0)) }
    }

    /// `POST` that makes a resource.
    ///
    /// - Parameters:
    ///   - required: attributes and relationships that must be sent.
    ///   - optional: those that may be sent.
    static func create(
        _ kind: ResourceType, _ permission: ConnectPermission, required: [String],
        optional: [String] = [],
        _ body: @escaping @Sendable (ConnectCall) async throws -> Resource
    ) -> ConnectOperation {
        ConnectOperation(
            .post, kind.ownPath, permission,
            own: .creation(of: kind, required: required, optional: optional)
        ) { .created(try await body($0)) }
    }

    /// `PATCH` of a resource.
    ///
    /// - Parameter changing: attributes and relationships that may be sent; those that the
    ///   shape calls optional may be null.
    static func update(
        _ kind: ResourceType, _ permission: ConnectPermission, changing: [String],
        _ body: @escaping @Sendable (ConnectCall) async throws -> Resource
    ) -> ConnectOperation {
        ConnectOperation(
            .patch, "\(kind.ownPath)/{id}", permission, own: .change(of: kind, changing)
        ) { .resource(try await body($0)) }
    }

    /// `DELETE` of a resource.
    static func delete(
        _ kind: ResourceType, _ permission: ConnectPermission,
        _ body: @escaping @Sendable (ConnectCall) async throws -> Void
    ) -> ConnectOperation {
        ConnectOperation(.delete, "\(kind.ownPath)/{id}", permission, own: .deletion(of: kind)) {
            call in
            try await body(call)
            return .nothing
        }
    }
}

extension ResourceType {
    /// The path of a type of our own.
    fileprivate var ownPath: String {
        guard let path, shape != nil else {
            preconditionFailure("\(name) has no shape and path of our own")
        }
        return path
    }
}
