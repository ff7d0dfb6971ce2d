// What Apple's StoreKit has for Apple Music. There is no music service here, so the classes
// are absent; these names are data, and apps refer to them.

extension Notification.Name {
    /// What the customer's music subscription covers has changed. Never posted: there is none.
    public static let SKCloudServiceCapabilitiesDidChange: Notification.Name = Notification.Name(
        "SKCloudServiceCapabilitiesDidChangeNotification")
    /// An account of another storefront has signed in. Posted where callbacks run.
    public static let SKStorefrontIdentifierDidChange: Notification.Name = Notification.Name(
        "SKStorefrontIdentifierDidChangeNotification")
    /// An account of another country has signed in. Posted where callbacks run.
    public static let SKStorefrontCountryCodeDidChange: Notification.Name = Notification.Name(
        "SKStorefrontCountryCodeDidChangeNotification")
}

/// A key of the options for setting up Apple Music. Nothing here takes such options.
public struct SKCloudServiceSetupOptionsKey: RawRepresentable, Hashable, Sendable {
    /// The key's text.
    public let rawValue: String

    /// A key with a text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// What the customer is to do.
    public static let action: Self = Self(rawValue: "SKCloudServiceSetupOptionsActionKey")
    /// The item that the customer looked at.
    public static let iTunesItemIdentifier: Self = Self(
        rawValue: "SKCloudServiceSetupOptionsITunesItemIdentifierKey")
    /// The token of an affiliate.
    public static let affiliateToken: Self = Self(
        rawValue: "SKCloudServiceSetupOptionsAffiliateTokenKey")
    /// The token of a campaign.
    public static let campaignToken: Self = Self(
        rawValue: "SKCloudServiceSetupOptionsCampaignTokenKey")
    /// The message that the customer sees.
    public static let messageIdentifier: Self = Self(
        rawValue: "SKCloudServiceSetupOptionsMessageIdentifierKey")
}

/// What a customer is to do when Apple Music is set up.
public struct SKCloudServiceSetupAction: RawRepresentable, Hashable, Sendable {
    /// The action's text.
    public let rawValue: String

    /// An action with a text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// To subscribe.
    public static let subscribe: Self = Self(rawValue: "SKCloudServiceSetupActionSubscribe")
}

/// The message that a customer sees when Apple Music is set up.
public struct SKCloudServiceSetupMessageIdentifier: RawRepresentable, Hashable, Sendable {
    /// The message's text.
    public let rawValue: String

    /// A message with a text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// To join.
    public static let join: Self = Self(rawValue: "SKCloudServiceSetupMessageIdentifierJoin")
    /// To connect.
    public static let connect: Self = Self(rawValue: "SKCloudServiceSetupMessageIdentifierConnect")
    /// To add music.
    public static let addMusic: Self = Self(
        rawValue: "SKCloudServiceSetupMessageIdentifierAddMusic")
    /// To play music.
    public static let playMusic: Self = Self(
        rawValue: "SKCloudServiceSetupMessageIdentifierPlayMusic")
}
