import Foundation
import StoreAPI
import StoreHTTP
import StorePages

/// A store that listens.
package final class StoreServer: Sendable {
    package let store: Store
    private let http: HTTPServer
    private let host: String

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - host: a numeric address.
    ///   - port: 0 asks for a free one.
    ///   - logsRequests: whether each answered request is written to the log.
    /// - Throws: `HTTPServerError` for an address that can't be bound.
    package init(
        store: Store, host: String = "127.0.0.1", port: UInt16 = 0, logsRequests: Bool = true
    ) throws {
        self.store = store
        self.host = host
        var configuration = HTTPServer.Configuration(host: host, port: port)
        configuration.threads = max(2, ProcessInfo.processInfo.activeProcessorCount)
        configuration.spooling = BodySpooling(limit: { path in
            ConnectOperation.largestBody(path) ?? PortalRoutes.largestBody(path)
        })
        let services = store.services
        let pages = PageRoutes(
            prompts: services.prompts, approvals: services.approvals,
            sessions: services.pageSessions, storefront: services.storefront,
            sales: services.itemSales, reviews: services.customerReviews,
            media: services.itemMedia, report: services.report)
        let portal = PortalRoutes(
            services: PortalServices(
                database: store.database, content: store.content, pictures: store.pictures,
                clock: store.clock,
                vault: services.vault, profileSigner: store.profileSigner,
                people: services.people, tokens: services.pageSessions,
                manifests: services.manifests,
                packages: BrowserPackages(services), storefront: PortalStorefront(services),
                report: services.report))
        let storefront = StorefrontPageRoutes(
            services: StorefrontPageServices(
                database: store.database, storefront: services.storefront,
                reviews: services.customerReviews, sales: services.itemSales,
                media: services.itemMedia, accounts: services.accounts,
                sessions: services.pageSessions, settings: services.storefrontSettings,
                clock: store.clock, report: services.report))
        let router = try StoreRoutes(services: services).router(
            adding: pages.routes() + portal.routes() + storefront.routes(),
            unknownPage: { portal.unknownPage($0) ?? storefront.unknownPage($0) })
        let log = store.log
        var observe: (@Sendable (HTTPServer.Record) -> Void)?
        if logsRequests { observe = { record in Self.write(record, to: log) } }
        self.http = try HTTPServer(
            configuration, handler: { request in router.respond(to: request) },
            admission: { request in router.admission(of: request) },
            bodyTooLarge: { path, limit in
                portal.pageTooLarge(path, limit: limit)
                    ?? StoreRoutes.bodyTooLarge(path, limit: limit)
            },
            busy: { StoreRoutes.busy($0) }, addressCut: { StoreRoutes.addressCut($0) },
            stopping: { StoreRoutes.stopping() }, observe: observe)
    }

    package var port: UInt16 { http.port }

    /// Scheme, host and port that clients on this machine reach the store at.
    package var address: String {
        let reachable = host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "[::1]" : host
        let bracketed = reachable.contains(":") && !reachable.hasPrefix("[")
        return "http://\(bracketed ? "[\(reachable)]" : reachable):\(http.port)"
    }

    /// Lets running requests come to their end, and closes.
    package func stop() {
        store.services.events.stop()
        store.services.promptWaiters.end()
        http.stop()
        store.close()
    }

    private static func write(_ record: HTTPServer.Record, to log: EventLog) {
        log.write(
            record.status >= 500 ? .error : .info, "request",
            [
                "method": record.method, "path": Self.loggable(record.path),
                "status": String(record.status),
                "milliseconds": milliseconds(record.duration),
            ])
    }

    private static func loggable(_ path: String) -> String {
        PortalRoutes.loggable(PageRoutes.loggable(path))
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let seconds = Double(duration.components.seconds)
        let fraction = Double(duration.components.attoseconds) / 1e18
        return String(format: "%.2f", (seconds + fraction) * 1000)
    }
}
