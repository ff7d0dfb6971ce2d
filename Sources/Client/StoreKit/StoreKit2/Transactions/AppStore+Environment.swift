extension AppStore {
    /// Which of the store's environments something happened in.
    @available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, visionOS 1.0, *)
    public struct Environment: RawRepresentable, Hashable, Sendable {
        /// The name that statements write.
        public let rawValue: String

        /// The environment of a name, be it known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Customers and money.
        public static let production = Environment(rawValue: "Production")
        /// Test accounts, and no money.
        public static let sandbox = Environment(rawValue: "Sandbox")
        /// A test store on the developer's computer.
        public static let xcode = Environment(rawValue: "Xcode")
    }

    /// The platform that a customer first got an app on.
    @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
    public struct Platform: RawRepresentable, Hashable, Sendable {
        /// The name that statements write.
        public let rawValue: String

        /// The platform of a name, be it known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// iPhone and iPad; this store writes it for Linux, which Apple has no name for.
        public static let iOS = Platform(rawValue: "iOS")
        /// Mac.
        public static let macOS = Platform(rawValue: "macOS")
        /// Apple TV.
        public static let tvOS = Platform(rawValue: "tvOS")
        /// Apple Vision.
        public static let visionOS = Platform(rawValue: "visionOS")
        /// The app came from an organization, and not from the customer.
        @available(iOS 18.4, macOS 15.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
        public static let managed = Platform(rawValue: "MANAGED")
    }
}
