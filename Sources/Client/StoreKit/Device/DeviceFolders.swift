import StoreModel

/// Where the framework keeps its files, by the XDG base directory specification.
package struct DeviceFolders: Sendable {
    /// Journal and records: must survive.
    package let state: URL
    /// Downloads: can be fetched again.
    package let cache: URL
    /// The session of the signed-in account, shared by all apps of the user.
    package let sessions: URL

    /// What sets this process apart from others where each gets a device of its own.
    private static let process = UUID().uuidString.lowercased()

    /// - Parameter environment: has the XDG variables. `OPENSTORE_DEVICES` names a folder in which
    ///   each process gets folders of its own, as if it ran on another device; the session stays
    ///   the one of the user.
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
        let devices = environment["OPENSTORE_DEVICES"].flatMap { $0.isEmpty ? nil : $0 }
        let device = devices.map {
            URL(fileURLWithPath: $0, isDirectory: true).appendingPathComponent(Self.process)
        }
        state = (device?.appendingPathComponent("state") ?? base("XDG_STATE_HOME", ".local/state"))
            .appendingPathComponent(bundleID).appendingPathComponent("StoreKit")
        cache = (device?.appendingPathComponent("cache") ?? base("XDG_CACHE_HOME", ".cache"))
            .appendingPathComponent(bundleID).appendingPathComponent("StoreKit")
        sessions = base("XDG_CONFIG_HOME", ".config").appendingPathComponent("openstore")
    }
}
