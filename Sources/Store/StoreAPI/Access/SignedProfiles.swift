import Foundation
import StoreCore
import StoreModel
import StoreSecurity
import StoreWire

/// Makes provisioning profiles as this store's devices and `ProfileGate` read them.
package struct SignedProfiles: ProfileSigner {
    private let signer: JWSSigner
    private let names: EnvironmentNames

    package init(signer: JWSSigner, names: EnvironmentNames = .standard) {
        self.signer = signer
        self.names = names
    }

    package func sign(_ content: ProfileContent) throws -> String {
        let identifier = content.applicationIdentifier
        var profile = ProfilePayload(
            name: content.name, bundleId: content.bundleID ?? Self.bundleID(of: identifier),
            applicationIdentifier: identifier, environment: content.environment,
            baseURL: content.address + content.environment.pathPrefix,
            entitlements: content.allowsInAppPurchase ? [ProfilePayload.inAppPurchase] : [],
            generation: content.generation, signedDate: content.created.milliseconds,
            expirationDate: content.expires.milliseconds)
        if names != .standard {
            profile.environmentName = names.name(of: content.environment)
        }
        return try signer.sign(try WireCoding.encode(profile), type: SignedKind.profile)
    }

    /// What an app with the profile calls itself where it can't say so: a wildcard has no
    /// name of its own, so all apps under it share that of its beginning.
    private static func bundleID(of identifier: ApplicationIdentifier) -> BundleID {
        let text = identifier.text
        return BundleID(text) ?? BundleID(String(text.dropLast(2))) ?? BundleID("wildcard")!
    }
}
