import Foundation
import StoreModel

/// Makes the file that tells an app its store.
package protocol ProfileSigner: Sendable {
    /// The text of the file.
    func sign(_ content: ProfileContent) throws -> String
}

/// What stands in a provisioning profile.
package struct ProfileContent: Sendable, Hashable {
    package var name: String
    /// The app's; nil for the one that the application identifier says.
    package var bundleID: BundleID?
    package var applicationIdentifier: ApplicationIdentifier
    package var environment: StoreEnvironment
    /// Scheme, host and port that devices reach the store at.
    package var address: String
    package var allowsInAppPurchase: Bool
    package var generation: Int
    package var created: Date
    package var expires: Date

    package init(
        name: String, bundleID: BundleID? = nil, applicationIdentifier: ApplicationIdentifier,
        environment: StoreEnvironment, address: String, allowsInAppPurchase: Bool,
        generation: Int, created: Date, expires: Date
    ) {
        self.name = name
        self.bundleID = bundleID
        self.applicationIdentifier = applicationIdentifier
        self.environment = environment
        self.address = address
        self.allowsInAppPurchase = allowsInAppPurchase
        self.generation = generation
        self.created = created
        self.expires = expires
    }
}
