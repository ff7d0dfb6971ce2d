import StoreCore
import StoreModel
import Testing

/// All products of an app, given out a part at a time.
@Suite(.usesDrivers) struct ProductExportTests {
    private func all(
        _ scene: ImportScene, types: [ProductType]? = nil, by actor: ConnectActor? = nil
    ) async throws -> (ids: [String], parts: Int) {
        let service = ProductExportService(database: scene.shop.database, clock: scene.shop.clock)
        var export = ProductExport(
            of: scene.app, types: types, by: actor ?? scene.shop.actor())
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
        let scene = try await ImportScene(driver)
        let more = (0..<250).map { ListedProduct.sample("com.example.shop.gem\(1000 + $0)") }
        _ = try await scene.run(more)
        let deleted = try #require(try await scene.record("com.example.shop.gem1100")).number
        try await scene.shop.products.delete(deleted, by: scene.shop.actor())
        let export = try await all(scene)
        #expect(export.parts > 2)
        #expect(export.ids == export.ids.sorted())
        #expect(Set(export.ids).count == export.ids.count)
        #expect(export.ids.filter { $0.contains(".gem1") }.count == 249)
        let seasons = try await all(scene, types: [.nonRenewingSubscription])
        #expect(seasons.ids == ["com.example.shop.season"])
    }

    @Test(arguments: StoreDriver.all)
    func `strangers get nothing`(driver: StoreDriver) async throws {
        let scene = try await ImportScene(driver)
        let refusal = await #expect(throws: ConnectRefusal.self) {
            try await all(scene, by: scene.shop.stranger)
        }
        #expect(refusal?.kind == .notFound)
    }
}
