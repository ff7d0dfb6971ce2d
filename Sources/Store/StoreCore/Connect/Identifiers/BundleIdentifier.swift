import StoreDatabase
import StoreModel

/// A bundle identifier that a team has registered: what apps are made from, and profiles for.
package struct BundleIdentifier: Sendable, Hashable {
    package let id: BundleIdentifierID
    package let team: Int64
    /// Explicit, or a wildcard.
    package let identifier: ApplicationIdentifier
    package var name: String
    package let platform: BundleIdentifierPlatform
    /// Grows with what makes older profiles out of date.
    package var generation: Int
    /// The app that was made from it.
    package let app: AppID?
    package let allowsInAppPurchase: Bool

    package var isWildcard: Bool { identifier.isWildcard }
    package var seedID: TeamPrefix { TeamPrefix(team: team) }
}

extension BundleIdentifier: Record {
    package static let table: StaticString = "bundle_identifier"
    package static let source: StaticString = """
        (SELECT b.*, ifnull(b.own_platform, b.platform) AS shown_platform, a.id AS app,
            EXISTS (SELECT 1 FROM bundle_capability c
                WHERE c.identifier = b.id AND c.type = 'IN_APP_PURCHASE') AS allows_in_app_purchase
            FROM bundle_identifier b LEFT JOIN app a ON a.identifier = b.id) bundle_identifiers
        """

    /// Linux is kept in `own_platform`; `platform` then says UNIVERSAL.
    private var ownPlatform: BundleIdentifierPlatform? { platform == .linux ? platform : nil }
    private var applePlatform: BundleIdentifierPlatform {
        ownPlatform == nil ? platform : .universal
    }

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        team = try column("team", \.team, .immutable)
        identifier = try column("identifier", \.identifier, .immutable)
        name = try column("name", \.name)
        platform = try column("shown_platform", \.platform, .joined)
        column.derived("platform", \.applePlatform)
        column.derived("own_platform", \.ownPlatform)
        generation = try column("generation", \.generation)
        app = try column("app", \.app, .joined)
        allowsInAppPurchase = try column(
            "allows_in_app_purchase", \.allowsInAppPurchase, .joined)
    }
}

/// What a bundle identifier is for, spelled as in App Store Connect's API, which has no Linux.
package enum BundleIdentifierPlatform: String, Sendable, Hashable, CaseIterable, TextColumnValue {
    case linux = "LINUX"
    case iOS = "IOS"
    case macOS = "MAC_OS"
    case universal = "UNIVERSAL"
    /// Web services, which have no app.
    case services = "SERVICES"

    /// The name that people read.
    package var title: String {
        switch self {
        case .linux: "Linux"
        case .iOS: "iOS"
        case .macOS: "macOS"
        case .universal: "All platforms"
        case .services: "Services"
        }
    }
}

/// A bundle identifier to be registered.
package struct BundleIdentifierDraft: Sendable, Hashable {
    package var identifier: String
    package var name: String
    package var platform: BundleIdentifierPlatform
    /// The team's prefix; nil for the one that it has.
    package var seedID: String?

    package init(
        identifier: String, name: String, platform: BundleIdentifierPlatform,
        seedID: String? = nil
    ) {
        self.identifier = identifier
        self.name = name
        self.platform = platform
        self.seedID = seedID
    }
}

/// Which bundle identifiers are wanted; an empty list of values stands for all.
package struct BundleIdentifierQuery: Sendable, Hashable {
    package enum Key: String, Sendable, Hashable, CaseIterable {
        case name, platform, identifier, seedId, id
    }

    package var ids: [BundleIdentifierID] = []
    package var names: [String] = []
    package var identifiers: [String] = []
    package var platforms: [BundleIdentifierPlatform] = []
    package var seedIDs: [TeamPrefix] = []
    /// A part of the name or of the identifier, in any case.
    package var search: String?
    package var order: ListOrder<Key> = ListOrder(.name)

    package init() {}
}
