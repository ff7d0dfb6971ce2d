import Foundation
import StoreCore
import StoreHTTP
import StoreWire

/// Makes the documents of answers: links, sparse fieldsets, included resources, pages.
struct DocumentWriter {
    let call: ConnectCall
    private var query: ConnectQuery { call.query }

    init(_ call: ConnectCall) {
        self.call = call
    }

    /// One resource.
    func document(_ resource: Resource) async throws -> JSONValue {
        var members = try await members(of: [resource])
        members["data"] = members["data"]?.elements?.first
        members["links"] = ["self": .string(call.address(of: call.request))]
        return .object(members)
    }

    /// A part of a list.
    func document(_ page: ListPage<Resource>) async throws -> JSONValue {
        var members = try await members(of: page.items)
        complete(&members, page)
        return .object(members)
    }

    /// What a to-one relationship leads to: a resource, or nothing.
    func document(optional resource: Resource?) async throws -> JSONValue {
        guard let resource else {
            throw ConnectRefusal(
                .notFound, rule: "notFound", "The relationship leads to nothing.",
                help: "Make what it leads to first.")
        }
        return try await document(resource)
    }

    /// The identifiers in a to-many relationship.
    func linkage(_ page: ListPage<Resource>) -> JSONValue {
        var members: [String: JSONValue] = ["data": .array(page.items.map(\.link.json))]
        complete(&members, page)
        return .object(members)
    }

    /// The identifier in a to-one relationship.
    func linkage(optional resource: Resource?) throws -> JSONValue {
        guard let resource else {
            throw ConnectRefusal(
                .notFound, rule: "notFound", "The relationship leads to nothing.",
                help: "Make what it leads to first.")
        }
        return [
            "data": resource.link.json,
            "links": ["self": .string(call.address(of: call.request))],
        ]
    }

    // MARK: Parts

    private func complete(_ members: inout [String: JSONValue], _ page: ListPage<Resource>) {
        var links: [String: JSONValue] = ["self": .string(call.address(of: call.request))]
        var paging: [String: JSONValue] = ["limit": .integer(query.limit)]
        paging["total"] = page.total.map { .integer($0) }
        links["first"] = .string(call.address(of: call.request, cursor: .some(nil)))
        if let next = page.next {
            let cursor = PageCursor.encode(next, for: call.request)
            paging["nextCursor"] = .string(cursor)
            links["next"] = .string(call.address(of: call.request, cursor: cursor))
        }
        members["links"] = .object(links)
        members["meta"] = ["paging": .object(paging)]
    }

    /// `data` and `included`.
    private func members(of resources: [Resource]) async throws -> [String: JSONValue] {
        var data: [JSONValue] = []
        var included: [JSONValue] = []
        var seen = Set(resources.map(\.link))
        for resource in resources {
            var linkages: [String: JSONValue] = [:]
            for name in Set(query.include).sorted() {
                guard let relationship = resource.kind.relationship(name) else { continue }
                let (found, linkage) = try await related(relationship, of: resource.id)
                linkages[name] = linkage
                for other in found where seen.insert(other.link).inserted {
                    included.append(json(other, linkages: [:]))
                }
            }
            data.append(json(resource, linkages: linkages))
        }
        var members: [String: JSONValue] = ["data": .array(data)]
        if !query.include.isEmpty { members["included"] = .array(included) }
        return members
    }

    /// What an included relationship leads to, and the relationship's members for it.
    private func related(
        _ relationship: ResourceRelationship, of id: String
    ) async throws -> ([Resource], JSONValue) {
        let limit = query.limits[relationship.name] ?? ConnectQuery.usualIncludedLimit
        let wanted = RelatedRequest(
            id: id, page: PageRequest(limit: limit), filters: [:], sort: [])
        switch relationship.load {
        case .one(let load):
            guard let resource = try await found({ try await load(call, wanted) }) else {
                return ([], [:])
            }
            return ([resource], ["data": resource.link.json])
        case .many(let load):
            let page = try await load(call, wanted)
            var paging: [String: JSONValue] = ["limit": .integer(limit)]
            paging["total"] = page.total.map { .integer($0) }
            return (
                page.items,
                [
                    "data": .array(page.items.map(\.link.json)),
                    "meta": ["paging": .object(paging)],
                ]
            )
        }
    }

    /// What is included of a resource that there is may itself not be there, or not for the
    /// caller: that is nothing, and does not take the resource away.
    private func found(_ load: () async throws -> Resource?) async throws -> Resource? {
        do { return try await load() } catch let refusal as ConnectRefusal
            where refusal.kind == .notFound
        {
            return nil
        }
    }

    private func json(_ resource: Resource, linkages: [String: JSONValue]) -> JSONValue {
        let wanted = query.fields[resource.kind.name]
        func isWanted(_ name: String) -> Bool { wanted?.contains(name) ?? true }
        var members = resource.link.members
        let attributes = resource.attributes.filter { $1 != .null && isWanted($0) }
        if !attributes.isEmpty { members["attributes"] = .object(attributes) }
        var relationships: [String: JSONValue] = [:]
        for relationship in resource.kind.relationships where isWanted(relationship.name) {
            let name = relationship.name
            var parts = linkages[name]?.members ?? [:]
            if parts.isEmpty, let links = resource.links[name] {
                switch relationship.load {
                case .one: parts["data"] = links.first?.json
                case .many: parts["data"] = .array(links.map(\.json))
                }
            }
            parts["links"] = links(of: relationship, resource)
            if !parts.isEmpty { relationships[name] = .object(parts) }
        }
        if !relationships.isEmpty { members["relationships"] = .object(relationships) }
        if let path = resource.kind.path, ConnectRouteTable.shows("\(path)/{id}") {
            members["links"] = ["self": .string(call.base + "\(path)/\(resource.id)")]
        }
        return .object(members)
    }

    /// Where the relationship is read, as far as it is.
    private func links(
        of relationship: ResourceRelationship, _ resource: Resource
    ) -> JSONValue? {
        guard let path = resource.kind.path else { return nil }
        let name = relationship.name
        var links: [String: JSONValue] = [:]
        if ConnectRouteTable.shows("\(path)/{id}/relationships/\(name)") {
            links["self"] = .string(
                call.base + "\(path)/\(resource.id)/relationships/\(name)")
        }
        if ConnectRouteTable.shows("\(path)/{id}/\(name)") {
            links["related"] = .string(call.base + "\(path)/\(resource.id)/\(name)")
        }
        return links.isEmpty ? nil : .object(links)
    }
}

extension ResourceLink {
    fileprivate var members: [String: JSONValue] {
        ["type": .string(type), "id": .string(id)]
    }

    var json: JSONValue { .object(members) }
}
