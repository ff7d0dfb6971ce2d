import StoreCore
import StoreModel

/// What the pages of the portal work with.
///
/// A subject reaches its service by an extension:
/// ```swift
/// extension PortalServices {
///     var kept: KeptService { KeptService(database: database, clock: clock) }
/// }
/// ```
package struct PortalServices: Sendable {
    package let database: any ShopDatabase
    package let content: any ContentStore
    /// Screenshots and images of products.
    package let pictures: any PictureFiles
    package let assets: AssetService
    package let clock: any StoreClock
    package let vault: any CredentialVault
    /// Makes provisioning profiles.
    package let profileSigner: any ProfileSigner
    /// Teams, members, invitations, agreements and keys.
    package let people: PeopleServices
    /// Who is signed in.
    package let sessions: any ConnectSessions
    /// Makes the tokens of forms, and names of files.
    package let tokens: PageSessionService
    /// Tells which files versions of content have; nil where nobody can.
    package let readManifest: ManifestReader?
    /// Takes packages of content from browsers; nil where nobody can.
    package let packages: (any PackageReceiver)?
    /// What customers browse and buy on the store's pages.
    package let storefront: PortalStorefront
    /// Clocks that testers follow.
    package let sandboxClocks: SandboxClockService
    /// What apps' servers are told.
    package let notifications: PortalNotifications
    /// Hears of what broke, for the log; pages say less.
    package let report: @Sendable (String) -> Void

    /// - Parameter sessions: tells who is signed in, where that is not up to `people`.
    package init(
        database: any ShopDatabase, content: any ContentStore, pictures: any PictureFiles,
        assets: AssetService, clock: any StoreClock, vault: any CredentialVault,
        profileSigner: any ProfileSigner,
        people: PeopleServices,
        sessions: (any ConnectSessions)? = nil, tokens: PageSessionService,
        readManifest: ManifestReader? = nil, packages: (any PackageReceiver)? = nil,
        storefront: PortalStorefront, sandboxClocks: SandboxClockService,
        notifications: PortalNotifications,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.database = database
        self.content = content
        self.pictures = pictures
        self.assets = assets
        self.clock = clock
        self.vault = vault
        self.profileSigner = profileSigner
        self.people = people
        self.sessions = sessions ?? people.sessions
        self.tokens = tokens
        self.readManifest = readManifest
        self.packages = packages
        self.storefront = storefront
        self.sandboxClocks = sandboxClocks
        self.notifications = notifications
        self.report = report
    }
}
