import StoreWire
import Synchronization

/// The store's permission to fetch a build, asked for anew when it ends.
final class AppGrant: Sendable {
    private let grant: Mutex<String>
    private let ask: @Sendable () async throws -> String

    init(_ grant: String, ask: @escaping @Sendable () async throws -> String) {
        self.grant = Mutex(grant)
        self.ask = ask
    }

    var current: String { grant.withLock { $0 } }

    /// Takes another one in the place of one that has ended, unless somebody has done so.
    func renew(_ used: String) async throws {
        guard current == used else { return }
        let new = try await ask()
        grant.withLock { $0 = new }
    }

    /// Does something with the permission, and asks for another one when it has ended.
    func using(_ body: (String) async throws -> Void) async throws {
        let used = current
        do { try await body(used) } catch let error as WireError where error.code == .grantExpired {
            try await renew(used)
            throw error
        }
    }
}
