import StoreCore
import StoreModel
import Testing

/// All products of an app, given out a part at a time.
@Suite(.usesDrivers) struct ProductExportTests {
    private func all(
        _ fixture: ImportFixture, types: [ProductType]? = nil, by actor: ConnectActor? = nil
    ) async throws -> (ids: [String], parts: Int) {
        let service = ProductExportService(
            database: fixture.shop.database, clock: fixture.shop.clock)
        var export = ProductExport(
            of: fixture.app, types: types, by: actor ?? fixture.shop.actor())
        var ids: [String] = []
        var parts = 0
        while let records = try await service.next(&export) {
            ids += records.map(\.id.text)
            parts += 1
        }
        return (ids, parts)
    }

    @Test(arguments: StoreDriver.all)
    func `every product is given out once, by identifier, but deleted ones`(
        driver: StoreDriver
    ) async throws {
        let fixture = try await ImportFixture(driver)
        let more = (0..<250).map { ListedProduct.sample("com.example.shop.gem\(1000 + $0)") }
        _ = try await fixture.run(more)
        let deleted = try #require(try await fixture.record("com.example.shop.gem1100")).number
        try await fixture.shop.products.delete(deleted, by: fixture.shop.actor())
        let export = try await all(fixture)
        #expect(export.parts > 2)
        #expect(export.ids == export.ids.sorted())
        #expect(Set(export.ids).count == export.ids.count)
        #expect(export.ids.filter { $0.contains(".gem1") }.count == 249)
        let seasons = try await all(fixture, types: [.nonRenewingSubscription])
        #expect(seasons.ids == ["com.example.shop.season"])
    }

    @Test(arguments: StoreDriver.all)
    func `strangers get nothing`(driver: StoreDriver) async throws {
        let fixture = try await ImportFixture(driver)
        let refusal = await #expect(throws: ConnectRefusal.self) {
            try await all(fixture, by: fixture.shop.stranger)
        }
        #expect(refusal?.kind == .notFound)
    }
}
