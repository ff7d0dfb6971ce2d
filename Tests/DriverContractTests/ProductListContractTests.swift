import Foundation
@testable import StoreCore
import StoreModel
import StoreTestSupport
import Testing

/// Lists of products: what is on which page, in which order, for which filter.
@Suite(.usesDrivers) struct ProductListContractTests {
    /// A shop with many products besides the seeded ones.
    private struct ManyProducts {
        let database: OpenedDatabase
        let app: AppID

        /// - Parameter count: as many more products in the app.
        init(_ driver: StoreDriver, count: Int) async throws {
            let database = try driver.install().open()
            let shop = try await SeededShop(in: database)
            try await database.write { repositories in
                for number in 0..<count {
                    let type = ProductType.allCases[number % 3]
                    var draft = SeededShop.product(
                        ProductID("com.example.shop.item\(number)")!,
                        type == .autoRenewableSubscription ? .consumable : type)
                    // In no order of anything else, in either case, some of them twice.
                    let word = number % 2 == 0 ? "Item" : "iTEM"
                    draft.referenceName = "\(word) \(number * 37 % 101)"
                    draft.state = number % 50 == 0 ? .rejected : .readyToSubmit
                    try repositories.catalog.save(draft, in: shop.app.id)
                }
            }
            self.database = database
            app = shop.app.id
        }

        func page(
            _ filter: ProductFilter = ProductFilter(), by order: ProductOrder = ProductOrder(),
            limit: Int = 10, _ cursor: String? = nil
        ) async throws -> ProductPage {
            let app = app
            return try await database.read {
                try $0.products.page(
                    of: app, filter, by: order, PageRequest(limit: limit, cursor: cursor))
            }
        }

        /// All pages from the first to the last.
        func pages(_ filter: ProductFilter, by order: ProductOrder) async throws -> [ProductPage] {
            var pages = [try await page(filter, by: order)]
            while let next = pages.last?.page.next, pages.count < 500 {
                pages.append(try await page(filter, by: order, next))
            }
            return pages
        }
    }

    static let orders: [ProductOrder] = ProductOrder.Key.allCases.flatMap {
        [ProductOrder($0), ProductOrder($0, isDescending: true)]
    }

    /// What the list is sorted by, as the database compares it.
    private static func key(_ product: ProductSummary, _ key: ProductOrder.Key) -> [String] {
        switch key {
        case .name: [product.referenceName.lowercased()]
        case .productID: [product.productID.text.lowercased()]
        case .type: [product.type.rawValue, product.referenceName.lowercased()]
        }
    }

    private static func isSorted(_ products: [ProductSummary], by order: ProductOrder) -> Bool {
        let keys = products.map { (key($0, order.key), $0.number) }
        return zip(keys, keys.dropFirst()).allSatisfy { left, right in
            let (first, second) = order.isDescending ? (right, left) : (left, right)
            return first.0 == second.0
                ? first.1 < second.1 : first.0.lexicographicallyPrecedes(second.0)
        }
    }

    /// With few products they are sorted here, with many by an index.
    @Test(arguments: StoreDriver.all, [57, 700])
    func `the pages of a list show each product once, in order`(
        driver: StoreDriver, count: Int
    ) async throws {
        let filters: [ProductFilter] =
            count > 100
            ? [ProductFilter(search: "item")]
            : [ProductFilter(), ProductFilter(states: [.readyToSubmit, .rejected])]
        let shop = try await ManyProducts(driver, count: count)
        for order in Self.orders {
            for filter in filters { try await Self.check(shop, count, filter, order) }
        }
    }

    private static func check(
        _ shop: ManyProducts, _ count: Int, _ filter: ProductFilter, _ order: ProductOrder
    ) async throws {
        let pages = try await shop.pages(filter, by: order)
        let products = pages.flatMap(\.page.items)
        #expect(products.count == (filter == ProductFilter() ? count + 4 : count))
        #expect(Set(products.map(\.number)).count == products.count)
        #expect(isSorted(products, by: order), "\(order)")
        #expect(pages.first?.previous == nil)
        #expect(pages.dropLast().allSatisfy { $0.page.items.count == 10 })
        // And back again.
        for (before, page) in zip(pages, pages.dropFirst()).suffix(3) {
            let cursor = try #require(page.previous)
            let back = try await shop.page(filter, by: order, cursor)
            #expect(back.page.items == before.page.items)
            #expect(back.page.next != nil)
            #expect((back.previous == nil) == (before.previous == nil))
        }
    }

    private static let filters: [(name: String, filter: ProductFilter)] = [
        ("an identifier", ProductFilter(productIDs: ["com.example.shop.item3", "none"])),
        ("a name", ProductFilter(names: ["Item 37", "item 37"])),
        ("states", ProductFilter(states: [.rejected])),
        ("types", ProductFilter(types: [.nonRenewingSubscription])),
        ("no state", ProductFilter(states: [])),
        ("part of a name", ProductFilter(search: "ITEM 3")),
        ("part of an identifier", ProductFilter(search: "shop.item5")),
        ("two letters", ProductFilter(search: "m5")),
        ("signs of the search", ProductFilter(search: "item%")),
        ("quotes", ProductFilter(search: "\"item\" OR x")),
        ("quotes with marks", ProductFilter(search: "no\"\u{301} OR item OR \"\u{301}")),
        (
            "everything at once",
            ProductFilter(
                states: [.readyToSubmit], types: [.consumable], search: "item1")
        ),
    ]

