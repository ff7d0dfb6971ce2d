import Foundation
import StoreAPI
import StoreModel
import StoreSecurity
import StoreWire

extension Store {
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
        let app = try await database.read { try $0.catalog.app(bundleID) }
        guard let app else { throw StoreRefusal.unknownApp(bundleID) }
        let now = clock.now()
        let profile = ProfilePayload(
            name: "\(app.name) \(environment.word)", bundleId: bundleID,
            applicationIdentifier: applicationIdentifier
                ?? ApplicationIdentifier(bundleID.text)!,
            environment: environment,
            baseURL: address + environment.pathPrefix,
            entitlements: [ProfilePayload.inAppPurchase],
            generation: generation ?? app.generation, signedDate: now.milliseconds,
            expirationDate: now.addingTimeInterval(TimeInterval(days) * 86_400).milliseconds)
        return try services.signer.sign(
            try WireCoding.encode(profile), type: SignedKind.profile)
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
            "The product identifiers don't begin alike, so they don't tell the app's bundle "
                + "identifier; say it with --bundle-id."
        case .contentWithoutProduct(let folder):
            "There is content in the folder \"\(folder)\", but the catalog has no product of this "
                + "name; a folder of content is named after its product."
        case .contentOfOtherProduct(let folder, let product):
            "The content in the folder \"\(folder)\" says that it belongs to \(product); correct "
                + "IAPProductIdentifier in its ContentInfo.plist."
        case .noContentFolder(let path):
            "There is no folder \(path)."
        }
    }
}
