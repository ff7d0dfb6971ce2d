import Foundation
import StoreDatabase
import StoreModel

/// Resources that are kept as the API gave them.
package struct KeptRepository {
    let connection: any SQLConnection

    package func resource(_ kind: KeptKind, _ id: String) throws -> KeptResource? {
        try resources("r.kind = \(kind) AND r.id = \(id)").first?.resource
    }

    /// The one with a name, where the kind's names count in the whole app.
    package func resource(_ kind: KeptKind, named name: String, of app: AppID) throws
        -> KeptResource?
    {
        try resources(
            "r.kind = \(kind) AND r.scope = \(Self.scope(of: app)) AND r.name = \(name)"
        ).first?.resource
    }

    /// - Parameter rest: conditions on `r`, and what follows them.
    private func resources(_ rest: SQL) throws -> [OwnedResource] {
        try connection.records(
            OwnedResource.self,
            """
            SELECT \(KeptRow.columns, of: "r"), p.id AS parent_id
            FROM kept_resource r LEFT JOIN kept_resource p ON p.number = r.parent
            WHERE \(rest)
            """)
    }

    /// A page of what an owner has, in the order in which it was made.
    ///
    /// - Parameter territories: gives those of these only; nil for all.
    /// - Throws: `ConnectRefusal` for a cursor that is none.
    package func page(
        _ kind: KeptKind, of owner: KeptOwner, territories: [String]?, _ request: PageRequest
    ) throws -> ListPage<KeptResource> {
        let ofTerritories: SQL? = territories.map { "AND r.territory IN \(list: $0)" }
        let rows = try resources(
            """
            r.kind = \(kind) AND \(try belonging(kind, to: owner))
                AND r.number > \(try request.key() ?? 0) \(ofTerritories)
            ORDER BY r.number LIMIT \(request.limit + 1)
            """)
        let shown = rows.prefix(request.limit)
        return ListPage(
            items: shown.map(\.resource),
            total: territories == nil ? try count(kind, of: owner) : nil,
            next: rows.count > request.limit ? shown.last.map { String($0.row.number) } : nil)
    }

    /// The offers of an app's subscriptions, or of one of them, by product.
    func offers(of app: AppID, only product: ProductID?) throws -> [Int64: [ScheduledOffer]] {
        let ofProduct: SQL? = product.map { "AND p.product_id = \($0)" }
        let offerKinds: [KeptKind] = [
            .subscriptionIntroductoryOffers, .subscriptionPromotionalOffers,
            .subscriptionOfferCodes,
        ]
        let priceKinds: [KeptKind] = [
            .subscriptionPromotionalOfferPrices, .subscriptionOfferCodePrices,
        ]
        let found = try connection.records(
            OfferResource.self,
            """
            SELECT \(KeptRow.columns, of: "r"), o.id AS offer_id, p.id AS offered_product
            FROM product p
                JOIN kept_resource o ON o.product = p.id
                    AND o.kind IN \(cases: offerKinds)
                JOIN kept_resource r ON r.number = o.number OR r.parent = o.number
                    AND r.kind IN \(cases: priceKinds)
            WHERE p.app = \(app) \(ofProduct) ORDER BY r.number
            """)
        let prices = Dictionary(grouping: found.filter { $0.row.id != $0.offer }, by: \.offer)
        var offers: [Int64: [ScheduledOffer]] = [:]
        for part in found where part.row.id == part.offer {
            let own = prices[part.offer]?.map { $0.row.resource(of: part.offer) } ?? []
            if let offer = ScheduledOffer(part.row.resource(of: nil), prices: own) {
                offers[part.product, default: []].append(offer)
            }
        }
        return offers
    }

    /// Codes for offers of an app's subscriptions.
    ///
    /// - Parameter name: the custom code to look for, in capital letters; nil reads all codes of the kind.
    func codes(_ kind: KeptKind, of app: AppID, named name: String? = nil) throws -> [KeptCode] {
        let ofName: SQL? = name.map { "AND upper(r.name) = \($0)" }
        return try connection.records(
            OfferCodeRow.self,
            """
            SELECT \(KeptRow.columns, of: "r"), o.id AS offer_id, o.name AS offer_name,
                p.product_id
            FROM kept_resource r JOIN kept_resource o ON o.number = r.parent
                JOIN product p ON p.id = o.product
            WHERE r.app = \(app) AND r.kind = \(kind) \(ofName) ORDER BY r.number
            """
        ).map { code in
            KeptCode(
                resource: code.row.resource(of: code.offer), product: code.product,
                offer: code.offerName)
        }
    }

    package func count(_ kind: KeptKind, of owner: KeptOwner) throws -> Int {
        try connection.value(
            Int.self,
            """
            SELECT count(*) FROM kept_resource r
            WHERE r.kind = \(kind) AND \(try belonging(kind, to: owner))
            """) ?? 0
    }

    /// Another one with the name of `resource`: within the owner, or within the app where the kind's
    /// names count there.
    package func other(like resource: KeptResource) throws -> KeptResource? {
        // Customers type codes in any case.
        let otherwiseWritten: SQL? =
            resource.kind.isCustomCode ? "OR upper(r.name) = upper(\(resource.name))" : nil
        return try resources(
            """
            r.kind = \(resource.kind) AND r.scope = \(Self.scope(of: resource))
                AND r.id <> \(resource.id) AND (r.name = \(resource.name) \(otherwiseWritten))
            """
        ).first?.resource
    }

    package func insert(_ resource: KeptResource) throws {
        var product: ProductNumber?
        var parent: Int64?
        switch resource.owner {
        case .app: break
        case .product(let number): product = number
        case .kept(let id): parent = try number(of: id, owning: resource.kind)
        }
        try connection.insert(
            KeptRow(resource, product: product), with: OtherColumn("parent", parent),
            OtherColumn("scope", Self.scope(of: resource)), OtherColumn("name", resource.name),
            OtherColumn("territory", resource.territory))
    }

    /// Changes attributes and links.
    package func update(_ resource: KeptResource) throws {
        try connection.run(
            """
            UPDATE kept_resource SET name = \(resource.name), territory = \(resource.territory),
                attributes = \(bound: try .json(resource.attributes)),
                links = \(bound: try .json(resource.links))
            WHERE kind = \(resource.kind) AND id = \(resource.id)
            """)
    }

    /// Takes it away with all that belongs to it.
    package func delete(_ kind: KeptKind, _ id: String) throws {
        try connection.run("DELETE FROM kept_resource WHERE kind = \(kind) AND id = \(id)")
    }

    // MARK: Parts

    /// The condition that a resource `r` of a kind belongs to an owner.
    private func belonging(_ kind: KeptKind, to owner: KeptOwner) throws -> SQL {
        switch owner {
        case .app(let app): "r.app = \(app)"
        case .product(let number): "r.product = \(number)"
        case .kept(let id): "r.parent = \(try number(of: id, owning: kind))"
        }
    }

    /// The number of the resource `id`, to which resources of a kind belong; nil where there is no
    /// such resource.
    private func number(of id: String, owning kind: KeptKind) throws -> Int64? {
        guard case .kept(let ownerKind) = kind.owner else { return nil }
        return try connection.value(
            Int64.self, "SELECT number FROM kept_resource WHERE kind = \(ownerKind) AND id = \(id)")
    }

    private static func scope(of resource: KeptResource) -> String {
        guard !resource.kind.isKeyOfApp else { return scope(of: resource.app) }
        return switch resource.owner {
        case .app(let app): scope(of: app)
        case .product(let number): "product \(number.number)"
        case .kept(let id): id
        }
    }

    private static func scope(of app: AppID) -> String { "app \(app.number)" }

}

