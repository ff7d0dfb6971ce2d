import Foundation
import StoreDatabase
import StoreModel

/// Teams, apps and products.
package struct CatalogRepository {
    let connection: any SQLConnection

    /// Grows with each change to what devices see of any app.
    package func generation() throws -> Int64 {
        try connection.value(Int64.self, "SELECT generation FROM catalog_clock WHERE id = 1") ?? 0
    }

    /// Grows with each change to what devices see of one app.
    package func generation(of app: AppID) throws -> Int64 {
        try connection.value(
            Int64.self, "SELECT generation FROM app_clock WHERE app = \(app)") ?? 0
    }

    // MARK: Teams

    package func team(named name: String) throws -> Team? {
        try connection.first(Team.self, "WHERE name = \(name)")
    }

    package func team(_ id: Int64) throws -> Team? { try connection.find(Team.self, id) }

    /// Whether the Paid Apps agreement of an app's team is in force.
    func hasPaidAgreement(of app: AppID) throws -> Bool {
        try connection.exists(
            """
            FROM app a JOIN team t ON t.id = a.team
            WHERE a.id = \(app) AND t.has_paid_agreement = 1
            """)
    }

    /// The team of a store that has exactly one.
    package func onlyTeam() throws -> Team? {
        let teams = try connection.all(Team.self, "LIMIT 2")
        return teams.count == 1 ? teams.first : nil
    }

    package func hasTeams() throws -> Bool { try connection.exists("FROM team") }

    /// Adds a team, or gives the one with this name as it is. Its agreements begin in force
    /// where the draft has the paid one, and not accepted otherwise.
    package func save(_ team: TeamDraft) throws -> Team {
        try connection.records(
            Team.self,
            """
            INSERT INTO team (name, has_paid_agreement)
            VALUES (\(team.name), \(team.hasPaidAgreement))
            ON CONFLICT (name) DO UPDATE SET name = team.name
            RETURNING \(Team.columns)
            """
        ).first.orMissing("team")
    }

    // MARK: Apps

    package func apps() throws -> [App] { try connection.all(App.self, "ORDER BY bundle_id") }

    package func app(_ bundleID: BundleID) throws -> App? {
        try connection.first(App.self, "WHERE bundle_id = \(bundleID)")
    }

    package func app(_ id: AppID) throws -> App? { try connection.find(App.self, id) }

    /// Adds an app, with its bundle identifier where there is none, or changes the one with
    /// this bundle identifier. The generation of an identifier that there is, or was, is not
    /// lowered; the schema refuses one of another team.
    package func save(_ app: AppDraft) throws -> App {
        let identifier = try identifier(of: app)
        let known = try connection.records(
            App.self,
            """
            UPDATE app SET team = \(app.teamID), name = \(app.name),
                binary_state = \(app.binaryState), generation = \(identifier.generation)
            WHERE bundle_id = \(app.bundleID)
            RETURNING \(App.columns)
            """
        ).first
        if let known { return known }
        let apps = AppRepository(connection: connection)
        let isTaken = try apps.isTaken(sku: app.bundleID.text, team: app.teamID)
        let sku = isTaken ? "\(app.bundleID)/\(identifier.id.number)" : app.bundleID.text
        return try apps.insert(
            name: app.name, sku: sku, primaryLocale: app.primaryLocale, from: identifier,
            binaryState: app.binaryState
        ).app
    }

    /// The bundle identifier of an app, made where there is none; one of another team stays with
    /// it, and the schema refuses a second one. Its generation never falls.
    private func identifier(of app: AppDraft) throws -> BundleIdentifier {
        let identifiers = Records<BundleIdentifier>(connection)
        guard var known = try identifiers.explicit(app.bundleID.text), known.team == app.teamID
        else {
            return try identifiers.insert(
                ApplicationIdentifier(app.bundleID), name: app.name, platform: .universal,
                team: app.teamID, generation: app.generation)
        }
        known.generation = max(known.generation, app.generation)
        try identifiers.update(known)
        return known
    }

    // MARK: Products

    /// - Parameter parts: as of `product(_:in:_:)`.
    package func products(of app: AppID, _ parts: ProductParts = .all) throws -> [Product] {
        try products(of: app, only: nil, parts)
    }

    /// - Parameter parts: what is read besides its row; the others are empty in the result.
    package func product(
        _ id: ProductID, in app: AppID, _ parts: ProductParts = .all.subtracting(.offers)
    ) throws -> Product? {
        try products(of: app, only: id, parts).first
    }

    /// Whether families share a product.
    func isFamilyShareable(_ id: ProductID, in app: AppID) throws -> Bool {
        try connection.exists(
            "FROM product WHERE app = \(app) AND product_id = \(id) AND family_shareable = 1")
    }

    private func products(
        of app: AppID, only id: ProductID?, _ parts: ProductParts
    ) throws -> [Product] {
        let ofProduct: SQL? = id.map { "AND p.product_id = \($0)" }
        let hasTexts = parts.contains(.texts)
        let texts = hasTexts ? try texts(of: app, ofProduct) : [:]
        let approved = hasTexts ? try approvedTexts(of: app, ofProduct) : [:]
        let prices =
            try parts.contains(.prices)
            ? connection.records(
                ProductPart<PriceSchedule.Entry>.self,
                """
                SELECT r.product, \(PriceSchedule.Entry.columns, of: "r")
                FROM product p JOIN product_price r ON r.product = p.id
                WHERE p.app = \(app) \(ofProduct)
                """) : []
        let pricesByProduct = Dictionary(grouping: prices, by: \.product)
            .mapValues { $0.map(\.part) }
        let offers =
            try parts.contains(.offers)
            ? KeptRepository(connection: connection).offers(of: app, only: id) : [:]
        let releases =
            try parts.contains(.releases)
            ? ContentRepository(connection: connection).releases(of: app, only: id) : [:]
        return try connection.records(
            ProductRow.self,
            """
            SELECT \(ProductRow.columns) FROM product p WHERE app = \(app) \(ofProduct)
            ORDER BY product_id
            """
        ).map { row in
            let number = row.number.number
            return Product(
                details: ProductDraft(
                    productID: row.productID, type: row.type, referenceName: row.referenceName,
                    isFamilyShareable: row.isFamilyShareable, state: row.state,
                    primaryLocale: row.primaryLocale, texts: texts[number] ?? [:],
                    prices: PriceSchedule(
                        baseTerritory: row.baseTerritory, entries: pricesByProduct[number] ?? []),
                    subscription: row.subscription),
                releases: releases[number] ?? [], hostsContent: row.hostsContent,
                wasOnSale: row.wasOnSale, availability: row.availability,
                approvedTexts: approved[number], isDeleted: row.deleted != nil,
                number: row.number, scheduledOffers: offers[number] ?? [])
        }
    }

    private func texts(
        of app: AppID, _ ofProduct: SQL?
    ) throws -> [Int64: [String: ProductText]] {
        try texts(
            """
            SELECT t.product, \(LocalizedText.columns, of: "t")
            FROM product p JOIN product_text t ON t.product = p.id
            WHERE p.app = \(app) \(ofProduct)
            """)
    }

    /// Those of products with an open revision: without one the publisher's texts are the approved ones.
    private func approvedTexts(
        of app: AppID, _ ofProduct: SQL?
    ) throws -> [Int64: [String: ProductText]] {
        try texts(
            """
            SELECT r.product, \(LocalizedText.columns, of: "t")
            FROM product p JOIN product_revision o ON o.product = p.id
                JOIN product_revision r ON r.product = p.id AND r.state = 'APPROVED'
                JOIN product_revision_text t ON t.revision = r.id
            WHERE p.app = \(app) \(ofProduct)
                AND o.state NOT IN \(cases: RevisionState.settled)
            """)
    }

    /// Texts by product and locale.
    private func texts(_ sql: SQL) throws -> [Int64: [String: ProductText]] {
        let texts = try connection.records(ProductPart<LocalizedText>.self, sql)
        return Dictionary(grouping: texts, by: \.product).mapValues { texts in
            Dictionary(texts.map { ($0.part.locale, $0.part.text) }) { _, last in last }
        }
    }

    /// Adds a product, or changes the one with this identifier in this app.
    package func save(_ product: ProductDraft, in app: AppID) throws {
        let terms = try product.subscription.map { try SQLValue.json($0) } ?? .noText
        let known = try connection.records(
            ProductName.self,
            """
            SELECT \(ProductName.columns) FROM product
            WHERE app = \(app) AND product_id = \(product.productID)
            """
        ).first
        let id = try known?.id ?? AppleIDSequence(connection: connection).next()
        let number = try connection.value(
            ProductNumber.self,
            """
            INSERT INTO product (app, product_id, type, reference_name, family_shareable, state,
                primary_locale, subscription, subscription_group, id)
            VALUES (\(app), \(product.productID), \(product.type), \(product.referenceName),
                \(product.isFamilyShareable), \(product.state), \(product.primaryLocale),
                \(bound: terms), \(product.subscription?.groupID), \(id))
            ON CONFLICT (app, product_id) DO UPDATE SET
                type = excluded.type, reference_name = excluded.reference_name,
                family_shareable = excluded.family_shareable, state = excluded.state,
                primary_locale = excluded.primary_locale, subscription = excluded.subscription,
                subscription_group = excluded.subscription_group
            RETURNING id
            """
        ).orMissing("product")
        let products = ProductRepository(connection: connection)
        if known?.referenceName != product.referenceName { try products.index(number) }
        try products.setTexts(product.texts, of: number)
        try products.setPrices(product.prices, of: number)
    }

    package func setState(_ state: ProductState, of product: ProductID, in app: AppID) throws {
        try connection.run(
            "UPDATE product SET state = \(state) WHERE app = \(app) AND product_id = \(product)")
    }

    /// Records whether the store hosts the product's content. The schema refuses to take it
    /// from a product that was on sale.
    package func setHosting(_ isHosted: Bool, of product: ProductID, in app: AppID) throws {
        try connection.run(
            """
            UPDATE product SET hosts_content = \(isHosted)
            WHERE app = \(app) AND product_id = \(product)
            """)
    }
}

