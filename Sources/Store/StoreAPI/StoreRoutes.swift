import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreWire

/// Makes the router of the store: the device interface below each environment, and the
/// few routes that are for everybody.
///
/// Not a value: each request would copy all that the services are made of.
package final class StoreRoutes: Sendable {
    private let services: APIServices
    private let gate: CallerGate
    private let products: ProductResponseCache
    private let delivery: ContentDelivery
    private let operations: DeviceOperations
    private let customers: CustomerApps

    package init(services: APIServices) {
        self.services = services
        let sessions = SessionCache(accounts: services.accounts, clock: services.clock)
        self.gate = CallerGate(
            sessions: sessions,
            profiles: ProfileGate(
                verifier: services.verifier, clock: services.clock,
                revokedCertificates: services.revokedCertificates),
            allowance: services.accountAllowance)
        let catalogs = CatalogCache(service: services.catalog, database: services.database)
        self.products = ProductResponseCache(services: services, catalogs: catalogs)
        self.delivery = ContentDelivery(services: services)
        self.operations = DeviceOperations(
            services: services, sessions: sessions, catalogs: catalogs, products: products,
            delivery: delivery)
        self.customers = CustomerApps(services: services, sessions: sessions, delivery: delivery)
    }

    /// - Parameters:
    ///   - pages: routes beside the store's own, such as those of its pages.
    ///   - unknownPage: answers for addresses of people where there is nothing; nil for
    ///     those of programs.
    ///   - trusted: who sends all requests to Connect's API, for a router that nobody else
    ///     reaches; nil where each request shows who sends it.
    package func router(
        adding pages: [Router.Route] = [], trusting trusted: ConnectActor? = nil,
        unknownPage: @escaping @Sendable (HTTPRequest) -> HTTPResponse? = { _ in nil }
    ) throws -> Router {
        var routes = pages
        for environment in StoreEnvironment.allCases {
            routes += DeviceRouteTable.rows.map { route($0, in: environment) }
        }
        routes += ConnectEngine(services: services, trusted: trusted).routes()
        routes += ServerRoutes(services: services).routes()
        routes += VerifyReceiptRoutes(services: services).routes()
        routes += FeedRoutes(services: services).routes()
        routes += MediaRoutes(
            itemMedia: services.itemMedia, window: services.mediaWindow, report: services.report
        ).routes()
        routes += StorefrontRoutes(services: services).routes()
        routes += OCSPRoutes(
            clock: services.clock, status: services.certificateStatus
        ).routes()
        routes += try openRoutes()
        return Router(
            routes: routes,
            unknownPath: { request in
                unknownPage(request) ?? Self.unknown(request.path)
            },
            wrongMethod: { request, allowed in
                if VerifyReceiptRoutes.answers(request.path) {
                    return .verification(.unreadable)
                }
                let names = allowed.map(\.rawValue).joined(separator: ", ")
                let message = "\(request.path) does not take \(request.method); use \(names)."
                var response =
                    ServerRoutes.answers(request.path)
                    ? .serverSilence(status: 405, message)
                    : ConnectEngine.answers(request.path)
                        ? HTTPResponse.failure(
                            JSONAPIErrors.one(
                                405, "METHOD_NOT_ALLOWED", "The method is not allowed", message))
                        : .failure(WireError(code: .methodNotAllowed, message: message))
                response.headers["Allow"] = names
                return response
            })
    }

    /// The answer to a request whose body is too large, in the form of what is at the path.
    package static func bodyTooLarge(_ path: String, limit: Int) -> HTTPResponse {
        if VerifyReceiptRoutes.answers(path) { return .verification(.malformed) }
        if ConnectEngine.answers(path) { return ConnectEngine.tooLarge(limit: limit) }
        if ServerRoutes.answers(path) {
            let isImage = ServerRouteTable.largestBody(path) != nil
            return .failure(
                ServerAPIError(
                    isImage ? .invalidImage : .generalBadRequest,
                    "The body has more than \(limit) bytes."))
        }
        return .failure(
            WireError(
                code: .bodyTooLarge, message: "The body has more than \(limit) bytes."))
    }

    /// The answer to a request whose form leaves doubts, in the form of what is at the path.
    package static func malformed(_ path: String, _ problem: MalformedRequest) -> HTTPResponse {
        if VerifyReceiptRoutes.answers(path) { return .verification(.malformed) }
        if ServerRoutes.answers(path) {
            return .failure(ServerAPIError(.generalBadRequest, problem.sentence))
        }
        if ConnectEngine.answers(path) {
            let title =
                problem == .nullInAddress
                ? "The address can't be read" : "The request can't be read"
            return .failure(JSONAPIErrors.one(400, "BAD_REQUEST", title, problem.sentence))
        }
        return .failure(WireError(code: .malformedRequest, message: problem.sentence))
    }

    /// The answer where there is nothing at a path, in the form of what else is there.
    package static func unknown(_ path: String) -> HTTPResponse {
        let message = "There is nothing at \(path)."
        if ServerRoutes.answers(path) { return .serverSilence(status: 404, message) }
        return ConnectEngine.answers(path)
            ? .failure(JSONAPIErrors.notFound(message))
            : .failure(WireError(code: .unknownRoute, message: message))
    }

    /// The answer to a request for whose body there is no room now.
    package static func busy(_ path: String) -> HTTPResponse {
        if VerifyReceiptRoutes.answers(path) { return .verification(.unavailable) }
        if ConnectEngine.answers(path) { return ConnectEngine.busy() }
        if ServerRoutes.answers(path) {
            return .failure(ServerAPIError(.generalInternalRetryable, "The store is busy."))
        }
        var response = HTTPResponse.failure(
            WireError(code: .storeUnavailable, message: "The store is busy. Try again."))
        response.headers["Retry-After"] = "2"
        return response
    }

    /// The answer to a request that outlasts the store, in the form of what is at the path.
    package static func stopping(_ request: HTTPServer.Unanswered) -> HTTPResponse {
        if VerifyReceiptRoutes.answers(request.path) { return .verification(.unavailable) }
        if ServerRoutes.answers(request.path) {
            // Who only asked can ask again; of a change that was begun nobody knows what became.
            let isSafe =
                !request.hasBegun || request.method == HTTPMethod.get.rawValue
                || request.method == "HEAD"
            return .failure(
                ServerAPIError(
                    isSafe ? .generalInternalRetryable : .generalInternal,
                    "The store is stopping."))
        }
        return .failure(
            WireError(
                code: .storeUnavailable,
                message: "The store is stopping; what was asked for may have happened. Try again."))
    }

    private func route(
        _ row: DeviceRouteTable.Row, in environment: StoreEnvironment
    ) -> Router.Route {
        Router.Route(row.method, environment.pathPrefix + row.pattern) { [self] request in
            if row.access == .grant {
                do {
                    return try delivery.respond(to: request)
                } catch {
                    return .now(failure(error))
                }
            }
            if row.operation == .products, let known = products.known(request, in: environment),
                !gate.profiles.isRevoked(request)
            {
                return .now(known)
            }
            return .later { [self] in
                do {
                    if row.access == .anyone || row.access == .customer {
                        return try await customers.perform(row, request, in: environment)
                    }
                    let caller = try await gate.caller(
                        of: request, access: row.access, environment: environment)
                    return try await operations.perform(row.operation, request, by: caller)
                } catch {
                    return failure(error)
                }
            }
        }
    }

    /// The health check `/healthz`, the root certificate, and the description of our part of Connect's API.
    private func openRoutes() throws -> [Router.Route] {
        let pem = Data(try services.verifier.root.pem().utf8)
        let der = try services.verifier.root.der()
        return [
            Router.Route(.get, "/healthz") { [self] _ in
                .later { [self] in
                    do {
                        _ = try await services.database.catalogGeneration()
                        return try .json(["status": "ok"])
                    } catch {
                        return failure(error)
                    }
                }
            },
            Router.Route(.get, ConnectRouteTable.descriptionPath) { _ in
                .now(.document(APIDescription.openStore.document))
            },
            Router.Route(.get, "/.well-known/openstore/root.pem") { _ in
                .now(
                    HTTPResponse(
                        status: 200, headers: ["Content-Type": "application/x-pem-file"],
                        body: pem))
            },
            Router.Route(.get, "/.well-known/openstore/root.der") { _ in
                .now(
                    HTTPResponse(
                        status: 200, headers: ["Content-Type": "application/pkix-cert"],
                        body: der))
            },
        ]
    }

    /// What goes over the wire for an error; what broke is reported and not told.
    private func failure(_ error: any Error) -> HTTPResponse {
        switch error {
        case let error as WireError:
            return .failure(error)
        case let error as WireFormatError:
            return .failure(
                WireError(
                    code: .malformedRequest,
                    message: "The request is malformed: \(error.description)."))
        case let error as RequestLimitExceeded:
            var response = HTTPResponse.failure(WireError(error))
            response.status = 429
            response.headers["Retry-After"] = String(error.seconds)
            return response
        case let delay as SignInDelay:
            var response = HTTPResponse.failure(
                WireError(
                    code: .storeUnavailable,
                    message: "There were too many wrong codes; try "
                        + "again in \(delay.minutes == 1 ? "a minute" : "\(delay.minutes) minutes")."
                ))
            response.status = 429
            response.headers["Retry-After"] = String(delay.minutes * 60)
            return response
        case let error as PasswordsBusy:
            var response = HTTPResponse.failure(
                WireError(code: .storeUnavailable, message: error.description))
            response.headers["Retry-After"] = String(PasswordsBusy.retryDelay)
            return response
        case _ where FailureRemedy.of(error) == .otherText:
            return .failure(
                WireError(
                    code: .malformedRequest,
                    message: "A text of the request has the character U+0000. Leave it out."))
        case _ where FailureRemedy.of(error) == .repeating:
            services.report(String(describing: error))
            var response = HTTPResponse.failure(
                WireError(
                    code: .storeUnavailable,
                    message: "The store's database does not answer at the moment. Try again."))
            response.headers["Retry-After"] = "1"
            return response
        default:
            services.report(String(describing: error))
            return .failure(
                WireError(
                    code: .internalError,
                    message:
                        "The store failed, and can't say what became of the request. Try again."))
        }
    }
}
