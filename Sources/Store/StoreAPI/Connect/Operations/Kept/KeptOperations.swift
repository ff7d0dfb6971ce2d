import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreWire

extension ConnectOperation {
    /// What is done with resources that the store keeps as they are given: what the
    /// description has of making, changing and deleting, alike for all kinds.
    static let kept: [ConnectOperation] =
        KeptKind.allCases.flatMap { kind -> [ConnectOperation] in
            reading(.kept(kind)) + changing(kind)
        }

    private static func changing(_ kind: KeptKind) -> [ConnectOperation] {
        let path = "/v1/\(kind.rawValue)"
        let description = APIDescription.appStoreConnect
        var operations: [ConnectOperation] = []
        if description.has(.post, path) {
            operations.append(
                .create(path, kind.permission) { call in
                    let owner = try call.data.one(kind.ownerField)
                    let draft = try KeptDraft(kind, call.data, of: call, owner: owner)
                    return Resource(
                        try await call.services.kept.add(draft, to: owner, by: call.actor))
                })
        }
        if description.has(.patch, "\(path)/{id}") {
            operations.append(update(kind, at: "\(path)/{id}"))
        }
        if description.has(.delete, "\(path)/{id}") {
            operations.append(
                .delete("\(path)/{id}", kind.permission) { call in
                    try await call.services.kept.delete(kind, [call.id], by: call.actor)
                })
        }
        if kind.isOneTimeUseCode { operations.append(values(kind, at: "\(path)/{id}/values")) }
        return operations
    }

    private static func update(_ kind: KeptKind, at pattern: String) -> ConnectOperation {
        guard kind != .subscriptionGracePeriods else {
            return .update(pattern, kind.permission) { call in
                Resource(
                    try await call.services.kept.setGracePeriod(
                        of: call.id, call.data.keptChanges, by: call.actor))
            }
        }
        return .update(pattern, kind.permission) { call in
            var prices: [KeptDraft]?
            if let priceKind = kind.prices, call.data.hasRelationship("prices") {
                let resource = try await call.services.kept.resource(
                    kind, call.id, by: call.actor)
                guard case .product(let number) = resource.owner else {
                    throw ConnectRefusal.notFound("product", call.id)
                }
                prices = try KeptDraft.prices(
                    priceKind, of: call.data, in: call, owner: number.description)
            }
            return Resource(
                try await call.services.kept.change(
                    kind, call.id, call.data.keptChanges, prices: prices, by: call.actor))
        }
    }

    /// The codes themselves: one on each line.
    private static func values(_ kind: KeptKind, at pattern: String) -> ConnectOperation {
        ConnectOperation(.get, pattern, kind.permission) { call in
            let batch = try await call.services.kept.resource(kind, call.id, by: call.actor)
            return .response(
                HTTPResponse(
                    status: 200,
                    headers: ["Content-Type": "text/csv", "Cache-Control": "no-store"],
                    body: OneTimeUseCodes.store.list(of: batch)))
        }
    }
}

extension OneTimeUseCodes {
    package static let store = OneTimeUseCodes(digest: SHA256Digest.of)
}

extension KeptDraft {
    /// What a document asks for.
    ///
    /// - Parameter owner: the identifier of what it is to belong to.
    init(
        _ kind: KeptKind, _ data: RequestResource, of call: ConnectCall, owner: String
    ) throws {
        var links: [String: [String]] = [:]
        for name in data.relationships.keys where name != kind.ownerField && name != "prices" {
            if let id = data.optionalOne(name) { links[name] = [id] }
        }
        try Self.checkPoint(&links, owner: owner)
        if kind.isOneTimeUseCode {
            links[KeptResource.codeSecret] = [UUID().uuidString.lowercased()]
        }
        self.init(
            kind: kind, id: UUID().uuidString.lowercased(), attributes: data.keptAttributes,
            links: links,
            prices: try kind.prices.map {
                try Self.prices($0, of: data, in: call, owner: owner)
            } ?? [])
    }

    /// The prices that are made along with an offer.
    static func prices(
        _ kind: KeptKind, of data: RequestResource, in call: ConnectCall, owner: String
    ) throws -> [KeptDraft] {
        try data.many("prices").map { link in
            guard let price = call.document.included(link) else {
                throw ConnectRefusal(
                    .invalid, rule: "priceNotIncluded", field: "prices",
                    "The price \(link.id.prefix(100)) is not in the document.",
                    help: "Put it into included, under a name in ${}.")
            }
            return try KeptDraft(kind, price, of: call, owner: owner)
        }
    }

    /// A price point must be one of the product that the offer is for, and says the territory.
    private static func checkPoint(_ links: inout [String: [String]], owner: String) throws {
        for name in ["subscriptionPricePoint", "pricePoint"] {
            guard let id = links[name]?.first else { continue }
            guard let point = PricePoint(id), point.product.description == owner,
                links["territory"] ?? [point.territory.code] == [point.territory.code]
            else {
                throw ConnectRefusal(
                    .invalid, rule: "pricePointUnknown", field: name,
                    "The price point is none of this product in this territory.",
                    help: "Choose one from the product's pricePoints.")
            }
            links["territory"] = [point.territory.code]
            links[KeptResource.tier] = [point.tier.identifier]
        }
    }
}

extension RequestResource {
    /// The attributes as the store keeps them; null is as if it were not there.
    fileprivate var keptAttributes: [String: KeptValue] {
        attributes.compactMapValues { KeptValue($0) }
    }

    /// What is to change; null takes the attribute away.
    fileprivate var keptChanges: [String: KeptValue?] {
        attributes.mapValues { KeptValue($0) }
    }
}

extension KeptValue {
    /// Nil for null, and for objects, which no attribute of these kinds is.
    fileprivate init?(_ value: JSONValue) {
        switch value {
        case .bool(let flag): self = .flag(flag)
        case .string(let text): self = .text(text)
        case .number: self = .number(value.integer ?? 0)
        case .array(let elements): self = .texts(elements.compactMap(\.text))
        case .null, .object: return nil
        }
    }
}
