import Foundation
import StoreAPI
import StoreCore
import StoreModel

extension Store {
    package var profileSigner: any ProfileSigner {
        SignedProfiles(signer: services.signer, names: services.environmentNames)
    }

    /// Makes a provisioning profile for an app.
    ///
    /// - Parameters:
    ///   - applicationIdentifier: what it is made for; nil for exactly the bundle identifier.
    ///   - address: scheme, host and port that devices reach the store at.
    ///   - generation: of the app's configuration; nil for the current one.
    /// - Returns: the text of the file.
    /// - Throws: `StoreRefusal` for an app that the store does not know.
    package func makeProfile(
        bundleID: BundleID, applicationIdentifier: ApplicationIdentifier? = nil,
        environment: StoreEnvironment, address: String, generation: Int? = nil,
        days: Int = 365
    ) async throws -> String {
        let found = try await database.read { repositories in
            try repositories.catalog.app(bundleID).map { app in
                (app: app, identifier: try repositories.bundleIdentifiers.explicit(bundleID.text))
            }
        }
        guard let found else { throw StoreRefusal.unknownApp(bundleID) }
        let now = clock.now()
        return try profileSigner.sign(
            ProfileContent(
                name: "\(found.app.name) \(environment.word)", bundleID: bundleID,
                applicationIdentifier: applicationIdentifier
                    ?? ApplicationIdentifier(bundleID),
                environment: environment, address: address,
                allowsInAppPurchase: found.identifier?.allowsInAppPurchase ?? true,
                generation: generation ?? found.app.generation, created: now,
                expires: now.addingTimeInterval(TimeInterval(days) * 86_400)))
    }
}

/// What the operator asked for and the store can't do.
package enum StoreRefusal: Error, Sendable, CustomStringConvertible {
    case unknownApp(BundleID)
    case noCommonBundleID
    case contentWithoutProduct(String)
    case contentOfOtherProduct(folder: String, product: ProductID)
    case noContentFolder(String)

    package var description: String {
        switch self {
        case .unknownApp(let id):
            "The store has no app \(id); import its catalog first (openstore catalog import)."
        case .noCommonBundleID:
            "The bundle identifier can't be derived from the product identifiers: they don't all begin "
                + "with the same two or more parts, such as com.example. Give it with --bundle-id."
        case .contentWithoutProduct(let folder):
            "There is content in the folder \"\(folder)\", but the catalog has no product of this "
                + "name; a folder of content is named after its product."
        case .contentOfOtherProduct(let folder, let product):
            "The content in the folder \"\(folder)\" says that it belongs to \(product); correct "
                + "IAPProductIdentifier in its ContentInfo.plist."
        case .noContentFolder(let path):
            "There is no folder \(path); --content names one that holds a folder for each product "
                + "with hosted content."
        }
    }
}
