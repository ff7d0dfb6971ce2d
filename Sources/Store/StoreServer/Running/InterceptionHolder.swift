import Foundation
import StoreAPI
import StoreHTTP
import StoreSecurity
import Synchronization

/// The interception of a running store, where it has one.
final class InterceptionHolder: Sendable {
    private let current = Mutex<Interception?>(nil)

    /// The root that clients are to trust; nil where nothing is intercepted.
    var root: Certificate? { current.withLock { $0 }?.root }

    /// - Returns: what was there before.
    func replace(with new: Interception?) -> Interception? {
        current.withLock { current in
            defer { current = new }
            return current
        }
    }

    /// Gives the root to commands on other machines; there is nothing where nothing is intercepted.
    static func route(to root: @escaping @Sendable () -> Certificate?) -> Router.Route {
        Router.Route(.get, Interception.rootPath) { request in
            guard let text = try? root()?.pem() else {
                return .now(StoreRoutes.unknown(request.path))
            }
            return .now(
                HTTPResponse(
                    status: 200, headers: ["Content-Type": "application/x-pem-file"],
                    body: Data(text.utf8)))
        }
    }
}
