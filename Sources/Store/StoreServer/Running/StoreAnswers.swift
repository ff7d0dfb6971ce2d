import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StorePages
import StoreSecurity
import Synchronization

/// What a store answers, whichever server asks it.
package struct StoreAnswers: Sendable {
    package let router: Router
    /// Answers a page request beyond the rate limit; the number is the seconds to wait.
    private let tooManyRequests: @Sendable (HTTPRequest, Int) -> HTTPResponse
    private let allowance: RequestAllowance?
    private let portal: PortalRoutes
    private let settings: ServingSettings
    let metrics: MetricsReport
    let readiness: Readiness
    private let running: RunningRequests?
    private let observe: @Sendable (HTTPServer.Record) -> Void

    /// - Parameters:
    ///   - logsRequests: whether each answered request is written to the log.
    ///   - interceptionRoot: gives the root of the interception; nil where nothing is intercepted.
    package init(
        store: Store, settings: ServingSettings, logsRequests: Bool,
        interceptionRoot: @escaping @Sendable () -> Certificate?
    ) throws {
        self.settings = settings
        var services = store.services
        allowance = settings.requestsPerMinuteOfAddress.map {
            RequestAllowance(perMinute: $0, clock: store.clock)
        }
        services.accountAllowance = settings.requestsPerMinuteOfAccount.map {
            RequestAllowance(perMinute: $0, clock: store.clock)
        }
        if let limit = settings.requestsPerMinuteOfServerKey {
            services.serverRequestLimit = ServerRequestLimit(requests: limit, span: 60)
        }
        let customerPages = StorefrontPageServices(
            database: store.database, storefront: services.storefront,
            reviews: services.customerReviews, sales: services.itemSales,
            media: services.itemMedia, apps: services.appDeliveries, accounts: services.accounts,
            customers: CustomerServices(services), sessions: services.pageSessions,
            settings: services.storefrontSettings, clock: store.clock, report: services.report)
        let pages = PageRoutes(
            prompts: services.prompts, approvals: services.approvals, storefront: customerPages,
            report: services.report)
        let portal = PortalRoutes(services: Self.portal(of: store, services))
        let storefront = StorefrontPageRoutes(services: customerPages)
        let readiness = Readiness(store: store)
        self.readiness = readiness
        let holder = MetricsHolder()
        router = try StoreRoutes(services: services).router(
            adding: pages.routes() + portal.routes() + storefront.routes()
                + OperatorRoutes(readiness: readiness, readers: settings.metricsReaders) {
                    await holder.text()
                }.routes() + [InterceptionHolder.route(to: interceptionRoot)],
            unknownPage: { portal.unknownPage($0) ?? storefront.unknownPage($0) })
        self.portal = portal
        tooManyRequests = { pages.tooMany($0, seconds: $1) }
        let log = store.log
        let metrics = MetricsReport(
            store: store, routes: router.routes, version: settings.version)
        self.metrics = metrics
        holder.set(metrics)
        running = RunningRequests(file: store.directory.appendingPathComponent("running-requests"))
        for request in running?.lost ?? [] {
            log.write(.error, .requestLost, ["request": request])
        }
        observe = { record in
            metrics.requests.add(record)
            if logsRequests { Self.write(record, to: log) }
        }
    }

    private static func portal(of store: Store, _ services: APIServices) -> PortalServices {
        PortalServices(
            database: store.database, content: store.content, pictures: store.pictures,
            assets: services.assets, clock: store.clock, vault: services.vault,
            profileSigner: store.profileSigner, people: services.people,
            tokens: services.pageSessions, readManifest: services.readManifest,
            packages: BrowserPackages(services), storefront: PortalStorefront(services),
            sandboxClocks: services.sandboxClocks, notifications: PortalNotifications(services),
            report: services.report)
    }

    /// Lets the route for metrics find the report, which is made after all routes. The reference is
    /// weak: the report holds the routes, and neither would ever be freed.
    private final class MetricsHolder: Sendable {
        private struct WeakReport: @unchecked Sendable {
            // Sendable: reached under the lock only.
            weak var report: MetricsReport?
        }

        private let held = Mutex(WeakReport())

        func set(_ report: MetricsReport) { held.withLock { $0.report = report } }

        func text() async -> String {
            await held.withLock { $0.report }?.text() ?? ""
        }
    }

    /// Starts a server that gives these answers.
    ///
    /// - Throws: `HTTPServerError`.
    func server(
        _ configuration: HTTPServer.Configuration, routing: HostRouting, tunnel: Tunnel? = nil
    ) throws -> HTTPServer {
        var configuration = configuration
        configuration.proxies = settings.trustedProxies
        configuration.timeouts = settings.timeouts
        configuration.running = running.map { ($0, { Self.loggable($0) }) }
        configuration.spooling = BodySpooling(
            limit: { path in
                VerifyReceiptRoutes.largestBody(path) ?? ConnectOperation.largestBody(path)
                    ?? PortalRoutes.largestBody(path) ?? ServerRouteTable.largestBody(path)
            },
            openMemory: { [limit = configuration.bodyLimit] path in
                VerifyReceiptRoutes.answers(path) ? limit : nil
            }, reserve: UploadRules.store.reserve)
        return try HTTPServer(
            configuration,
            handler: {
                [router, tooManyRequests, allowance, publicAddress = settings.publicAddress]
                request in
                var request = request
                request.statedOrigin = publicAddress
                if let refusal = allowance?.refusal(of: request, page: tooManyRequests) {
                    return .now(refusal)
                }
                return router.respond(to: request)
            },
            addressing: { target, host in routing(target, host) }, tunnel: tunnel,
            admission: { [router] request in router.admission(of: request) },
            bodyTooLarge: { [portal] path, limit in
                portal.pageTooLarge(path, limit: limit)
                    ?? StoreRoutes.bodyTooLarge(path, limit: limit)
            },
            busy: { StoreRoutes.busy($0) }, malformed: { StoreRoutes.malformed($0, $1) },
            stopping: { StoreRoutes.stopping($0) }, observe: observe)
    }

    private static func write(_ record: HTTPServer.Record, to log: EventLog) {
        log.write(
            record.status >= 500 ? .error : .info, .request,
            [
                "method": record.method, "path": Self.loggable(record.path),
                "status": String(record.status),
                "milliseconds": milliseconds(record.duration), "request": record.trace.id,
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
