import StoreCore
import StoreHTTP

extension ConnectOperation {
    /// `GET` of a resource by its identifier, and of what its relationships lead to, as far
    /// as the description has it; for a type of our own, all of it.
    static func reading(_ kind: ResourceType) -> [ConnectOperation] {
        guard let path = kind.path else { return [] }
        let isOwn = kind.shape != nil
        let description = APIDescription.appStoreConnect
        func has(_ pattern: String) -> Bool { isOwn || description.has(.get, pattern) }

        var operations: [ConnectOperation] = []
        if let find = kind.find, has("\(path)/{id}") {
            operations.append(
                ConnectOperation(
                    .get, "\(path)/{id}", kind.permission, own: isOwn ? .one(of: kind) : nil
                ) { .resource(try await find($0, $0.id)) })
        }
        for relationship in kind.relationships {
            let related = "\(path)/{id}/\(relationship.name)"
            if has(related) { operations.append(reading(relationship, of: kind, at: related)) }
            let links = "\(path)/{id}/relationships/\(relationship.name)"
            if has(links) {
                operations.append(reading(linksOf: relationship, of: kind, at: links))
            }
        }
        return operations
    }

    private static func reading(
        _ relationship: ResourceRelationship, of kind: ResourceType, at pattern: String
    ) -> ConnectOperation {
        let own = kind.shape == nil ? nil : OwnDescription.related(relationship, of: kind)
        return ConnectOperation(.get, pattern, kind.permission, own: own) { call in
            let wanted = try call.related()
            switch relationship.load {
            case .one(let load): return .related(try await load(call, wanted))
            case .many(let load): return .list(try await load(call, wanted))
            }
        }
    }

    private static func reading(
        linksOf relationship: ResourceRelationship, of kind: ResourceType, at pattern: String
    ) -> ConnectOperation {
        let own = kind.shape == nil ? nil : OwnDescription.links(of: relationship, of: kind)
        return ConnectOperation(.get, pattern, kind.permission, own: own) { call in
            let wanted = try call.related()
            switch relationship.load {
            case .one(let load): return .optionalLinkage(try await load(call, wanted))
            case .many(let load): return .linkage(try await load(call, wanted))
            }
        }
    }
}

extension ConnectCall {
    /// What the request wants of a relationship of the resource in its path.
    fileprivate func related() throws -> RelatedRequest {
        RelatedRequest(id: id, page: try page(), filters: query.filters, sort: query.sort)
    }
}
