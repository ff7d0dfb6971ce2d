import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreWire
import Synchronization

/// Answers to product requests, kept while the catalog stays as it is.
///
/// Apps ask the same question again and again. The answer depends on the request's
/// body, the profile, the session and the catalog; it is kept for a few seconds, so
/// that a session which another process ended does not live on here.
final class ProductAnswers: Sendable {
    /// How long an answer is good without asking about the session again, milliseconds.
    private static let lifetime: Int64 = Int64(SessionCache.lifetime * 1000)
    private static let capacity = 4096
    /// Larger answers are not kept, in bytes.
    private static let sizeLimit = 32 << 10
    /// For so many invalid identifiers of a request, similar ones are looked for.
    private static let suggestionLimit = 10

    /// What an answer depends on: of the request only a digest, for headers may be long.
    private struct Key: Hashable {
        let environment: StoreEnvironment
        let request: Data
    }

    private struct Kept {
        let response: HTTPResponse
        let generation: Int64
        let end: Int64
    }

    private let kept = Mutex<[Key: Kept]>([:])
    private let services: APIServices
    private let catalogs: CatalogCache

    init(services: APIServices, catalogs: CatalogCache) {
        self.services = services
        self.catalogs = catalogs
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
            let found = kept.withLock({ $0[key] }),
            found.end > services.clock.now().milliseconds,
            let generation = try? services.database.catalogGeneration(),
            found.generation == generation
        else { return nil }
        return Self.revalidated(found.response, for: request)
    }

    /// Works the answer out, and keeps it.
    func make(_ request: HTTPRequest, for caller: Caller) async throws -> HTTPResponse {
        let wanted = try WireCoding.decode(ProductsRequest.self, from: request.body)
        guard wanted.productIds.count <= 1000 else {
            throw WireError(
                code: .malformedRequest,
                message: "The request names \(wanted.productIds.count) products; at most 1000 are "
                    + "answered at once.")
        }
        let date = services.clock.now()
        let now = date.milliseconds
        let generation = try services.database.catalogGeneration()
        let catalog = try await catalogs.catalog(of: caller.profile.bundleId)
        let storefront = caller.account?.storefront ?? .unitedStates
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
                        product, storefront: storefront, in: caller.environment, at: date))
            case .failure(let error):
                answer.invalid.append(
                    InvalidProduct(
                        productId: identifier,
                        reason: InvalidReasonCode(rawValue: error.reason.code),
                        message: error.reason.message))
            }
        }
        var response = try HTTPResponse.json(answer)
        if case .data(let body) = response.body {
            response.headers["ETag"] = "\"\(SHA256Digest.hex(body).prefix(32))\""
        }
        response.headers["Cache-Control"] =
            "private, max-age=\(Self.lifetime(in: caller.environment))"
        if case .data(let body) = response.body, body.count <= Self.sizeLimit,
            let key = Self.key(request, caller.environment)
        {
            let end = min(now + Self.lifetime, caller.profile.expirationDate)
            kept.withLock { kept in
                if kept.count >= Self.capacity { kept.removeAll() }
                kept[key] = Kept(response: response, generation: generation, end: end)
            }
        }
        return Self.revalidated(response, for: request)
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
        kept.withLock { $0.removeAll() }
    }

    private static func key(_ request: HTTPRequest, _ environment: StoreEnvironment) -> Key? {
        let authorization = request.headers["Authorization"]
        // What is no bearer token is as good as none, but comes in any number.
        guard let profile = request.headers[DeviceRoute.profileHeader],
            authorization == nil || CallerGate.bearerToken(of: request) != nil
        else { return nil }
        var text = Data("\(profile)\n\(authorization ?? "")\n".utf8)
        text.append(request.body)
        return Key(environment: environment, request: SHA256Digest.of(text))
    }

    private static func wire(
        _ product: Product, storefront: Storefront, in environment: StoreEnvironment,
        at date: Date
    ) throws -> WireProduct {
        guard let price = product.price(in: storefront, at: date) else {
            throw WireError(InvalidReason.notInStorefront(storefront.code))
        }
        let text = product.text(in: storefront, environment: environment)
        return WireProduct(
            productId: product.details.productID.text, type: product.details.type.rawValue,
            title: text.title, description: text.description, price: price,
            locale: storefront.locale, familyShareable: product.details.isFamilyShareable,
            content: product.currentRelease(in: environment).map {
                WireContentOffer(version: $0.version, lengths: [$0.downloadLength])
            }, subscription: product.details.subscription)
    }
}
