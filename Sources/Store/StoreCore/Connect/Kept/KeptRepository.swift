import Foundation
import StoreModel

/// Resources that are kept as the API gave them.
package struct KeptRepository {
    let connection: any SQLConnection

    package func resource(_ kind: KeptKind, _ id: String) throws -> KeptResource? {
        try connection.row(
            """
            SELECT r.id, r.kind, r.app, r.product, p.id, r.attributes, r.links, r.created
            FROM kept_resource r LEFT JOIN kept_resource p ON p.number = r.parent
            WHERE r.kind = ?1 AND r.id = ?2
            """, [.text(kind.rawValue), .text(id)], read)
    }

    /// The one with a name, where the kind's names count in the whole app.
    package func resource(_ kind: KeptKind, named name: String, of app: AppID) throws
        -> KeptResource?
    {
        try connection.row(
            """
            SELECT r.id, r.kind, r.app, r.product, p.id, r.attributes, r.links, r.created
            FROM kept_resource r LEFT JOIN kept_resource p ON p.number = r.parent
            WHERE r.kind = ?1 AND r.scope = ?2 AND r.name = ?3
            """, [.text(kind.rawValue), .text(Self.scope(of: app)), .text(name)], read)
    }

    /// A page of what an owner has, in the order in which it was made.
    ///
    /// - Parameter territories: gives those of these only; nil for all.
    /// - Throws: `ConnectRefusal` for a cursor that is none.
    package func page(
        _ kind: KeptKind, of owner: KeptOwner, territories: [String]?, _ request: PageRequest
    ) throws -> ListPage<KeptResource> {
        let start = try request.key() ?? 0
        let wanted = try territories.map { try Self.json($0) }
        var parameters: [SQLValue] = [
            .text(kind.rawValue), .integer(start), .integer(request.limit + 1), .text(wanted),
        ]
        parameters.append(try ownerValue(kind, owner))
        let rows: [(number: Int64, resource: KeptResource)]
        switch owner {
        case .app:
            rows = try connection.rows(
                """
                SELECT r.id, r.kind, r.app, r.product, NULL, r.attributes, r.links, r.created,
                    r.number
                FROM kept_resource r
                WHERE r.app = ?5 AND r.kind = ?1 AND r.number > ?2
                    AND (?4 IS NULL OR r.territory IN (SELECT value FROM json_each(?4)))
                ORDER BY r.number LIMIT ?3
                """, parameters
            ) { (number: $0.integer(8), resource: try read($0)) }
        case .product:
            rows = try connection.rows(
                """
                SELECT r.id, r.kind, r.app, r.product, NULL, r.attributes, r.links, r.created,
                    r.number
                FROM kept_resource r
                WHERE r.product = ?5 AND r.kind = ?1 AND r.number > ?2
                    AND (?4 IS NULL OR r.territory IN (SELECT value FROM json_each(?4)))
                ORDER BY r.number LIMIT ?3
                """, parameters
            ) { (number: $0.integer(8), resource: try read($0)) }
        case .kept:
            rows = try connection.rows(
                """
                SELECT r.id, r.kind, r.app, r.product, p.id, r.attributes, r.links, r.created,
                    r.number
                FROM kept_resource r JOIN kept_resource p ON p.number = r.parent
                WHERE r.parent = ?5 AND r.kind = ?1 AND r.number > ?2
                    AND (?4 IS NULL OR r.territory IN (SELECT value FROM json_each(?4)))
                ORDER BY r.number LIMIT ?3
                """, parameters
            ) { (number: $0.integer(8), resource: try read($0)) }
        }
        let shown = rows.prefix(request.limit)
        return ListPage(
            items: shown.map(\.resource),
            total: territories == nil ? try count(kind, of: owner) : nil,
            next: rows.count > request.limit ? shown.last.map { String($0.number) } : nil)
    }

    /// The offers of an app's subscriptions, by product.
    ///
    /// - Parameter range: values for the statement: the app, the first and the last product identifier.
    func offers(_ range: [SQLValue]) throws -> [Int64: [ScheduledOffer]] {
        let resources = try connection.rows(
            """
            SELECT r.id, r.kind, r.app, r.product, o.id, r.attributes, r.links, r.created,
                coalesce(r.product, o.product)
            FROM product p
                JOIN kept_resource o ON o.product = p.id
                    AND o.kind IN ('subscriptionIntroductoryOffers',
                        'subscriptionPromotionalOffers', 'subscriptionOfferCodes')
                JOIN kept_resource r ON r.number = o.number OR r.parent = o.number
                    AND r.kind IN ('subscriptionPromotionalOfferPrices',
                        'subscriptionOfferCodePrices')
            WHERE p.app = ?1 AND p.product_id BETWEEN ?2 AND ?3
            ORDER BY r.number
            """, range
        ) { (product: $0.integer(8), owner: $0.text(4), resource: try read($0)) }
        let prices = Dictionary(
            grouping: resources.filter { $0.owner != $0.resource.id }, by: \.owner)
        var offers: [Int64: [ScheduledOffer]] = [:]
        for (product, id, resource) in resources where id == resource.id {
            let own = prices[id]?.map(\.resource) ?? []
            if let offer = ScheduledOffer(resource, prices: own) {
                offers[product, default: []].append(offer)
            }
        }
        return offers
    }

    /// Codes for offers of an app's subscriptions.
    ///
    /// - Parameter name: the custom code to look for, in capital letters; nil reads all codes of the kind.
    func codes(_ kind: KeptKind, of app: AppID, named name: String? = nil) throws -> [KeptCode] {
        try connection.rows(
            """
            SELECT r.id, r.kind, r.app, r.product, o.id, r.attributes, r.links, r.created,
                p.product_id, o.name
            FROM kept_resource r JOIN kept_resource o ON o.number = r.parent
                JOIN product p ON p.id = o.product
            WHERE r.app = ?1 AND r.kind = ?2 AND (?3 IS NULL OR upper(r.name) = ?3)
            ORDER BY r.number
            """, [.integer(app.number), .text(kind.rawValue), .text(name)]
        ) { row in
            KeptCode(
                resource: try read(row), product: try row.value(8) { ProductID($0) },
                offer: row.text(9))
        }
    }

    package func count(_ kind: KeptKind, of owner: KeptOwner) throws -> Int {
        let parameters = [SQLValue.text(kind.rawValue), try ownerValue(kind, owner)]
        let count: Int64?
        switch owner {
        case .app:
            count = try connection.row(
                "SELECT count(*) FROM kept_resource WHERE kind = ?1 AND app = ?2", parameters
            ) { $0.integer(0) }
        case .product:
            count = try connection.row(
                "SELECT count(*) FROM kept_resource WHERE kind = ?1 AND product = ?2",
                parameters
            ) { $0.integer(0) }
        case .kept:
            count = try connection.row(
                "SELECT count(*) FROM kept_resource WHERE kind = ?1 AND parent = ?2",
                parameters
            ) { $0.integer(0) }
        }
        return Int(count ?? 0)
    }

    /// Whether there is one with the name, other than `resource` itself: within the owner, or
    /// within the app where the kind's names count there.
    package func isNameTaken(_ resource: KeptResource) throws -> Bool {
        try connection.row(
            """
            SELECT 1 FROM kept_resource
            WHERE kind = ?1 AND scope = ?2 AND id <> ?4
                AND (name = ?3 OR ?5 = 1 AND upper(name) = upper(?3))
            """,
            [
                .text(resource.kind.rawValue), .text(Self.scope(of: resource)),
                .text(resource.name), .text(resource.id),
                // Customers type codes in any case.
                .integer(resource.kind.isCustomCode),
            ]
        ) { _ in true } ?? false
    }

    package func insert(_ resource: KeptResource) throws {
        var product = SQLValue.noInteger
        var parent = SQLValue.noInteger
        switch resource.owner {
        case .app: break
        case .product(let number): product = .integer(number.number)
        case .kept: parent = try ownerValue(resource.kind, resource.owner)
        }
        try connection.run(
            """
            INSERT INTO kept_resource (id, kind, app, product, parent, scope, name, territory,
                attributes, links, created)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """,
            [
                .text(resource.id), .text(resource.kind.rawValue),
                .integer(resource.app.number), product, parent,
                .text(Self.scope(of: resource)), .text(resource.name),
                .text(resource.territory), .text(try Self.json(resource.attributes)),
                .text(try Self.json(resource.links)), .date(resource.created),
            ])
    }

    /// Changes attributes and links.
    package func update(_ resource: KeptResource) throws {
        try connection.run(
            """
            UPDATE kept_resource SET name = ?3, territory = ?4, attributes = ?5, links = ?6
            WHERE kind = ?1 AND id = ?2
            """,
            [
                .text(resource.kind.rawValue), .text(resource.id), .text(resource.name),
                .text(resource.territory), .text(try Self.json(resource.attributes)),
                .text(try Self.json(resource.links)),
            ])
    }

    /// Takes it away with all that belongs to it.
    package func delete(_ kind: KeptKind, _ id: String) throws {
        try connection.run(
            "DELETE FROM kept_resource WHERE kind = ?1 AND id = ?2",
            [.text(kind.rawValue), .text(id)])
    }

    // MARK: Parts

    /// The number by which rows refer to an owner.
    private func ownerValue(_ kind: KeptKind, _ owner: KeptOwner) throws -> SQLValue {
        switch owner {
        case .app(let app): return .integer(app.number)
        case .product(let number): return .integer(number.number)
        case .kept(let id):
            guard case .kept(let ownerKind) = kind.owner else { return .noInteger }
            return try connection.row(
                "SELECT number FROM kept_resource WHERE kind = ?1 AND id = ?2",
                [.text(ownerKind.rawValue), .text(id)]
            ) { .integer($0.integer(0)) } ?? .noInteger
        }
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

    private func read(_ row: any SQLRow) throws -> KeptResource {
        let app = AppID(number: row.integer(2))
        let owner: KeptOwner =
            if let product = row.optionalInteger(3) {
                .product(ProductNumber(number: product))
            } else if let parent = row.optionalText(4) {
                .kept(parent)
            } else {
                .app(app)
            }
        return KeptResource(
            id: row.text(0), kind: try row.value(1) { KeptKind(rawValue: $0) }, app: app,
            owner: owner,
            attributes: try row.value(5) { Self.value([String: KeptValue].self, $0) },
            links: try row.value(6) { Self.value([String: [String]].self, $0) },
            created: row.date(7))
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func value<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
        try? JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
