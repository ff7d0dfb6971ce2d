import Foundation
import StoreCore
import StoreHTTP
import StoreModel

/// The routes of the pages for customers, to be added to the store's router.
package struct StorefrontPageRoutes: Sendable {
    private let services: StorefrontPageServices
    private let assets: PageAssets
    private let pages: PublicPages
    private let sitemaps: SitemapCache

    package init(services: StorefrontPageServices) {
        self.services = services
        assets = PageAssets(naming: services.sessions)
        pages = PublicPages(services: services)
        sitemaps = SitemapCache(clock: services.clock)
    }

    /// All routes, below each environment; `robots.txt` beside them.
    package func routes() -> [Router.Route] {
        let choices = [
            "country": StorefrontPageTable.countries, "kind": StorefrontPageTable.kinds,
            "step": StorefrontPageTable.steps,
        ]
        var routes = StoreEnvironment.allCases.flatMap { environment in
            StorefrontPageTable.rows.map { row in
                Router.Route(
                    row.method, environment.pathPrefix + "/{country}" + row.pattern,
                    choices: choices
                ) { request in
                    respond(row.operation, request, in: environment)
                }
            }
        }
        for environment in StoreEnvironment.allCases {
            // With a slash and without one: people type both.
            for path in Set([environment.pathPrefix, environment.pathPrefix + "/"])
            where !path.isEmpty {
                routes.append(
                    Router.Route(.get, path) { request in start(request, in: environment) })
            }
            routes.append(
                Router.Route(
                    .get, environment.pathPrefix + "/{country}/", choices: choices
                ) { request in
                    .now(
                        .storefrontRedirect(
                            to: "\(environment.pathPrefix)/\(request.parameters[0])", status: 301))
                })
        }
        routes.append(
            Router.Route(.get, "/robots.txt") { request in
                .now(Self.robots(at: StorefrontBrowser(request, in: .production).origin))
            })
        routes.append(
            Router.Route(.get, SitemapPages.indexPath) { request in
                sitemap(request) { $0.index(try await sitemaps.starts(of: $0).now) }
            })
        routes.append(
            Router.Route(
                .get, "/sitemaps/{country}/{file}",
                choices: ["country": StorefrontPageTable.countries]
            ) { request in
                sitemap(request) { pages in
                    guard let country = Storefront.named(request.parameters[0]) else { return nil }
                    let starts = try await sitemaps.starts(of: pages)
                    return try await pages.file(
                        request.parameters[1], of: country, starts.now + starts.before)
                }
            })
        return routes
    }

    /// Addresses of the pages that are to be found; the sandbox's are not.
    private func sitemap(
        _ request: HTTPRequest,
        _ make: @escaping @Sendable (SitemapPages) async throws -> HTTPResponse?
    ) -> HTTPOutcome {
        let visit = visit(request, in: .production, storefront: .unitedStates)
        return .later {
            await safely(visit) {
                let kept = try await sitemaps.response(request.path, origin: visit.frame.origin) {
                    try await make(SitemapPages(services.storefront, origin: $0))
                }
                return kept ?? problem(.unknown, visit)
            }
        }
    }

    /// The page for an address of a country's store where there is nothing, or for people who
    /// ask for one elsewhere; nil for what is no page's address.
    package func unknownPage(_ request: HTTPRequest) -> HTTPResponse? {
        let isSandbox = request.path.hasPrefix(scalars: StoreEnvironment.sandbox.pathPrefix + "/")
        let environment: StoreEnvironment = isSandbox ? .sandbox : .production
        let path = Substring(request.path.utf8.dropFirst(environment.pathPrefix.utf8.count + 1))
        let first = Substring(path.unicodeScalars.prefix { $0 != "/" })
        let named = first.utf8.count == 2 ? Storefront.named(String(first)) : nil
        guard request.method == "GET" || request.method == "HEAD",
            named != nil || asksForPage(request, first)
        else { return nil }
        let storefront =
            named
            ?? BestStorefront.of(acceptLanguage: request.headers["Accept-Language"])
        let visit = visit(request, in: environment, storefront: storefront)
        // Countries stand in small letters in addresses.
        if let named, named.country.lowercased() != first {
            let rest = path[first.endIndex...]
            return .storefrontRedirect(
                to: PortalLink(visit.frame.home + rest, request.query).text, status: 301)
        }
        return problem(.unknown, visit)
    }

    /// Folders of programs, which are answered in their own form.
    private static let programs: Set<Substring> = [
        "device", "connect", "feeds", "WebObjects", "search", "lookup", ".well-known", "inApps",
    ]

    private func asksForPage(_ request: HTTPRequest, _ first: Substring) -> Bool {
        request.headers["Accept"]?.contains("text/html") == true
            && !Self.programs.contains(first)
    }

    static func isProduct(_ request: HTTPRequest) -> Bool {
        request.parameters.count == 4
    }

    private static func robots(at origin: String) -> HTTPResponse {
        var lines: [String] = [
            "User-agent: *", "Disallow: /sandbox/", "Disallow: /connect/", "Disallow: /device/",
            "Disallow: /prompts/", "Disallow: /approvals/",
        ]
        // Whole names only: an item may be called "account of a voyage", and its page is
        // `/us/book/account-of-a-voyage/id5`; one that is called "review" has the number after it.
        for name in ["account", "find"] {
            lines += ["Disallow: /*/\(name)$", "Disallow: /*/\(name)?"]
        }
        for name in ["account", "buy", "review", "downloads"] {
            lines += ["Disallow: /*/\(name)/", "Allow: /*/\(name)/id"]
        }
        lines += ["Allow: /", "", "Sitemap: \(origin)\(SitemapPages.indexPath)"]
        return .plainText(
            lines.joined(separator: "\n"), ["Cache-Control": "max-age=3600"])
    }

    // MARK: Answering

    private func visit(
        _ request: HTTPRequest, in environment: StoreEnvironment, storefront: Storefront
    ) -> StorefrontVisit {
        StorefrontVisit(
            request, in: environment, storefront: storefront, assets: assets, services: services)
    }

    /// The address without a country: the page of the best one, at once, for programs that look
    /// whether there is a store.
    private func start(_ request: HTTPRequest, in environment: StoreEnvironment) -> HTTPOutcome {
        let storefront = BestStorefront.of(acceptLanguage: request.headers["Accept-Language"])
        let visit = visit(request, in: environment, storefront: storefront)
        var page = HomePages(visit).page
        page.variant.append(storefront.code)
        return show(page, visit)
    }

    private func respond(
        _ operation: StorefrontPageTable.Operation, _ request: HTTPRequest,
        in environment: StoreEnvironment
    ) -> HTTPOutcome {
        let country = request.parameters.first ?? ""
        let visit = visit(
            request, in: environment, storefront: Storefront.named(country) ?? .unitedStates)
        if let page = publicPage(operation, visit) { return show(page, visit) }
        return .later { await safely(visit) { try await personal(operation, visit) } }
    }

    private func show(_ page: PublicPage, _ visit: StorefrontVisit) -> HTTPOutcome {
        if let known = pages.known(visit, page) { return .now(known) }
        return .later { await safely(visit) { try await pages.respond(visit, page) } }
    }

    private func publicPage(
        _ operation: StorefrontPageTable.Operation, _ visit: StorefrontVisit
    ) -> PublicPage? {
        switch operation {
        case .home: HomePages(visit).page
        case .product: ItemPages(visit).page
        case .shortProduct: ItemPages(visit).short
        case .artist: ArtistPages(visit).page
        case .shortArtist: ArtistPages(visit).short
        case .genre: ChartPages(visit).genre
        case .shortGenre: ChartPages(visit).shortGenre
        case .chart: ChartPages(visit).page
        case .find: FindPages(visit).page
        case .countries: CountriesPage(visit).page
        case .showOffer, .buy, .showReview, .review, .vote, .showAccount, .account, .download,
            .showOrders, .showOrder, .showRefund, .askRefund, .showSubscriptions,
            .showSubscription, .showSubscriptionStep, .takeSubscriptionStep, .showFamily,
            .showDeparture, .depart:
            nil
        }
    }

    private func personal(
        _ operation: StorefrontPageTable.Operation, _ visit: StorefrontVisit
    ) async throws -> HTTPResponse {
        switch operation {
        case .showOffer: try await OfferPages(visit).show()
        case .buy: try await OfferPages(visit).answer()
        case .showReview: try await ReviewFormPages(visit).show()
        case .review: try await ReviewFormPages(visit).answer()
        case .vote: try await ReviewFormPages(visit).vote()
        case .showAccount: try await CustomerPages(visit).show()
        case .account: try await CustomerPages(visit).answer()
        case .download: try await DownloadPages(visit).send()
        case .showOrders: try await OrderPages(visit).list()
        case .showOrder: try await OrderPages(visit).show()
        case .showRefund: try await RefundPages(visit).show()
        case .askRefund: try await RefundPages(visit).answer()
        case .showSubscriptions: try await SubscriptionPages(visit).list()
        case .showSubscription: try await SubscriptionPages(visit).show()
        case .showSubscriptionStep: try await SubscriptionStepPages(visit).show()
        case .takeSubscriptionStep: try await SubscriptionStepPages(visit).answer()
        case .showFamily: try await FamilyPages(visit).show()
        case .showDeparture: try await FamilyPages(visit).ask()
        case .depart: try await FamilyPages(visit).answer()
        case .home, .product, .shortProduct, .artist, .shortArtist, .genre, .shortGenre, .chart,
            .find, .countries:
            preconditionFailure("\(operation) is a page for everybody")
        }
    }

    private func safely(
        _ visit: StorefrontVisit, _ body: () async throws -> HTTPResponse
    ) async -> HTTPResponse {
        do {
            return try await body()
        } catch let error as StorefrontProblem {
            return problem(error, visit)
        } catch let refusal as SignInFirst {
            return .storefrontRedirect(
                to: visit.frame.path("account", [("next", refusal.next)]))
        } catch is ForeignStorefrontForm {
            return problem(.foreignForm, visit)
        } catch let error as FormFields.Problem {
            var understood = StorefrontProblem.notUnderstood
            switch error {
            case .otherType: understood.status = 415
            case .tooLarge: understood.status = 413
            case .malformed: break
            }
            return problem(understood, visit)
        } catch let error as PasswordsBusy {
            var response = problem(
                StorefrontProblem(
                    status: 503, title: "Too Many at Once", text: error.description), visit)
            response.headers["Retry-After"] = String(PasswordsBusy.retryDelay)
            return response
        } catch {
            services.report(String(describing: error))
            var broken = StorefrontProblem.broken
            if FailureRemedy.isOutcomeUncertain(after: error) {
                broken.text = PageRoutes.uncertain + " Look before you try again."
            }
            broken.text += PageRoutes.reference()
            return problem(broken, visit).unavailable(if: FailureRemedy.of(error) == .repeating)
        }
    }

    private func problem(_ problem: StorefrontProblem, _ visit: StorefrontVisit) -> HTTPResponse {
        .storefrontPage(
            visit.layout.document(problem.page(in: visit.frame)), status: problem.status)
    }
}
