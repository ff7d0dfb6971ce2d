import Foundation
import StoreModel

/// Teams, apps and products.
package struct CatalogRepository {
    let connection: any SQLConnection

    /// Grows with each change to what devices see of any app.
    package func generation() throws -> Int64 {
        try connection.row("SELECT generation FROM catalog_clock WHERE id = 1", []) {
            $0.integer(0)
        } ?? 0
    }

    /// Grows with each change to what devices see of one app.
    package func generation(of app: AppID) throws -> Int64 {
        try connection.row(
            "SELECT generation FROM app_clock WHERE app = ?1", [.integer(app.number)]
        ) { $0.integer(0) } ?? 0
    }

    // MARK: Teams

    package func team(named name: String) throws -> Team? {
        try connection.row(
            "SELECT id, name, has_paid_agreement FROM team WHERE name = ?1", [.text(name)],
            readTeam)
    }

    package func team(_ id: Int64) throws -> Team? {
        try connection.row(
            "SELECT id, name, has_paid_agreement FROM team WHERE id = ?1", [.integer(id)],
            readTeam)
    }

    /// The team of a store that has exactly one.
    package func onlyTeam() throws -> Team? {
        let teams = try connection.rows(
            "SELECT id, name, has_paid_agreement FROM team LIMIT 2", [], readTeam)
        return teams.count == 1 ? teams.first : nil
    }

    package func hasTeams() throws -> Bool {
        try connection.row("SELECT 1 FROM team LIMIT 1", []) { _ in true } ?? false
    }

    /// Adds a team, or gives the one with this name as it is. Its agreements begin in force
    /// where the draft has the paid one, and not accepted otherwise.
    package func save(_ team: TeamDraft) throws -> Team {
        let saved = try connection.row(
            """
            INSERT INTO team (name, has_paid_agreement) VALUES (?1, ?2)
            ON CONFLICT (name) DO UPDATE SET name = team.name
            RETURNING id, name, has_paid_agreement
            """, [.text(team.name), .integer(team.hasPaidAgreement)], readTeam)
        return try saved.orMissing("team")
    }

    private func readTeam(_ row: any SQLRow) -> Team {
        Team(id: row.integer(0), name: row.text(1), hasPaidAgreement: row.integer(2) == 1)
    }

    // MARK: Apps

    package func apps() throws -> [App] {
        try connection.rows(
            "SELECT id, team, bundle_id, name, binary_state, generation FROM app ORDER BY bundle_id",
            [], readApp)
    }

    package func app(_ bundleID: BundleID) throws -> App? {
        try connection.row(
            """
            SELECT id, team, bundle_id, name, binary_state, generation FROM app
            WHERE bundle_id = ?1
            """, [.text(bundleID.text)], readApp)
    }

    package func app(_ id: AppID) throws -> App? {
        try connection.row(
            "SELECT id, team, bundle_id, name, binary_state, generation FROM app WHERE id = ?1",
            [.integer(id.number)], readApp)
    }

    /// Adds an app, with its bundle identifier where there is none, or changes the one with
    /// this bundle identifier. The generation of an identifier that there is, or was, is not
    /// lowered; the schema refuses one of another team.
    package func save(_ app: AppDraft) throws -> App {
        let identifier = try identifier(of: app)
        let known = try connection.row(
            """
            UPDATE app SET team = ?2, name = ?3, binary_state = ?4, generation = ?5
            WHERE bundle_id = ?1
            RETURNING id, team, bundle_id, name, binary_state, generation
            """,
            [
                .text(app.bundleID.text), .integer(app.teamID), .text(app.name),
                .text(app.binaryState.rawValue), .integer(identifier.generation),
            ], readApp)
        if let known { return known }
        let added = try connection.row(
            """
            INSERT INTO app (id, team, bundle_id, name, binary_state, generation, identifier, sku,
                primary_locale)
            SELECT ?8, ?1, ?2, ?3, ?4, ?5, ?6,
                CASE WHEN EXISTS (SELECT 1 FROM app WHERE team = ?1 AND sku = ?2)
                    THEN ?2 || '/' || CAST(?6 AS TEXT) ELSE ?2 END, ?7
            RETURNING id, team, bundle_id, name, binary_state, generation
            """,
            [
                .integer(app.teamID), .text(app.bundleID.text), .text(app.name),
                .text(app.binaryState.rawValue), .integer(identifier.generation),
                .integer(identifier.id), .text(app.primaryLocale.text),
                .integer(try AppleIDSequence(connection: connection).next()),
            ], readApp)
        return try added.orMissing("app")
    }

    /// The bundle identifier of an app, made where there is none; one of another team stays with
    /// it, and the schema refuses a second one. Its generation never falls.
    private func identifier(of app: AppDraft) throws -> (id: Int64, generation: Int64) {
        let known = try connection.row(
            """
            UPDATE bundle_identifier SET generation = max(generation, ?3)
            WHERE identifier = ?2 AND is_wildcard = 0 AND team = ?1 RETURNING id, generation
            """,
            [.integer(app.teamID), .text(app.bundleID.text), .integer(app.generation)]
        ) { (id: $0.integer(0), generation: $0.integer(1)) }
        if let known { return known }
        let added = try connection.row(
            """
            INSERT INTO bundle_identifier (team, identifier, name, platform, generation)
            VALUES (?1, ?2, ?3, 'UNIVERSAL', max(?4, 1 + ifnull((
                SELECT last FROM bundle_identifier_past WHERE identifier = ?2), 0)))
            RETURNING id, generation
            """,
            [
                .integer(app.teamID), .text(app.bundleID.text), .text(app.name),
                .integer(app.generation),
            ]
        ) { (id: $0.integer(0), generation: $0.integer(1)) }
        let made = try added.orMissing("bundle identifier")
        try connection.run(
            "INSERT INTO bundle_capability VALUES (?1, 'IN_APP_PURCHASE', '[]')",
            [.integer(made.id)])
        return made
    }

    private func readApp(_ row: any SQLRow) throws -> App {
        App(
            id: AppID(number: row.integer(0)), teamID: row.integer(1),
            bundleID: try row.value(2) { BundleID($0) }, name: row.text(3),
            binaryState: try row.value(4, BinaryState.init(rawValue:)),
            generation: Int(row.integer(5)))
    }

    // MARK: Products

    package func products(of app: AppID) throws -> [Product] {
        try products(of: app, only: nil, withOffers: true)
    }

    /// - Parameter withOffers: whether offers are read that the publisher has scheduled.
    package func product(
        _ id: ProductID, in app: AppID, withOffers: Bool = false
    ) throws -> Product? {
        try products(of: app, only: id, withOffers: withOffers).first
    }

    private func products(
        of app: AppID, only id: ProductID?, withOffers: Bool
    ) throws -> [Product] {
        let wanted = ProductRange(id).values(in: app)
        let texts = try grouped(
            connection.rows(
                """
                SELECT t.product, t.locale, t.title, t.description
                FROM product p JOIN product_text t ON t.product = p.id
                WHERE p.app = ?1 AND p.product_id BETWEEN ?2 AND ?3
                """, wanted, readText))
        // Without an open revision the publisher's texts are the approved ones.
        let approved = try grouped(
            connection.rows(
                """
                SELECT r.product, t.locale, t.title, t.description
                FROM product p JOIN product_revision o ON o.product = p.id
                    JOIN product_revision r ON r.product = p.id AND r.state = 'APPROVED'
                    JOIN product_revision_text t ON t.revision = r.id
                WHERE p.app = ?1 AND p.product_id BETWEEN ?2 AND ?3
                    AND o.state NOT IN ('APPROVED', 'REPLACED_WITH_NEW_VERSION')
                """, wanted, readText))
        let prices = try grouped(
            connection.rows(
                """
                SELECT r.product, r.territory, r.starts, r.ends, r.tier, r.thousandths
                FROM product p JOIN product_price r ON r.product = p.id
                WHERE p.app = ?1 AND p.product_id BETWEEN ?2 AND ?3
                """, wanted
            ) { row in (row.integer(0), row.priceEntry(from: 1)) })
        let offers =
            withOffers ? try KeptRepository(connection: connection).offers(wanted) : [:]
        let releases = try ContentRepository(connection: connection)
            .releases(of: app, only: id)
        return try connection.rows(
            """
            SELECT id, product_id, type, reference_name, family_shareable, state,
                primary_locale, subscription, hosts_content, was_on_sale, base_territory,
                in_new_territories, territories, deleted
            FROM product WHERE app = ?1 AND product_id BETWEEN ?2 AND ?3 ORDER BY product_id
            """, wanted
        ) { row in
            let id = row.integer(0)
            let details = ProductDraft(
                productID: try row.value(1) { ProductID($0) },
                type: try row.value(2, ProductType.init(rawValue:)), referenceName: row.text(3),
                isFamilyShareable: row.integer(4) == 1,
                state: try row.value(5, ProductState.init(rawValue:)), primaryLocale: row.text(6),
                texts: Dictionary(uniqueKeysWithValues: texts[id] ?? []),
                prices: PriceSchedule(baseTerritory: row.text(10), entries: prices[id] ?? []),
                subscription: try row.optionalText(7).map { text in
                    try JSONDecoder().decode(SubscriptionTerms.self, from: Data(text.utf8))
                })
            return Product(
                details: details, releases: releases[id] ?? [],
                hostsContent: row.integer(8) == 1, wasOnSale: row.integer(9) == 1,
                availability: row.availability(from: 11),
                approvedTexts: approved[id].map { Dictionary(uniqueKeysWithValues: $0) },
                isDeleted: !row.isNull(13), number: ProductNumber(number: id),
                scheduledOffers: offers[id] ?? [])
        }
    }

    private func readText(_ row: any SQLRow) -> (Int64, (String, ProductText)) {
        (
            row.integer(0),
            (row.text(1), ProductText(title: row.text(2), description: row.text(3)))
        )
    }

    /// Adds a product, or changes the one with this identifier in this app.
    package func save(_ product: ProductDraft, in app: AppID) throws {
        let terms = try product.subscription.map { terms in
            String(decoding: try JSONEncoder().encode(terms), as: UTF8.self)
        }
        let known = try connection.row(
            "SELECT reference_name, id FROM product WHERE app = ?1 AND product_id = ?2",
            [.integer(app.number), .text(product.productID.text)]
        ) { (referenceName: $0.text(0), id: $0.integer(1)) }
        let id = try known?.id ?? AppleIDSequence(connection: connection).next()
        let saved = try connection.row(
            """
            INSERT INTO product (app, product_id, type, reference_name, family_shareable, state,
                primary_locale, subscription, subscription_group, id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT (app, product_id) DO UPDATE SET
                type = excluded.type, reference_name = excluded.reference_name,
                family_shareable = excluded.family_shareable, state = excluded.state,
                primary_locale = excluded.primary_locale, subscription = excluded.subscription,
                subscription_group = excluded.subscription_group
            RETURNING id
            """,
            [
                .integer(app.number), .text(product.productID.text), .text(product.type.rawValue),
                .text(product.referenceName), .integer(product.isFamilyShareable),
                .text(product.state.rawValue), .text(product.primaryLocale), .text(terms),
                .text(product.subscription?.groupID), .integer(id),
            ]
        ) { ProductNumber(number: $0.integer(0)) }
        let number = try saved.orMissing("product")
        let products = ProductRepository(connection: connection)
        if known?.referenceName != product.referenceName { try products.index(number) }
        try products.setTexts(product.texts, of: number)
        try products.setPrices(product.prices, of: number)
    }

    package func setState(_ state: ProductState, of product: ProductID, in app: AppID) throws {
        try connection.run(
            "UPDATE product SET state = ?3 WHERE app = ?1 AND product_id = ?2",
            [.integer(app.number), .text(product.text), .text(state.rawValue)])
    }

    /// Records whether the store hosts the product's content. The schema refuses to take it
    /// from a product that was on sale.
    package func setHosting(_ isHosted: Bool, of product: ProductID, in app: AppID) throws {
        try connection.run(
            "UPDATE product SET hosts_content = ?3 WHERE app = ?1 AND product_id = ?2",
            [.integer(app.number), .text(product.text), .integer(isHosted)])
    }
}

extension Optional {
    /// The row that a statement with RETURNING always gives.
    func orMissing(_ what: String) throws -> Wrapped {
        guard let self else { throw SQLError(code: .other, "the \(what) was not written") }
        return self
    }
}