extension StoreRepositories {
    package var catalog: CatalogRepository { CatalogRepository(connection: connection) }
}

/// Parts of a product that other tables hold.
package struct ProductParts: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let texts = ProductParts(rawValue: 1)
    package static let prices = ProductParts(rawValue: 2)
    /// Offers that the publisher has scheduled.
    package static let offers = ProductParts(rawValue: 4)
    /// The versions of its content.
    package static let releases = ProductParts(rawValue: 8)
    package static let all: ProductParts = [.texts, .prices, .offers, .releases]
}

/// A row of the table `product`.
private struct ProductRow: RecordPart {
    /// Each renewal reads its product, and decoding the terms took nearly half of that time.
    private static let termsCache = JSONColumnCache<SubscriptionTerms>(limit: 1 << 20)

    let number: ProductNumber
    let productID: ProductID
    let type: ProductType
    let referenceName: String
    let isFamilyShareable: Bool
    let state: ProductState
    let primaryLocale: String
    let subscription: SubscriptionTerms?
    let hostsContent: Bool
    let wasOnSale: Bool
    let baseTerritory: String
    let availability: Availability
    let deleted: Date?

    init(_ column: borrowing RecordColumns<Self>) throws {
        number = try column("id", \.number)
        productID = try column("product_id", \.productID)
        type = try column("type", \.type)
        referenceName = try column("reference_name", \.referenceName)
        isFamilyShareable = try column("family_shareable", \.isFamilyShareable)
        state = try column("state", \.state)
        primaryLocale = try column("primary_locale", \.primaryLocale)
        subscription = try column.optionalJSON(
            "subscription", \.subscription, sample: nil, cache: Self.termsCache)
        hostsContent = try column("hosts_content", \.hostsContent)
        wasOnSale = try column("was_on_sale", \.wasOnSale)
        baseTerritory = try column("base_territory", \.baseTerritory)
        availability = try column.part(\.availability)
        deleted = try column("deleted", \.deleted)
    }
}

/// A text or a price with the number of its product.
private struct ProductPart<Part: RecordPart>: RecordPart {
    let product: Int64
    let part: Part

    init(_ column: borrowing RecordColumns<Self>) throws {
        product = try column("product", \.product)
        part = try column.part(\.part)
    }
}

/// What a product was called when it was last saved.
private struct ProductName: RecordPart {
    let id: Int64
    let referenceName: String

    init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id)
        referenceName = try column("reference_name", \.referenceName)
    }
}
