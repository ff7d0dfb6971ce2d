import Foundation
import StoreCore
import StoreHTTP
import StoreKernel
import StoreModel
import StoreSecurity
import StoreWire

/// Answers product requests; responses are good while the catalog stays as it is.
///
/// Apps ask the same question again and again. The answer depends on the request's
/// body, the profile, the storefront and the catalog, and is the same for all customers of a
/// storefront. It is also kept for each session, for a few seconds only, because another process
/// may end the session: during this time a repeated request is answered without checking it.
final class ProductResponseCache: Sendable {
    /// How long an answer is used without checking the session again, milliseconds.
    private static let lifetime: Int64 = Int64(SessionCache.lifetime * 1000)
    /// Bytes of all responses, by session and by storefront.
    private static let sessionLimit = 32 << 20
    private static let storefrontLimit = 16 << 20
    /// Larger responses are not kept, in bytes.
    private static let sizeLimit = 32 << 10
    /// What an entry takes beside the body.
    private static let entrySize = 512
    /// The number of invalid identifiers in a request for which similar ones are looked for.
    private static let suggestionLimit = 10

    /// What an answer depends on, or whose it is. It has only a digest of the request, because
    /// headers may be long.
    private struct Key: Hashable {
        let environment: StoreEnvironment
        let request: Data
    }

    private struct Answer {
        let response: HTTPResponse
        let end: Date
    }

    private let bySession: Cache<Key, Answer>
    /// Only for those whose session was looked at.
    private let byStorefront: Cache<Key, Answer>
    private let services: APIServices
    private let catalogs: CatalogCache

    init(services: APIServices, catalogs: CatalogCache) {
        self.services = services
        self.catalogs = catalogs
        bySession = Self.cache(limit: Self.sessionLimit, clock: services.clock)
        byStorefront = Self.cache(limit: Self.storefrontLimit, clock: services.clock)
    }

    private static func cache(limit: Int, clock: any StoreClock) -> Cache<Key, Answer> {
        Cache(
            limit: limit, entryLimit: sizeLimit + entrySize,
            cost: { _, answer in
                guard case .data(let body) = answer.response.body else { return .max }
                return body.count + entrySize
            }, now: clock.now, end: { answer, _ in answer.end })
    }

    /// How long a device may take an answer for today's without asking again, seconds:
    /// publishers who test want to see each change, customers want to see products at once.
    /// What they buy is quoted anew in any case.
    private static func lifetime(in environment: StoreEnvironment) -> Int {
        environment == .sandbox ? 0 : 60
    }

    /// The answer to a request that was answered a moment ago.
    func known(_ request: HTTPRequest, in environment: StoreEnvironment) -> HTTPResponse? {
        guard let key = Self.key(request, environment),
            let generation = services.database.knownCatalogGeneration(),
            let found = bySession.value(for: key, version: generation)
        else { return nil }
        return Self.revalidated(found.response, for: request)
    }

    /// Looks the answer up among those of the storefront, or makes and keeps it, once for all that
    /// ask at the same time.
    func make(_ request: HTTPRequest, for caller: Caller) async throws -> HTTPResponse {
        let generation = try await services.database.catalogGeneration()
        let storefront = caller.account?.storefront ?? .unitedStates
        // For followers of a sandbox clock nothing is kept: prices depend on its date.
        guard CustomerClock.date == nil else {
            return Self.revalidated(
                try await response(to: request, for: caller, storefront), for: request)
        }
        let found: Answer
        if let key = Self.key(request, caller.environment, asking: storefront.code) {
            found = try await byStorefront.value(for: key, version: generation) {
                try await answer(request, for: caller, storefront)
            }
        } else {
            found = try await answer(request, for: caller, storefront)
        }
        if let key = Self.key(request, caller.environment) {
            bySession.insert(found, for: key, version: generation)
        }
        return Self.revalidated(found.response, for: request)
    }

    private func answer(
        _ request: HTTPRequest, for caller: Caller, _ storefront: Storefront
    ) async throws -> Answer {
        let end = min(
            services.clock.now().milliseconds + Self.lifetime, caller.profile.expirationDate)
        return Answer(
            response: try await response(to: request, for: caller, storefront),
            end: Date(milliseconds: end))
    }

