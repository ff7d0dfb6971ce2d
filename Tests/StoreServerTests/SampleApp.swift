import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreServer
import StoreTestSupport
import Testing

extension Store {
    /// What devices see of the sample shop's app.
    func sampleCatalog(
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> AppCatalog {
        let catalog = try await services.catalog.catalog(of: SampleShop.bundleID)
        return try #require(catalog, sourceLocation: sourceLocation)
    }
}

extension ContentDigest {
    static func of(_ bytes: Data) throws -> ContentDigest {
        try #require(ContentDigest(SHA256Digest.hex(bytes)))
    }
}
