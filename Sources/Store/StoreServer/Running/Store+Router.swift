import StoreAPI
import StoreCore
import StoreHTTP

extension Store {
    /// The routes of the store for commands on its own machine, without a server.
    ///
    /// - Parameter isTrusting: whether whoever sends a request may do all that the operator may,
    ///   and shows no key: whoever reads the folder can make one.
    package func router(isTrusting: Bool) throws -> Router {
        try StoreRoutes(services: services).router(trusting: isTrusting ? .machine : nil)
    }
}
