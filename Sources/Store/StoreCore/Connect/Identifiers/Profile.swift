import Foundation
import StoreDatabase
import StoreModel

/// What a provisioning profile is for, spelled as in App Store Connect's API, which has no Linux.
package enum ProfileType: String, Sendable, Hashable, CaseIterable, TextColumnValue {
    case linuxDevelopment = "LINUX_APP_DEVELOPMENT"
    case linuxStore = "LINUX_APP_STORE"
    case iOSDevelopment = "IOS_APP_DEVELOPMENT"
    case iOSStore = "IOS_APP_STORE"
    case iOSAdHoc = "IOS_APP_ADHOC"
    case iOSInHouse = "IOS_APP_INHOUSE"
    case macDevelopment = "MAC_APP_DEVELOPMENT"
    case macStore = "MAC_APP_STORE"
    case macDirect = "MAC_APP_DIRECT"
    case tvDevelopment = "TVOS_APP_DEVELOPMENT"
    case tvStore = "TVOS_APP_STORE"
    case tvAdHoc = "TVOS_APP_ADHOC"
    case tvInHouse = "TVOS_APP_INHOUSE"
    case catalystDevelopment = "MAC_CATALYST_APP_DEVELOPMENT"
    case catalystStore = "MAC_CATALYST_APP_STORE"
    case catalystDirect = "MAC_CATALYST_APP_DIRECT"

    /// Whether it is for trying an app out.
    package var isDevelopment: Bool {
        switch self {
        case .linuxDevelopment, .iOSDevelopment, .macDevelopment, .tvDevelopment,
            .catalystDevelopment:
            true
        default: false
        }
    }

    /// What an app with it talks to. Builds for registered devices are for trying out, too.
    package var environment: StoreEnvironment {
        switch self {
        case .iOSAdHoc, .tvAdHoc: .sandbox
        default: isDevelopment ? .sandbox : .production
        }
    }

    package var platform: BundleIdentifierPlatform {
        switch self {
        case .linuxDevelopment, .linuxStore: .linux
        case .iOSDevelopment, .iOSStore, .iOSAdHoc, .iOSInHouse, .tvDevelopment, .tvStore,
            .tvAdHoc, .tvInHouse:
            .iOS
        case .macDevelopment, .macStore, .macDirect, .catalystDevelopment, .catalystStore,
            .catalystDirect:
            .macOS
        }
    }

    /// Who may make and delete it.
    package var permission: ConnectPermission {
        isDevelopment ? .manageDevelopmentProfiles : .manageDistributionProfiles
    }

    /// The name that people read.
    package var title: String {
        switch self {
        case .linuxDevelopment: "Linux App Development"
        case .linuxStore: "Linux App Store"
        case .iOSDevelopment: "iOS App Development"
        case .iOSStore: "iOS App Store"
        case .iOSAdHoc: "iOS Ad Hoc"
        case .iOSInHouse: "iOS In-House"
        case .macDevelopment: "Mac App Development"
        case .macStore: "Mac App Store"
        case .macDirect: "Mac Direct Distribution"
        case .tvDevelopment: "tvOS App Development"
        case .tvStore: "tvOS App Store"
        case .tvAdHoc: "tvOS Ad Hoc"
        case .tvInHouse: "tvOS In-House"
        case .catalystDevelopment: "Mac Catalyst Development"
        case .catalystStore: "Mac Catalyst App Store"
        case .catalystDirect: "Mac Catalyst Direct Distribution"
        }
    }
}

/// A provisioning profile that the store has made.
package struct Profile: Sendable, Hashable {
    package let id: ProfileID
    package let team: Int64
    package let name: String
    package let type: ProfileType
    /// A UUID in small letters; another one each time it is made anew.
    package var uuid: String
    /// Nil where the bundle identifier was deleted.
    package let bundleIdentifier: BundleIdentifierID?
    /// What it was made for.
    package let identifier: ApplicationIdentifier
    /// Of the bundle identifier, when it was made.
    package var generation: Int
    /// Of the bundle identifier now; nil where it was deleted.
    package let currentGeneration: Int?
    /// The signed file.
    package var content: String
    package var created: Date
    package var expires: Date

    /// What is wrong with it; nil while it is in force.
    package func flaw(at date: Date) -> ProfileFlaw? {
        guard let currentGeneration else { return .identifierDeleted }
        if currentGeneration > generation { return .identifierChanged }
        return expires <= date ? .expired : nil
    }
}

/// Read with the current generation of its bundle identifier; nil if that was deleted.
extension Profile: Record {
    package static let table: StaticString = "profile"
    package static let source: StaticString = """
        (SELECT p.*, b.generation AS current_generation
            FROM profile p LEFT JOIN bundle_identifier b ON b.id = p.bundle_identifier) profiles
        """

    package init(_ column: borrowing RecordColumns<Self>) throws {
        id = try column("id", \.id, .key)
        team = try column("team", \.team, .immutable)
        name = try column("name", \.name, .immutable)
        type = try column("type", \.type, .immutable)
        uuid = try column("uuid", \.uuid)
        bundleIdentifier = try column("bundle_identifier", \.bundleIdentifier, .immutable)
        identifier = try column("identifier", \.identifier, .immutable)
        generation = try column("generation", \.generation)
        currentGeneration = try column("current_generation", \.currentGeneration, .joined)
        content = try column("content", \.content)
        created = try column("created", \.created)
        expires = try column("expires", \.expires)
    }
}

/// Why a profile is of no use any longer.
package enum ProfileFlaw: Sendable, Hashable, CaseIterable {
    case identifierDeleted
    case identifierChanged
    case expired

    /// One sentence for people.
    package var message: String {
        switch self {
        case .identifierDeleted: "Its bundle identifier was deleted."
        case .identifierChanged:
            "In-app purchase was switched on or off for its bundle identifier since it was made."
        case .expired: "It has expired."
        }
    }

    /// Whether the profile can be made anew.
    package var isMendable: Bool { self != .identifierDeleted }
}

/// A profile to be made.
package struct ProfileDraft: Sendable, Hashable {
    package var name: String
    package var type: ProfileType
    package var bundleIdentifier: BundleIdentifierID

    package init(name: String, type: ProfileType, bundleIdentifier: BundleIdentifierID) {
        self.name = name
        self.type = type
        self.bundleIdentifier = bundleIdentifier
    }
}

/// Which profiles are wanted; an empty list of values stands for all.
package struct ProfileQuery: Sendable, Hashable {
    package enum Key: String, Sendable, Hashable, CaseIterable {
        case name, profileType, profileState, id
    }

    package var ids: [ProfileID] = []
    package var names: [String] = []
    package var types: [ProfileType] = []
    /// Nil for both those in force and the other ones.
    package var isInForce: Bool?
    package var bundleIdentifier: BundleIdentifierID?
    package var order: ListOrder<Key> = ListOrder(.name)

    package init() {}
}
