import Foundation
import StoreContent
import StoreCore
import StoreModel
import StoreServer
import StoreTestSupport

/// A store in a folder of its own that nobody listens for, with nothing in its catalog.
final class OpenedStore: Sendable {
    let folder: TemporaryFolder
    let store: Store
    let clock = SettableClock()

    init(objects: ObjectStorage? = nil, room: DiskRoom = DiskRoom()) async throws {
        folder = try TemporaryFolder()
        try PreparedDatabase.install(into: folder.file("store"))
        try await PreparedKeys.install(into: folder.file("store"), clock: clock)
        store = try Store(
            directory: folder.file("store"), objects: objects, clock: clock,
            vault: OpenSSLVault.forTests, log: .silent, room: room)
    }

    deinit {
        store.close()
    }

    @discardableResult
    func importShop(
        _ configuration: Data = SampleShop.configuration, content: URL? = nil,
        isApproved: Bool = false
    ) async throws -> CatalogImportReport {
        try await store.importCatalog(
            configuration: configuration, content: content, bundleID: SampleShop.bundleID,
            appName: "Sample shop", isApproved: isApproved)
    }

    func product(_ id: String) async throws -> Product? {
        try await picture().products.first { $0.details.productID.text == id }
    }

    /// What apps can see of the catalog, with its generation.
    func picture() async throws -> CatalogSnapshot {
        let generation = try await store.database.catalogGeneration()
        let catalog = try await store.services.catalog.catalog(of: SampleShop.bundleID)
        let products = catalog.map { Array($0.products.values) } ?? []
        return CatalogSnapshot(
            generation: generation,
            products: products.sorted { $0.details.productID < $1.details.productID })
    }

    struct CatalogSnapshot: Equatable {
        let generation: Int64
        let products: [Product]
    }
}

/// A folder of hosted content, as a publisher keeps it.
struct ContentFolder {
    let folder: TemporaryFolder
    var url: URL { folder.file("content") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Adds the content of a product; `text` makes its bytes differ.
    func add(
        _ name: String, product: String? = nil, version: String = "1.0", text: String = "text"
    ) throws {
        try folder.write(
            "content/\(name)/ContentInfo.plist",
            SampleShop.contentInfo(product ?? name, version: version))
        try folder.write("content/\(name)/Contents/text.txt", text)
    }
}
