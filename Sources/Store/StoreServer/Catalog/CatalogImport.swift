import Foundation
import StoreAPI
import StoreCore
import StoreModel
import StorePackage
import StoreWire

/// What an import did.
package struct CatalogImportReport: Sendable {
    /// When it was done.
    package let date: Date
    package let app: App
    package let products: [ProductDraft]
    package let releases: [ProductID: ContentRelease]
    /// The newest version of hosted content, from this import or from before.
    package let contentVersions: [ProductID: ContentVersion]
    /// What the publisher should know.
    package let warnings: [String]
}

extension Store {
    /// Imports a `.storekit` file, and hosted content from a folder beside it.
    ///
    /// All of it is checked first; the catalog changes in one transaction or not at all.
    ///
    /// - Parameters:
    ///   - content: holds a folder for each product with hosted content, named after it.
    ///   - bundleID: nil for what the product identifiers begin with in common.
    ///   - isApproved: whether the products go on sale in production at once.
    ///   - isForTests: whether nobody pays, and products are to be had in every storefront.
    package func importCatalog(
        configuration data: Data, content: URL? = nil, bundleID: BundleID? = nil,
        appName: String? = nil, teamName: String = "Publisher", isApproved: Bool = false,
        isForTests: Bool = false
    ) async throws -> CatalogImportReport {
        let configuration = try StoreKitConfiguration(data: data)
        guard let bundleID = bundleID ?? configuration.commonBundleID else {
            throw StoreRefusal.noCommonBundleID
        }
        var warnings: [String] = []
        var draft = CatalogDraft(
            configuration, teamName: teamName, bundleID: bundleID,
            appName: appName, state: isApproved ? .approved : .readyToSubmit,
            isForTests: isForTests, warnings: &warnings)
        let known = try await services.catalog.catalog(of: bundleID)?.products ?? [:]
        if let content {
            draft.releases = try acceptFolders(
                in: content, for: draft, after: known.mapValues(\.releases))
        }
        let listed = Set(draft.products.map(\.productID))
        let others = known.values.filter { !$0.isDeleted }.map(\.details.productID)
            .filter { !listed.contains($0) }
        if !others.isEmpty {
            warnings.append(StoreKitConfiguration.leftSentence(others.map(\.text).sorted()))
        }
        let now = clock.now()
        let app = try await services.catalog.apply(draft, files: self.content, at: now)
        return CatalogImportReport(
            date: now, app: app, products: draft.products, releases: draft.releases,
            contentVersions: draft.releases.mapValues(\.version)
                .merging(known.compactMapValues { $0.releases.map(\.version).max() }) {
                    max($0, $1)
                },
            warnings: warnings)
    }

    private func acceptFolders(
        in content: URL, for draft: CatalogDraft, after earlier: [ProductID: [ContentRelease]]
    ) throws -> [ProductID: ContentRelease] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: content.path) else {
            throw StoreRefusal.noContentFolder(content.path)
        }
        let types = Dictionary(
            uniqueKeysWithValues: draft.products.map { ($0.productID, $0.type) })
        var releases: [ProductID: ContentRelease] = [:]
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in names.sorted() where !name.hasPrefix(scalars: ".") {
            let source = content.appendingPathComponent(name)
            var isDirectory: ObjCBool = false
            guard FileManager.default.fileExists(atPath: source.path, isDirectory: &isDirectory),
                isDirectory.boolValue
            else { continue }
            guard let id = ProductID(name), let type = types[id] else {
                throw StoreRefusal.contentWithoutProduct(name)
            }
            guard type == .nonConsumable else { throw ContentRefusal.notHostable(id, type) }
            let package = folder.appendingPathComponent("\(name).pkg")
            try PackageBuilder(folder: source).build(to: package)
            let (info, release) = try accept(package: package, after: earlier[id] ?? [])
            guard info.productID == id else {
                throw StoreRefusal.contentOfOtherProduct(folder: name, product: info.productID)
            }
            // The same content over again is the release that there is, wherever its bytes
            // would lie today.
            let same = earlier[id]?.first { $0.version == release.version }
            releases[id] = same.flatMap { isSameContent($0, release) ? $0 : nil } ?? release
        }
        return releases
    }
}