    private func response(
        to request: HTTPRequest, for caller: Caller, _ storefront: Storefront
    ) async throws -> HTTPResponse {
        let wanted = try WireCoding.decode(ProductsRequest.self, from: request.body)
        guard wanted.productIds.count <= 1000 else {
            throw WireError(
                code: .malformedRequest,
                message: "The request names \(wanted.productIds.count) products; at most 1000 are "
                    + "answered at once.")
        }
        let date = services.customerClock.now()
        let locale = try Self.locale(of: request)
        let catalog = try await catalogs.catalog(of: caller.profile.bundleId)
        let terms = SellingTerms(
            profile: caller.profile.claim, environment: caller.environment, catalog: catalog,
            at: date)
        var answer = ProductsAnswer(
            storefront: storefront.code, storefrontId: storefront.identifier, products: [],
            invalid: [])
        var seen: Set<String> = []
        for identifier in wanted.productIds where seen.insert(identifier).inserted {
            let suggests = answer.invalid.count < Self.suggestionLimit
            switch terms.product(identifier, storefront: storefront, suggests: suggests) {
            case .success(let product):
                answer.products.append(
                    try Self.wire(
                        product, storefront: storefront, locale: locale, for: caller, at: date))
            case .failure(let error):
                answer.invalid.append(
                    InvalidProduct(
                        productId: identifier,
                        reason: InvalidReasonCode(rawValue: error.reason.code),
                        message: error.reason.message(to: caller.profile.bundleId)))
            }
        }
        var response = try HTTPResponse.json(answer)
        if case .data(let body) = response.body {
            response.headers["ETag"] = SHA256Digest.entityTag(of: body)
        }
        response.headers["Cache-Control"] =
            "private, max-age=\(Self.lifetime(in: caller.environment))"
        return response
    }

    /// Says "not modified" to a device that has this answer.
    ///
    /// Products are asked for by `POST`, because a question may name a thousand of them; it is
    /// safe all the same, and treated as the conditional `GET` of RFC 9110, section 13.
    private static func revalidated(
        _ response: HTTPResponse, for request: HTTPRequest
    ) -> HTTPResponse {
        guard let tag = response.headers["ETag"], request.headers["If-None-Match"] == tag else {
            return response
        }
        return HTTPResponse(
            status: 304,
            headers: ["ETag": tag, "Cache-Control": response.headers["Cache-Control"] ?? ""])
    }

    /// Forgets everything: a session has ended.
    func forget() {
        bySession.removeAll()
    }

    /// Of a session, with the words that it came with.
    private static func key(_ request: HTTPRequest, _ environment: StoreEnvironment) -> Key? {
        let authorization = request.headers["Authorization"]
        // Anything but a bearer token counts as none: there is no end of such headers.
        guard authorization == nil || CallerGate.bearerToken(of: request) != nil else { return nil }
        return key(request, environment, asking: authorization ?? "")
    }

    private static func key(
        _ request: HTTPRequest, _ environment: StoreEnvironment, asking: String
    ) -> Key? {
        guard let profile = request.headers[DeviceRoute.profileHeader] else { return nil }
        let locale = request.headers[DeviceRoute.localeHeader] ?? ""
        var text = Data("\(profile)\n\(asking)\n\(locale)\n".utf8)
        text.append(request.body)
        return Key(environment: environment, request: SHA256Digest.of(text))
    }

    /// The locale that texts are wanted in; `nil` for the storefront's.
    private static func locale(of request: HTTPRequest) throws -> String? {
        guard let locale = request.headers[DeviceRoute.localeHeader] else { return nil }
        guard PriceLocale.isLocale(locale) else {
            throw WireError(
                code: .malformedRequest,
                message: "The header \(DeviceRoute.localeHeader) is no locale such as de_DE.")
        }
        return locale
    }

    static func wire(
        _ product: Product, storefront: Storefront, locale: String?, for caller: Caller,
        at date: Date
    ) throws -> WireProduct {
        let environment = caller.environment
        guard let price = product.price(in: storefront, at: date) else {
            throw WireError(
                InvalidReason.notInStorefront(storefront.code), to: caller.profile.bundleId)
        }
        let text = product.text(in: storefront, locale: locale, environment: environment)
        var subscription = product.details.subscription
        subscription?.offers = product.offers(in: storefront, at: date)
        return WireProduct(
            productId: product.details.productID.text, type: product.details.type.rawValue,
            title: text.title, description: text.description, price: price,
            locale: storefront.locale, familyShareable: product.details.isFamilyShareable,
            content: product.currentRelease(in: environment).map {
                WireContentOffer(version: $0.version, lengths: [$0.downloadLength])
            }, subscription: subscription, number: product.number?.number ?? 0)
    }
}
