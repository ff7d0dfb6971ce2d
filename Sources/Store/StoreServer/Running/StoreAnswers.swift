import Foundation
import StoreAPI
import StoreHTTP
import StorePages

/// What a store answers, whichever server asks it.
struct StoreAnswers: Sendable {
    private let router: Router
    private let portal: PortalRoutes
    private let observe: (@Sendable (HTTPServer.Record) -> Void)?

    /// - Parameter logsRequests: whether each answered request is written to the log.
    init(store: Store, logsRequests: Bool) throws {
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
                notifications: PortalNotifications(services),
                report: services.report))
        let storefront = StorefrontPageRoutes(
            services: StorefrontPageServices(
                database: store.database, storefront: services.storefront,
                reviews: services.customerReviews, sales: services.itemSales,
                media: services.itemMedia, accounts: services.accounts,
                customers: CustomerServices(services), sessions: services.pageSessions,
                settings: services.storefrontSettings, clock: store.clock,
                report: services.report))
        router = try StoreRoutes(services: services).router(
            adding: pages.routes() + portal.routes() + storefront.routes(),
            unknownPage: { portal.unknownPage($0) ?? storefront.unknownPage($0) })
        self.portal = portal
        let log = store.log
        var observe: (@Sendable (HTTPServer.Record) -> Void)?
        if logsRequests { observe = { record in Self.write(record, to: log) } }
        self.observe = observe
    }

    /// Starts a server that gives these answers.
    ///
    /// - Throws: `HTTPServerError`.
    func server(
        _ configuration: HTTPServer.Configuration, routing: HostRouting, tunnel: Tunnel? = nil
    ) throws -> HTTPServer {
        var configuration = configuration
        configuration.spooling = BodySpooling(
            limit: { path in
                VerifyReceiptRoutes.largestBody(path) ?? ConnectOperation.largestBody(path)
                    ?? PortalRoutes.largestBody(path) ?? ServerRouteTable.largestBody(path)
            },
            openMemory: { [limit = configuration.bodyLimit] path in
                VerifyReceiptRoutes.answers(path) ? limit : nil
            })
        return try HTTPServer(
            configuration, handler: { [router] request in router.respond(to: request) },
            addressing: { target, host in routing(target, host) }, tunnel: tunnel,
            admission: { [router] request in router.admission(of: request) },
            bodyTooLarge: { [portal] path, limit in
                portal.pageTooLarge(path, limit: limit)
                    ?? StoreRoutes.bodyTooLarge(path, limit: limit)
            },
            busy: { StoreRoutes.busy($0) }, addressCut: { StoreRoutes.addressCut($0) },
            stopping: { StoreRoutes.stopping($0) }, observe: observe)
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