extension StoreRepositories {
    package var kept: KeptRepository { KeptRepository(connection: connection) }
}

/// A resource as its table has it.
private struct KeptRow: Sendable {
    let number: Int64
    let id: String
    let kind: KeptKind
    let app: AppID
    let product: ProductNumber?
    let attributes: [String: KeptValue]
    let links: [String: [String]]
    let created: Date

    init(_ resource: KeptResource, product: ProductNumber?) {
        number = 0
        id = resource.id
        kind = resource.kind
        app = resource.app
        self.product = product
        attributes = resource.attributes
        links = resource.links
        created = resource.created
    }

    /// - Parameter parent: the identifier of the resource that it belongs to.
    func resource(of parent: String?) -> KeptResource {
        let owner: KeptOwner? = product.map { .product($0) } ?? parent.map { .kept($0) }
        return KeptResource(
            id: id, kind: kind, app: app, owner: owner ?? .app(app), attributes: attributes,
            links: links, created: created)
    }
}

extension KeptRow: Record {
    static let table: StaticString = "kept_resource"

    init(_ column: borrowing RecordColumns<Self>) throws {
        number = try column("number", \.number, .key)
        id = try column("id", \.id)
        kind = try column("kind", \.kind)
        app = try column("app", \.app)
        product = try column("product", \.product)
        attributes = try column.json("attributes", \.attributes, sample: [:])
        links = try column.json("links", \.links, sample: [:])
        created = try column("created", \.created)
    }
}

extension KeptKind: TextColumnValue {}

/// A resource with the identifier of the one that it belongs to.
private struct OwnedResource: RecordPart {
    let row: KeptRow
    let parent: String?

    var resource: KeptResource { row.resource(of: parent) }

    init(_ column: borrowing RecordColumns<Self>) throws {
        row = try column.part(\.row)
        parent = try column("parent_id", \.parent)
    }
}

/// An offer, or one of its prices.
private struct OfferResource: RecordPart {
    let row: KeptRow
    let offer: String
    /// The row of the product that is offered.
    let product: Int64

    init(_ column: borrowing RecordColumns<Self>) throws {
        row = try column.part(\.row)
        offer = try column("offer_id", \.offer)
        product = try column("offered_product", \.product)
    }
}

/// Codes of an offer.
private struct OfferCodeRow: RecordPart {
    let row: KeptRow
    let offer: String
    let offerName: String
    let product: ProductID

    init(_ column: borrowing RecordColumns<Self>) throws {
        row = try column.part(\.row)
        offer = try column("offer_id", \.offer)
        offerName = try column("offer_name", \.offerName)
        product = try column("product_id", \.product)
    }
}
