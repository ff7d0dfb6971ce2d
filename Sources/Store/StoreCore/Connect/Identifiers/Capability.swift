import StoreDatabase

/// What a bundle identifier can be allowed to use, spelled as in App Store Connect's API.
package enum CapabilityType: String, Sendable, Hashable, CaseIterable, TextColumnValue {
    case iCloud = "ICLOUD"
    case inAppPurchase = "IN_APP_PURCHASE"
    case gameCenter = "GAME_CENTER"
    case pushNotifications = "PUSH_NOTIFICATIONS"
    case wallet = "WALLET"
    case interAppAudio = "INTER_APP_AUDIO"
    case maps = "MAPS"
    case associatedDomains = "ASSOCIATED_DOMAINS"
    case personalVPN = "PERSONAL_VPN"
    case appGroups = "APP_GROUPS"
    case healthKit = "HEALTHKIT"
    case homeKit = "HOMEKIT"
    case wirelessAccessory = "WIRELESS_ACCESSORY_CONFIGURATION"
    case applePay = "APPLE_PAY"
    case dataProtection = "DATA_PROTECTION"
    case siriKit = "SIRIKIT"
    case networkExtensions = "NETWORK_EXTENSIONS"
    case multipath = "MULTIPATH"
    case hotSpot = "HOT_SPOT"
    case nfcTagReading = "NFC_TAG_READING"
    case classKit = "CLASSKIT"
    case autofill = "AUTOFILL_CREDENTIAL_PROVIDER"
    case accessWiFi = "ACCESS_WIFI_INFORMATION"
    case networkCustomProtocol = "NETWORK_CUSTOM_PROTOCOL"
    case lowLatencyHLS = "COREMEDIA_HLS_LOW_LATENCY"
    case systemExtension = "SYSTEM_EXTENSION_INSTALL"
    case userManagement = "USER_MANAGEMENT"
    case signInWithApple = "APPLE_ID_AUTH"

    /// The name that people read.
    package var title: String {
        switch self {
        case .iCloud: "iCloud"
        case .inAppPurchase: "In-App Purchase"
        case .gameCenter: "Game Center"
        case .pushNotifications: "Push Notifications"
        case .wallet: "Wallet"
        case .interAppAudio: "Inter-App Audio"
        case .maps: "Maps"
        case .associatedDomains: "Associated Domains"
        case .personalVPN: "Personal VPN"
        case .appGroups: "App Groups"
        case .healthKit: "HealthKit"
        case .homeKit: "HomeKit"
        case .wirelessAccessory: "Wireless Accessory Configuration"
        case .applePay: "Apple Pay"
        case .dataProtection: "Data Protection"
        case .siriKit: "SiriKit"
        case .networkExtensions: "Network Extensions"
        case .multipath: "Multipath"
        case .hotSpot: "Hotspot"
        case .nfcTagReading: "NFC Tag Reading"
        case .classKit: "ClassKit"
        case .autofill: "AutoFill Credential Provider"
        case .accessWiFi: "Access Wi-Fi Information"
        case .networkCustomProtocol: "Custom Network Protocol"
        case .lowLatencyHLS: "Low Latency HLS"
        case .systemExtension: "System Extension"
        case .userManagement: "User Management"
        case .signInWithApple: "Sign in with Apple"
        }
    }

    /// The settings that it has, with their choices.
    package var settings: [String: Set<String>] {
        switch self {
        case .iCloud: ["ICLOUD_VERSION": ["XCODE_5", "XCODE_6"]]
        case .dataProtection:
            [
                "DATA_PROTECTION_PERMISSION_LEVEL": [
                    "COMPLETE_PROTECTION", "PROTECTED_UNLESS_OPEN",
                    "PROTECTED_UNTIL_FIRST_USER_AUTH",
                ]
            ]
        case .signInWithApple: ["APPLE_ID_AUTH_APP_CONSENT": ["PRIMARY_APP_CONSENT"]]
        default: [:]
        }
    }
}

/// A capability that is switched on.
package struct Capability: Sendable, Hashable {
    package let type: CapabilityType
    package var settings: [CapabilitySetting]

    package init(type: CapabilityType, settings: [CapabilitySetting] = []) {
        self.type = type
        self.settings = settings
    }
}

extension Capability: Record {
    package static let table: StaticString = "bundle_capability"

    package init(_ column: borrowing RecordColumns<Self>) throws {
        type = try column("type", \.type, .key)
        settings = try column.json("settings", \.settings, sample: [])
    }
}

/// A setting of a capability, and what was chosen of it.
package struct CapabilitySetting: Sendable, Hashable, Codable {
    package var key: String
    package var options: [String]

    package init(key: String, options: [String]) {
        self.key = key
        self.options = options
    }
}

/// Which capabilities a bundle identifier may have.
package enum CapabilityRules {
    /// - Throws: `ConnectRefusal` with the rules `capabilityExplicit`, `capabilityServices`,
    ///   `capabilitySetting` or `capabilityOption`.
    static func check(_ capability: Capability, of identifier: BundleIdentifier) throws {
        if capability.type == .inAppPurchase {
            guard !identifier.isWildcard else {
                throw ConnectRefusal(
                    .invalid, rule: "capabilityExplicit", field: "capabilityType",
                    "\(identifier.identifier) is a wildcard, and in-app purchase needs an "
                        + "explicit bundle identifier.",
                    help: "Register an explicit one, for example com.example.app.")
            }
            guard identifier.platform != .services else {
                throw ConnectRefusal(
                    .invalid, rule: "capabilityServices", field: "capabilityType",
                    "\(identifier.identifier) is for services, which sell nothing in an app.",
                    help: "Register an identifier for an app.")
            }
        }
        var seen: Set<String> = []
        for setting in capability.settings {
            guard let options = capability.type.settings[setting.key],
                seen.insert(setting.key).inserted
            else {
                throw ConnectRefusal(
                    .invalid, rule: "capabilitySetting", field: "settings",
                    "\(capability.type.title) has no setting \(quoted(setting.key)), or it is "
                        + "there twice.",
                    help: capability.type.settings.isEmpty
                        ? "It has no settings at all."
                        : "It has: "
                            + capability.type.settings.keys.sorted().joined(separator: ", ") + ".")
            }
            let unknown = setting.options.first { !options.contains($0) }
            guard unknown == nil, setting.options.count <= 1 else {
                throw ConnectRefusal(
                    .invalid, rule: "capabilityOption", field: "settings",
                    unknown.map { "\(setting.key) can't be \(quoted($0))." }
                        ?? "\(setting.key) has more than one choice.",
                    help: "Choose one of: \(options.sorted().joined(separator: ", ")).")
            }
        }
    }
}
