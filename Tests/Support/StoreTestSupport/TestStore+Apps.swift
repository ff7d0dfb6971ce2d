import Foundation
@testable import StoreCore
import StoreModel
import StorePackageSamples
import StoreServer

extension TestStore {
    /// Lets families share a product of the sample shop.
    package func setShareable(_ product: String) async throws {
        try await store.database.write { repositories in
            let app = try repositories.sampleApp().id
            var details = try repositories.catalog.product(ProductID(product)!, in: app)!.details
            details.isFamilyShareable = true
            try repositories.catalog.save(details, in: app)
        }
    }

    /// Puts version 1.0 of the sample shop's app on sale, free, with a build of which nobody has the
    /// bytes.
    ///
    /// - Returns: the app's item.
    @discardableResult
    package func sellApp() async throws -> ItemID {
        let date = Date(timeIntervalSince1970: 1_400_000_000)
        return try await store.database.write { repositories in
            let app = try repositories.catalog.app(SampleShop.bundleID)!
            var version = AppVersion(
                id: AppVersionID(UUID()), app: app.id, platform: .linux,
                version: ContentVersion("1.0")!, created: date)
            try repositories.appVersions.insert(version)
            let build = AppBuildID(UUID())
            try repositories.appVersions.insert(
                AppBuild(
                    id: build, version: version.id, number: ContentVersion("1")!,
                    digest: ContentDigest(String(repeating: "e", count: 64))!, size: 1000,
                    uploaded: date))
            version.build = build
            version.submitted = date
            version.released = date
            version.state = .readyForSale
            try repositories.appVersions.update(version)
            try repositories.completeApp(app.id, at: date)
            let id = ItemID(number: app.id.number)
            var item = try repositories.items.item(id)!
            item.state = .onSale
            try repositories.items.update(item, at: date)
            return id
        }
    }

    /// Puts a version of the sample shop's app on sale, free, with a real file: a folder as
    /// `.tar.zst`.
    ///
    /// - Parameter data: what one of its files holds.
    /// - Returns: the app's item, the version and the file.
    @discardableResult
    package func deliverApp(
        _ number: String = "1.0", data: Data = Data("data".utf8)
    ) async throws -> (item: ItemID, version: AppVersionID, file: Data) {
        let versions = store.services.appVersions
        let app = try await store.database.read { try $0.catalog.app(SampleShop.bundleID)! }
        let version = AppVersionID(UUID())
        _ = try await versions.create(
            number, id: version, of: app.id, platform: .linux,
            AppVersionChange(whatsNew: "More."), by: .machine)
        let bytes = Self.appFile(number, data: data)
        let file = folder.file("app-\(number).tar.zst")
        try bytes.write(to: file)
        try await store.handIn(build: file, of: version, by: .machine)
        try await store.services.shop.write(as: .machine) { work in
            try work.completeApp(app.id, at: work.now)
            var subject = try work.version(version)
            try subject.submit()
            try subject.beginReview()
            try subject.approve()
            let id = ItemID(number: app.id.number)
            if var item = try work.items.item(id), item.state == .draft {
                item.state = .onSale
                try work.items.update(item, at: work.now)
            }
        }
        return (ItemID(number: app.id.number), version, bytes)
    }

    /// A good file of an app.
    package static func appFile(
        _ version: String, of bundleID: String = SampleShop.bundleID.text,
        data: Data = Data("data".utf8)
    ) -> Data {
        var entry = HandmadeApp.Entry("usr/share/lamp/data")
        entry.bytes = data
        return HandmadeApp.good(bundleID, version: version).with(entry).tarZstd
    }
}
