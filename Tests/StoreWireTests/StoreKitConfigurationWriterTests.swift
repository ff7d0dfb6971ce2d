import Foundation
import StoreModel
import Testing

@testable import StoreWire

@Suite("StoreKit configuration, as it is written")
struct StoreKitConfigurationWriterTests {
    private func written(_ items: [StoreKitConfiguration.Item]) throws -> StoreKitConfiguration {
        var data = Data()
        var writer = try StoreKitConfigurationWriter(
            storefront: .named("DEU")!, locale: "de_DE"
        ) { data += $0 }
        try writer.begin(.nonRenewingSubscriptions)
        for item in items where item.type == .nonRenewingSubscription { try writer.add(item) }
        try writer.begin(.products)
        for item in items where item.type == .consumable || item.type == .nonConsumable {
            try writer.add(item)
        }
        try writer.finish(subscriptions: items.filter { $0.subscription != nil })
        return try StoreKitConfiguration(data: data)
    }

    @Test(arguments: ["1.0", "1.1", "1.2", "2.0", "3.0", "4.0", "5.0"])
    func `what was read is written and read again alike`(_ version: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/version-\(version).storekit")
        let items = try StoreKitConfiguration(data: Data(contentsOf: file)).items
        let again = try written(items)
        // Prices are of the storefront that the file is written for.
        let expected = items.map { item in
            var item = item
            for index in (item.subscription?.offers ?? []).indices
            where item.subscription?.offers[index].territory != nil {
                item.subscription?.offers[index].territory = "DEU"
            }
            return item
        }
        #expect(Set(again.items) == Set(expected))
        #expect(again.items.count == items.count)
        #expect(again.storefront.code == "DEU")
        #expect(again.locale == "de_DE")
        #expect(again.version.major == 3)
    }

    @Test func `a file without items is one`() throws {
        #expect(try written([]).items == [])
    }

    @Test(arguments: [0, 10, 990, 1000, 1500, 12_340, 999_990, 118_800_000] as [Int64])
    func `prices keep their thousandths`(_ thousandths: Int64) throws {
        let item = StoreKitConfiguration.Item(
            productID: ProductID("p")!, type: .consumable, referenceName: "\"\\\n",
            isFamilyShareable: false, texts: [], thousandths: thousandths, subscription: nil)
        #expect(try written([item]).items == [item])
    }
}
