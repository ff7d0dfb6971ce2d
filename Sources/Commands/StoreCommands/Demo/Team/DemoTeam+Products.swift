import Foundation
import StoreCore
import StoreModel
import StoreServer

/// Products with their texts, prices and pictures.
extension DemoTeam {
    /// Imports the shop that the demo's app sells from, into the app that the team has made.
    mutating func importShop() async throws -> CatalogImportReport {
        wait(until: 44, hour: 4)
        let report = try await store.importCatalog(
            configuration: try Data(contentsOf: shop.appendingPathComponent("Bookshop.storekit")),
            content: shop.appendingPathComponent("Content"), appName: "Bookshop",
            teamName: Self.name)
        apps["bookshop"] = report.app
        for product in report.products {
            let record = try await store.services.products.product(
                product.productID.text, of: report.app.id, by: try actor(.appManager))
            numbers[product.productID.text] = record.number
            try await addScreenshot(to: record.number)
        }
        return report
    }

    mutating func makeProducts() async throws {
        wait(until: 43)
        for product in DemoProduct.first { try await make(product) }
        try await makeSubscriptions()
        try await promote()
    }

    /// Makes a product that lacks nothing.
    mutating func make(_ product: DemoProduct) async throws {
        let manager = try actor(.appManager)
        let products = store.services.products
        let number = try await products.create(
            NewProduct(
                productID: product.identifier, type: product.type, referenceName: product.name,
                reviewNote: product.note, isFamilyShareable: product.isFamilyShareable),
            in: try app(product.app).id, by: manager
        ).number
        numbers[product.identifier] = number
        let writer = try actor(.marketing)
        for (locale, text) in product.texts.sorted(by: { $0.key > $1.key }) {
            _ = try await products.addText(
                text, locale: locale, to: number, by: writer)
        }
        _ = try await products.setPrices(PriceSchedule(tier: product.tier), of: number, by: manager)
        if product.availability != .everywhere(except: []) {
            _ = try await products.setAvailability(product.availability, of: number, by: manager)
        }
        try await addScreenshot(to: number)
    }

    mutating func addScreenshot(to number: ProductNumber) async throws {
        let assets = store.services.assets
        let writer = try actor(.marketing)
        let id = AssetID(random.uuid())
        _ = try await assets.reserve(
            id, kind: .reviewScreenshot, fileName: "review-screenshot.png",
            size: Int64(screenshot.count), of: number, by: writer)
        try await assets.write(screenshot, at: 0, of: id, by: writer)
        let asset = try await assets.commit(
            id, kind: .reviewScreenshot, checksum: nil, by: writer)
        if let problem = asset.problem { throw DemoFailure(description: problem) }
    }

    func number(_ identifier: String) throws -> ProductNumber {
        guard let number = numbers[identifier] else {
            throw DemoFailure(description: "there is no product \(identifier)")
        }
        return number
    }

    private mutating func promote() async throws {
        let app = try app("bookshop").id
        for (name, isVisible) in [("chapter1", true), ("credits10", true), ("poster", false)] {
            _ = try await store.services.promotions.create(
                PromotionID(random.uuid()), of: try number("\(Self.bundleID).\(name)"), in: app,
                isVisible: isVisible, isEnabled: true, by: try actor(.marketing))
        }
    }

    // MARK: Subscriptions

    private mutating func makeSubscriptions() async throws {
        let manager = try actor(.appManager)
        let group = random.uuid().uuidString.lowercased()
        let app = try app("bookshop").id
        try await keep(
            .subscriptionGroups, group, ["referenceName": .text("Reading Club")],
            of: String(app.number))
        for (locale, name) in [("en-US", "Reading Club"), ("de-DE", "Leseclub")] {
            try await keep(
                .subscriptionGroupLocalizations, random.uuid().uuidString.lowercased(),
                ["locale": .text(locale), "name": .text(name)], of: group)
        }
        let terms: [(id: String, name: String, period: String, tier: String, level: Int)] = [
            ("club.monthly", "Reading Club, monthly", "P1M", "4", 2),
            ("club.yearly", "Reading Club, yearly", "P1Y", "30", 1),
        ]
        for (id, name, period, tier, level) in terms {
            guard let period = SubscriptionPeriod(iso8601: period) else { continue }
            let number = try await store.services.subscriptions.create(
                NewSubscription(
                    productID: "\(Self.bundleID).\(id)", referenceName: name,
                    reviewNote: "The club’s books are under Library, Club.",
                    isFamilyShareable: true, period: period, level: level),
                inGroup: group, by: manager
            ).number
            numbers["\(Self.bundleID).\(id)"] = number
            _ = try await store.services.products.addText(
                ProductText(title: name, description: "A new book each month"),
                locale: "en-US", to: number, by: try actor(.marketing))
            _ = try await store.services.subscriptions.setPrice(
                SubscriptionPrice(product: number, territory: "USA", tier: tier, start: nil),
                by: manager)
            try await addScreenshot(to: number)
            try await makeOffers(of: number)
        }
    }

    /// Offers as the API keeps them: a trial for new customers, a month for old ones.
    private mutating func makeOffers(of number: ProductNumber) async throws {
        for territory in ["USA", "DEU", "JPN"] {
            try await keep(
                .subscriptionIntroductoryOffers, random.uuid().uuidString.lowercased(),
                [
                    "duration": .text("ONE_WEEK"), "offerMode": .text("FREE_TRIAL"),
                    "numberOfPeriods": .number(1),
                ], of: number.description, links: ["territory": [territory]])
        }
        try await keep(
            .subscriptionPromotionalOffers, random.uuid().uuidString.lowercased(),
            [
                "name": .text("Come back"), "offerCode": .text("comeback"),
                "duration": .text("ONE_MONTH"), "offerMode": .text("FREE_TRIAL"),
                "numberOfPeriods": .number(1),
            ], of: number.description)
    }

    private func keep(
        _ kind: KeptKind, _ id: String, _ attributes: [String: KeptValue], of owner: String,
        links: [String: [String]] = [:]
    ) async throws {
        _ = try await store.services.kept.add(
            KeptDraft(kind: kind, id: id, attributes: attributes, links: links), to: owner,
            by: try actor(.appManager))
    }

    // MARK: Prices

    /// A higher price from the first of a month on, and exceptions in some territories.
    func changePrices() async throws {
        wait(until: 5, hour: 20)
        let manager = try actor(.appManager)
        let day = TimeInterval(86_400)
        let today = (end.timeIntervalSince1970 / day).rounded(.down) * day
        func midnight(in days: Int) -> Date {
            Date(timeIntervalSince1970: today + Double(days) * day)
        }
        _ = try await store.services.products.setPrices(
            PriceSchedule(
                baseTerritory: "USA",
                entries: [
                    .init(territory: "USA", figure: .tier("2"), end: midnight(in: 21)),
                    .init(territory: "USA", figure: .tier("3"), start: midnight(in: 21)),
                    .init(
                        territory: "DEU", figure: .tier("1"), start: midnight(in: -12),
                        end: midnight(in: 9)),
                    .init(territory: "BRA", figure: .tier("1")),
                ]), of: try number("\(Self.bundleID).chapter1"), by: manager)
        _ = try await store.services.products.setPrices(
            PriceSchedule(
                baseTerritory: "USA",
                entries: [
                    .init(territory: "USA", figure: .tier("3")),
                    .init(territory: "IND", figure: .tier("1")),
                    .init(territory: "GBR", figure: .tier("2"), start: midnight(in: 30)),
                ]), of: try number("com.example.stargazer.constellations"), by: manager)
    }
}
