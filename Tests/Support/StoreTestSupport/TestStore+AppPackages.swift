import Foundation
@testable import StoreCore
import StoreModel
import StoreSecurity
import StoreServer

extension TestStore {
    /// Puts a version of the sample shop's app on sale, free, with a build whose file customers get.
    ///
    /// - Parameters:
    ///   - package: the file's bytes.
    ///   - name: the file's, whose ending says the format.
    /// - Returns: the app's item.
    @discardableResult
    package func sellApp(
        _ version: String, package bytes: Data, named name: String = "App.tar.zst"
    ) async throws -> ItemID {
        let file = try folder.write("upload/\(version)/\(name)", bytes)
        let number = ContentVersion(version)!
        let date = Date()
        let digest = ContentDigest(SHA256Digest.hex(bytes))!
        let earlier = try await store.database.read { repositories in
            let app = try repositories.catalog.app(SampleShop.bundleID)!
            return try repositories.buildDeliveries.deliveries(of: app.id)
                .map(\.delivery.manifestDigest)
        }
        let delivery = try store.accept(
            app: file, named: name, digest: digest, of: SampleShop.bundleID, version: number,
            after: earlier, at: date, progress: { _ in }, proceed: {})
        return try await store.database.write { repositories in
            let app = try repositories.catalog.app(SampleShop.bundleID)!
            for var old in try repositories.appVersions.versions(of: app.id)
            where old.state == .readyForSale {
                old.state = .replacedWithNewVersion
                try repositories.appVersions.update(old)
            }
            var new = AppVersion(
                id: AppVersionID(UUID()), app: app.id, platform: .linux, version: number,
                created: date)
            try repositories.appVersions.insert(new)
            let build = AppBuild(
                id: AppBuildID(UUID()), version: new.id, number: number, digest: digest,
                size: Int64(bytes.count), uploaded: date)
            try repositories.appVersions.insert(build)
            try repositories.buildDeliveries.insert(delivery, of: build.id)
            (new.build, new.submitted, new.released) = (build.id, date, date)
            new.state = .readyForSale
            try repositories.appVersions.update(new)
            try repositories.completeApp(app.id, at: date)
            let id = ItemID(number: app.id.number)
            var item = try repositories.items.item(id)!
            item.state = .onSale
            try repositories.items.update(item, at: date)
            return id
        }
    }
}
