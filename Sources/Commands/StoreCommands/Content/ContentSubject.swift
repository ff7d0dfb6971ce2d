import StoreCore
import StoreModel
import StoreServer

/// The app that a command about hosted content works on.
enum ContentSubject {
    static let app: CommandSpec.Option = .value(
        "app", "ID", "The bundle identifier of the app; the store's only app unless given.")

    /// The app of `--app`, or the only one.
    ///
    /// - Throws: `UsageError` where the app is not named and the store has not just one.
    static func app(_ arguments: ParsedArguments, in store: Store) async throws -> BundleID {
        if let app = try arguments.value("app", "a bundle identifier", { BundleID($0) }) {
            return app
        }
        let apps = try await store.database.read { try $0.catalog.apps() }
        guard apps.count == 1 else {
            throw UsageError(
                description: apps.isEmpty
                    ? "the store has no app; import a catalog first (openstore catalog import)"
                    : "--app is missing; the store has "
                        + apps.map(\.bundleID.text).joined(separator: ", "))
        }
        return apps[0].bundleID
    }
}
