import StoreModel

/// A name of Apple's servers, by which unmodified clients call this store, and where what they
/// ask it for lies here.
///
/// This is the only list: requests are routed by it, and a test walks it.
package struct AppleHost: Sendable, Hashable {
    package let name: String
    /// The environment that is meant by the name.
    package let environment: StoreEnvironment
    /// What the store puts before the paths of the name.
    package let prefix: String

    private init(_ name: String, _ environment: StoreEnvironment, prefix: String? = nil) {
        self.name = name
        self.environment = environment
        self.prefix = prefix ?? environment.pathPrefix
    }

    package static let all: [AppleHost] = [
        // App Store Server API.
        AppleHost("api.storekit.apple.com", .production),
        AppleHost("api.storekit.itunes.apple.com", .production),
        AppleHost("api.storekit-sandbox.apple.com", .sandbox),
        AppleHost("api.storekit-sandbox.itunes.apple.com", .sandbox),
        // What Apple's libraries call in tests without a network: nobody is charged there.
        AppleHost("local-testing-base-url", .sandbox),
        // verifyReceipt.
        AppleHost("buy.itunes.apple.com", .production),
        AppleHost("sandbox.itunes.apple.com", .sandbox),
        // Search, lookups, feeds and pages of the storefront.
        AppleHost("itunes.apple.com", .production),
        AppleHost("search.itunes.apple.com", .production),
        AppleHost("ax.itunes.apple.com", .production),
        // App Store Connect.
        AppleHost("api.appstoreconnect.apple.com", .production, prefix: ConnectRouteTable.prefix),
        AppleHost("appstoreconnect.apple.com", .production, prefix: ConnectRouteTable.prefix),
        // The partner feed.
        AppleHost("feeds.itunes.apple.com", .production, prefix: "/feeds"),
    ]

    private static let named = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// - Parameter name: of a host, in small letters, without a port.
    package static func named(_ name: String) -> AppleHost? { named[name] }

    /// Whether a name is one of Apple's, also where this store has nothing for it.
    package static func isApples(_ name: String) -> Bool {
        name == "apple.com" || name.hasSuffix(scalars: ".apple.com") || named[name] != nil
    }

    /// Where what is at a path of this host lies in the store. Addresses that the store itself
    /// has told lead there as they are.
    package func path(of path: String) -> String {
        guard path.hasPrefix(scalars: "/"), path != prefix, !path.hasPrefix(scalars: prefix + "/")
        else {
            return path
        }
        return prefix + path
    }
}
