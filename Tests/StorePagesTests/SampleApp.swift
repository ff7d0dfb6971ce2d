import StoreCore
import StoreModel
import StoreTestSupport
import Testing

extension StoreRepositories {
    /// The app of the sample shop.
    func sampleApp(sourceLocation: SourceLocation = #_sourceLocation) throws -> App {
        try #require(try catalog.app(SampleShop.bundleID), sourceLocation: sourceLocation)
    }
}