    @Test(arguments: StoreDriver.all, [30, 650])
    func `a filter leaves those that fulfil it`(driver: StoreDriver, count: Int) async throws {
        let shop = try await ManyProducts(driver, count: count)
        let all: [ProductSummary] = try await shop.pages(ProductFilter(), by: ProductOrder())
            .flatMap(\.page.items)
        for (name, filter) in Self.filters {
            let wanted: [ProductSummary] = all.filter { filter.includes($0) }
            let pages = try await shop.pages(filter, by: ProductOrder())
            #expect(pages.flatMap(\.page.items) == wanted, "\(name)")
            if let total = pages.first?.page.total { #expect(total == wanted.count, "\(name)") }
        }
    }

    @Test(arguments: StoreDriver.one)
    func `a search for U+0000 finds nothing, and is no error`(driver: StoreDriver) async throws {
        let shop = try await ManyProducts(driver, count: 3)
        let page = try await shop.page(ProductFilter(search: "item\0"))
        #expect(page.page.items.isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `a list has no deleted products, and none of other apps`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ManyProducts(driver, count: 3)
        let page = try await shop.page(ProductFilter(search: "item"))
        try #require(page.page.items.count == 3)
        let gone = page.page.items[1]
        try await shop.database.write { try $0.products.delete(gone.number, at: SeededShop.date) }
        let filters = [
            ProductFilter(), ProductFilter(search: "item"), ProductFilter(names: ["name"]),
            ProductFilter(productIDs: [gone.productID.text]), ProductFilter(states: [gone.state]),
        ]
        for filter in filters {
            let shown = try await shop.page(filter).page.items
            #expect(!shown.contains { $0.number == gone.number })
            #expect(shown.allSatisfy { $0.app == shop.app })
        }
        let counts = try await shop.database.read { try $0.products.counts(of: gone.app) }
        #expect(counts.values.reduce(0, +) == 6)
    }

    /// Where an index finds few products, they are counted; nobody counts those of a walk.
    @Test(arguments: StoreDriver.all)
    func `what other apps have much of is found without walking along the list`(
        driver: StoreDriver
    ) async throws {
        let shop = try await ManyProducts(driver, count: 3)
        let app = shop.app
        try await shop.database.write { repositories in
            let known = try repositories.catalog.app(app)
            let own = try #require(known)
            let other = try repositories.catalog.save(
                AppDraft(
                    teamID: own.teamID, bundleID: BundleID("com.example.crowd")!, name: "Crowd",
                    binaryState: own.binaryState, generation: 1))
            for number in 0..<300 {
                var draft = SeededShop.product(
                    ProductID("com.example.crowd.gem\(number)")!, .consumable)
                draft.referenceName = "Gem \(number)"
                try repositories.catalog.save(draft, in: other.id)
            }
            var draft = SeededShop.product(ProductID("com.example.shop.one")!, .consumable)
            draft.referenceName = "One gem"
            try repositories.catalog.save(draft, in: app)
        }
        let found = try await shop.page(ProductFilter(search: "gem"))
        #expect(found.page.items.map(\.referenceName) == ["One gem"])
        #expect(found.page.total == 1)
        // How the index knows an app is nothing that can be searched for.
        let app1 = try await shop.page(ProductFilter(search: ":\(app.number):"))
        #expect(app1.page.items.isEmpty)
    }

    @Test(arguments: StoreDriver.all)
    func `a renamed product is found by its new name only`(driver: StoreDriver) async throws {
        let shop = try await ManyProducts(driver, count: 3)
        let product = try #require(try await shop.page().page.items.first)
        try await shop.database.write {
            try $0.products.setDetails(
                referenceName: "Zebra", reviewNote: "", isFamilyShareable: false,
                of: product.number)
        }
        let found = try await shop.page(ProductFilter(search: "zebr"))
        #expect(found.page.items.map(\.number) == [product.number])
        let old = try await shop.page(ProductFilter(search: product.referenceName))
        #expect(!old.page.items.contains { $0.number == product.number })
    }

    @Test(
        arguments: StoreDriver.one,
        ["", "x", "a/1//", "c/1//name", "a/x//name", "a/1/type/name", "12", "a/1"])
    func `a made-up cursor is refused, or shows what is behind it`(
        driver: StoreDriver, cursor: String
    ) async throws {
        let shop = try await ManyProducts(driver, count: 3)
        do {
            let page = try await shop.page(ProductFilter(), by: ProductOrder(), cursor)
            #expect(cursor == "a/1//" && page.page.items.count == 7)
        } catch let refusal as ConnectRefusal {
            #expect(refusal.rule == "cursor")
        }
    }
}
