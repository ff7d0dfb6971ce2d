import StoreModel

/// Where the framework keeps its files, by the XDG base directory specification.
package struct DeviceFolders: Sendable {
    /// Journal and records: must survive.
    package let state: URL
    /// Downloads: can be fetched again.
    package let cache: URL
    /// The session of the signed-in account, shared by all apps of the user.
    package let sessions: URL

    package init(bundleID: String, environment: [String: String]) {
        let home = URL(
            fileURLWithPath: environment["HOME"] ?? NSHomeDirectory(), isDirectory: true)
        func base(_ variable: String, _ fallback: String) -> URL {
            // The specification has relative paths ignored.
            guard let path = environment[variable], path.hasPrefix(scalars: "/") else {
                return home.appendingPathComponent(fallback)
            }
            return URL(fileURLWithPath: path, isDirectory: true)
        }
        state = base("XDG_STATE_HOME", ".local/state")
            .appendingPathComponent(bundleID).appendingPathComponent("StoreKit")
        cache = base("XDG_CACHE_HOME", ".cache")
            .appendingPathComponent(bundleID).appendingPathComponent("StoreKit")
        sessions = base("XDG_CONFIG_HOME", ".config").appendingPathComponent("openstore")
    }
}
