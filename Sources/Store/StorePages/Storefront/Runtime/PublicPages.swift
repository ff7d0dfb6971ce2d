import Foundation
import StoreCore
import StoreHTTP
import StoreKernel
import StoreModel

/// What a page for everybody came out as.
enum PublicAnswer: Sendable {
    case page(StorefrontPage, status: Int = 200, term: String = "")
    /// To the address that stands for all addresses of the page.
    case moved(String)
    /// To what is to be done next.
    case next(String)
    /// There is nothing.
    case nothing
}

/// A page for everybody: what it depends on, and how it is made.
struct PublicPage: Sendable {
    /// The parts of the query, and of the header, that the page looks at.
    var variant: [String] = []
    let make: @Sendable () async throws -> PublicAnswer
}

/// Gives out pages that are the same for everybody, kept for as long as nothing changes, with
/// what belongs to one customer put into their slots.
struct PublicPages: Sendable {
    /// What a page depends on beside the storefront's generation.
    private struct Key: Hashable {
        let environment: StoreEnvironment
        /// Scheme and host, which stand in the page's links for programs.
        let origin: String
        let path: String
        /// The parts of the query that the page looks at, and what of the header it does.
        let variant: [String]
    }

    /// A page with what goes with it.
    private struct Page {
        let template: PageTemplate
        let status: Int
        /// Of the page for customers whom nobody knows.
        let tag: String
    }

    private static let shared = "public, max-age=0, must-revalidate"

    private let services: StorefrontPageServices
    private let pages = Cache<Key, Page>(
        limit: 64 << 20, entryLimit: 4 << 20, cost: { $1.template.size })

    init(services: StorefrontPageServices) {
        self.services = services
    }

    /// The page at once where it is kept and nobody is signed in.
    func known(_ visit: StorefrontVisit, _ page: PublicPage) -> HTTPResponse? {
        guard visit.browser.session == nil,
            let generation = services.database.knownStorefrontGeneration(),
            let known = pages.value(for: key(visit, page), version: generation)
        else { return nil }
        return usual(known, visit)
    }

    func respond(_ visit: StorefrontVisit, _ page: PublicPage) async throws -> HTTPResponse {
        let key = key(visit, page)
        // Before the page is made: what changes meanwhile makes it an old one.
        let generation = try await services.database.storefrontGeneration()
        var found = pages.value(for: key, version: generation)
        if found == nil {
            switch try await page.make() {
            case .page(let page, let status, let term):
                found = made(visit.layout.document(page, term: term), status: status)
            case .moved(let address): return redirect(visit, to: address, status: 301)
            case .next(let address): return redirect(visit, to: address, status: 303)
            case .nothing:
                found = made(
                    visit.layout.document(StorefrontProblem.unknown.page(in: visit.frame)),
                    status: 404)
            }
            // What is not there is cheap to find out, and comes under any name.
            if let found, found.status == 200 {
                pages.insert(found, for: key, version: generation)
            }
        }
        guard let found else { preconditionFailure("a page was made") }
        guard let session = visit.browser.session, let account = try await visit.account() else {
            return usual(found, visit)
        }
        return try await personal(found, visit, account, session: session)
    }

    private func key(_ visit: StorefrontVisit, _ page: PublicPage) -> Key {
        Key(
            environment: visit.environment, origin: visit.frame.origin, path: visit.request.path,
            variant: page.variant)
    }

    private func made(_ page: HTML, status: Int) -> Page {
        let template = PageTemplate(page)
        let name = services.sessions.name(of: String(decoding: template.usual, as: UTF8.self))
        return Page(template: template, status: status, tag: "\"\(name)\"")
    }

    private func redirect(
        _ visit: StorefrontVisit, to address: String, status: Int
    ) -> HTTPResponse {
        var response = HTTPResponse.storefrontRedirect(to: address, status: status)
        visit.remember(in: &response)
        return response
    }

    /// The page for a customer whom nobody knows.
    private func usual(_ page: Page, _ visit: StorefrontVisit) -> HTTPResponse {
        let isKnown = visit.request.headers["If-None-Match"]?.contains(page.tag) == true
        var response = HTTPResponse.storefront(
            isKnown ? Data() : page.template.usual, status: isKnown ? 304 : page.status,
            caching: Self.shared)
        response.headers.append("ETag", page.tag)
        response.headers.append("Vary", "Cookie, Accept-Language")
        visit.remember(in: &response)
        return response
    }

    /// The page for a customer who is signed in.
    private func personal(
        _ page: Page, _ visit: StorefrontVisit, _ account: Account, session: String
    ) async throws -> HTTPResponse {
        let own = try await CustomerComponents(
            of: account, offers: page.template.offers,
            on: StorefrontPageRoutes.isProduct(visit.request) ? visit.item : nil, visit)
        let token = visit.formToken(of: session)
        let body = page.template.filled { slot in
            slot == .account
                ? StorefrontLayout.account(account.email, in: visit.frame)
                : own.html(slot, token: token)
        }
        var response = HTTPResponse.storefront(body, status: page.status, caching: "no-store")
        visit.remember(in: &response)
        return response
    }
}
