import StoreModel

/// The payload of a provisioning profile: which app may talk to which environment of
/// which store.
package struct ProfilePayload: Codable, Sendable, Hashable {
    package var name: String
    package var bundleId: BundleID
    package var applicationIdentifier: ApplicationIdentifier
    package var environment: StoreEnvironment
    /// How the store's statements name the environment; `nil` if by its own name.
    package var environmentName: String?
    /// What device paths are appended to, for example `https://host/sandbox`.
    package var baseURL: String
    package var entitlements: [String]
    /// The generation of the app's configuration that the profile was made for. One made
    /// before in-app purchase was switched on has a lower number than the app's.
    package var generation: Int
    package var signedDate: Int64
    package var expirationDate: Int64

    package init(
        name: String, bundleId: BundleID, applicationIdentifier: ApplicationIdentifier,
        environment: StoreEnvironment, baseURL: String, entitlements: [String], generation: Int,
        signedDate: Int64, expirationDate: Int64
    ) {
        self.name = name
        self.bundleId = bundleId
        self.applicationIdentifier = applicationIdentifier
        self.environment = environment
        self.baseURL = baseURL
        self.entitlements = entitlements
        self.generation = generation
        self.signedDate = signedDate
        self.expirationDate = expirationDate
    }

    /// The environment that statements for the app have to name.
    package var statementEnvironment: String { environmentName ?? environment.rawValue }
}
