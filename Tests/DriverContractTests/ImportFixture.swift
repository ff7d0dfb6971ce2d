import Foundation
import StoreCore
import StoreModel

/// A shop into which lists of products are imported.
struct ImportFixture: Sendable {
    let shop: ProductShop

    init(_ driver: StoreDriver) async throws {
        shop = try await ProductShop(driver)
    }

    var app: AppID { shop.shop.app.id }
    private var imports: ProductImportService {
        ProductImportService(database: shop.database, clock: shop.clock)
    }

    /// What an import said.
    struct Result: Sendable {
        var counts = ImportCounts()
        var outcomes: [ImportOutcome] = []
    }

    func run(
        _ products: [ListedProduct], origin: ImportOrigin = ImportOrigin(),
        isRehearsal: Bool = false, by actor: ConnectActor? = nil
    ) async throws -> Result {
        let record = KeptOutcomes()
        let counts = try await imports.run(
            List(products: products), into: app, origin: origin, isRehearsal: isRehearsal,
            record: record, by: actor ?? shop.actor())
        return Result(counts: counts, outcomes: record.outcomes)
    }

    /// The problems that an import is refused with.
    func problems(_ products: [ListedProduct], by actor: ConnectActor? = nil) async throws
        -> [String]
    {
        do {
            _ = try await run(products, by: actor)
            return []
        } catch let refusal as ImportRefusal {
            return refusal.problems.map { "\($0.line ?? 0) \($0.refusal.rule)" }
        }
    }

    func record(_ id: String) async throws -> ProductRecord? {
        try await shop.database.read { repositories in
            guard let number = try repositories.products.number(of: ProductID(id)!, in: app) else {
                return nil
            }
            return try repositories.products.record(number)
        }
    }

    func set(_ state: ProductState, of id: String) async throws {
        try await shop.database.write {
            try $0.catalog.setState(state, of: ProductID(id)!, in: app)
        }
    }

    /// Everything that an import could change.
    struct Picture: Sendable, Hashable {
        let generation: Int64
        let log: [String]
        let products: Int
    }

    func picture() async throws -> Picture {
        Picture(
            generation: try await shop.database.catalogGeneration(), log: try await shop.log(),
            products: try await shop.products.counts(of: app, by: shop.actor()).values.reduce(0, +))
    }

    private struct List: ProductListing {
        let products: [ListedProduct]

        func forEach(_ body: (ListedProduct) throws -> Void) throws {
            for product in products { try body(product) }
        }
    }

    private final class KeptOutcomes: ImportRecord {
        private let kept = Locked<[ImportOutcome]>([])

        var outcomes: [ImportOutcome] { kept.value }
        func begin() { kept.value = [] }
        func add(_ outcome: ImportOutcome) { kept.value.append(outcome) }
    }
}

extension ListedProduct {
    /// A product with everything, in line 10, its parts in the lines behind.
    static func sample(
        _ id: String = "com.example.shop.gems", type: ProductType = .consumable
    ) -> ListedProduct {
        ListedProduct(
            productID: ProductID(id)!, type: type, referenceName: "Gems", reviewNote: "Tap Buy.",
            texts: [
                "en-US": ProductText(title: "Gems", description: "Ten gems."),
                "de-DE": ProductText(title: "Steine", description: "Zehn Steine."),
            ],
            prices: ListedPrices(
                world: [.init(tier: "2")], territories: ["JPN": [.init(tier: "1")]]),
            availability: .everywhere(except: ["FRA"]), line: 10,
            lines: [
                .productID: 11, .name: 12, .type: 13, .reviewNote: 14, .prices: 15,
                .availability: 15, .texts: 16, .text(locale: "en-US"): 17,
                .text(locale: "de-DE"): 18,
            ])
    }
}
