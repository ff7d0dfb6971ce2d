import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

/// Answers the requests to Connect's API: finds out who asks, compares the request with the
/// description, performs the operation, and makes the document of its answer.
///
/// Not a value: each of some two hundred routes would have a copy of all services.
final class ConnectEngine: Sendable {
    private let services: APIServices
    private let gate: ConnectGate

    /// - Parameter trusted: who sends all requests; nil where each request shows who sends it.
    init(services: APIServices, trusted: ConnectActor? = nil) {
        self.services = services
        self.gate = ConnectGate(
            keys: services.apiKeys, sessions: services.connectSessions, clock: services.clock,
            allowance: services.accountAllowance, trusted: trusted, report: services.report)
    }

    /// Whether what is at a path is answered in the form of App Store Connect.
    static func answers(_ path: String) -> Bool {
        ["/connect/v1/", "/connect/v2/", "/connect/openstore/"].contains {
            path.hasPrefix(scalars: $0)
        }
    }

    func routes() -> [Router.Route] {
        ConnectRouteTable.operations.map { (operation: ConnectOperation) -> Router.Route in
            Router.Route(
                operation.method, ConnectRouteTable.prefix + operation.pattern,
                admission: { [self] in await refusal(of: $0, by: operation) }
            ) { [self] request in
                .later { await self.respond(to: request, by: operation) }
            }
        }
    }

    /// Refuses a request whose body is not there yet; what its header says is looked at again
    /// once the body is, which may take long.
    private func refusal(
        of request: HTTPRequest, by operation: ConnectOperation
    ) async -> HTTPResponse? {
        guard !operation.isOpen else { return nil }
        do {
            let actor = try await actor(of: request, for: operation)
            try await operation.admit?(call(request, by: actor, of: operation))
            return nil
        } catch {
            return failure(error)
        }
    }

    /// The answer to a request that has more than `limit` bytes.
    static func tooLarge(limit: Int) -> HTTPResponse {
        .failure(
            .one(
                413, "REQUEST_ENTITY_TOO_LARGE", "The request entity is too large",
                "The body may have \(limit) bytes."))
    }

    /// The answer to one request too many.
    static func tooMany(_ error: RequestLimitExceeded) -> HTTPResponse {
        .failure(
            .one(
                429, "RATE_LIMIT_EXCEEDED", "The request rate limit has been reached.",
                error.description))
    }

    /// The answer where there is no room for one more large body.
    static func busy() -> HTTPResponse {
        var response = HTTPResponse.failure(
            .one(
                503, "SERVICE_UNAVAILABLE", "The store can't take one more file now",
                "Other files are on their way, or the store's disk takes none; try again in a "
                    + "few seconds."))
        response.headers["Retry-After"] = "2"
        return response
    }

    private func respond(
        to request: HTTPRequest, by operation: ConnectOperation
    ) async -> HTTPResponse {
        do {
            let actor =
                operation.isOpen
                ? .nobody : try await actor(of: request, for: operation)
            let call = try call(request, by: actor, of: operation)
            do {
                return try await answer(try await operation.perform(call), to: call)
            } catch let refusal as ConnectRefusal {
                throw JSONAPIErrors(refusal, in: call)
            }
        } catch {
            return failure(error)
        }
    }

    private func actor(
        of request: HTTPRequest, for operation: ConnectOperation
    ) async throws -> ConnectActor {
        if operation.takesUploadPermit,
            let actor = try UploadTokens(seals: services.seals).actor(
                of: request, at: services.clock.now())
        {
            return actor
        }
        return try await gate.actor(of: request, for: operation.permission)
    }

    private func call(
        _ request: HTTPRequest, by actor: ConnectActor, of operation: ConnectOperation
    ) throws -> ConnectCall {
        let description: APIDescription =
            operation.own == nil ? .appStoreConnect : .openStore
        guard let described = description.operation(operation.method, operation.pattern) else {
            throw UndescribedOperation(method: operation.method, pattern: operation.pattern)
        }
        let query = try ConnectQuery(request.query, by: described)
        var body = JSONValue.null
        if operation.readsDocument, let schema = described.body {
            body = try RequestBodyParser.body(
                of: request, by: schema, in: description, id: request.parameters.first)
        }
        return ConnectCall(
            services: services, actor: actor, request: request, description: description,
            query: query, body: body)
    }

    private func answer(
        _ answer: ConnectAnswer, to call: ConnectCall
    ) async throws -> HTTPResponse {
        let writer = DocumentWriter(call)
        switch answer {
        case .resource(let resource): return .document(try await writer.document(resource))
        case .created(let resource):
            return .document(try await writer.document(resource), status: 201)
        case .list(let page): return .document(try await writer.document(page))
        case .related(let resource):
            return .document(try await writer.document(optional: resource))
        case .linkage(let page): return .document(writer.linkage(page))
        case .optionalLinkage(let resource):
            return .document(try writer.linkage(optional: resource))
        case .nothing: return HTTPResponse(status: 204, headers: ["Cache-Control": "no-store"])
        case .response(let response): return response
        }
    }

    /// What goes over the wire for an error; what broke is reported and not told.
    private func failure(_ error: any Error) -> HTTPResponse {
        switch error {
        case let error as JSONAPIErrors: return .failure(error)
        case let refusal as ConnectRefusal: return .failure(JSONAPIErrors(refusal, in: nil))
        case let refusal as ContentRefusal: return .failure(JSONAPIErrors(refusal))
        case let refusal as UploadRefusal: return .failure(JSONAPIErrors(refusal))
        case let error as WireFormatError:
            return .failure(.malformed("The body is malformed: \(error.description)."))
        case let error as UploadStoreError where error.isDiskFull:
            services.report(error.description)
            return .failure(
                .one(
                    507, "INSUFFICIENT_STORAGE", "The store has no space left",
                    "The store's disk is full; ask the operator to make space."))
        case let error as RequestLimitExceeded:
            var response = Self.tooMany(error)
            response.headers["Retry-After"] = String(error.seconds)
            // As Apple's servers say it, of the hour.
            if let limit = services.accountAllowance?.perMinute {
                response.headers["X-Rate-Limit"] =
                    "user-hour-lim:\(limit * 60);user-hour-rem:0;"
            }
            return response
        case let error as PasswordsBusy:
            var response = HTTPResponse.failure(
                .one(503, "SERVICE_UNAVAILABLE", "The store is busy", error.description))
            response.headers["Retry-After"] = String(PasswordsBusy.retryDelay)
            return response
        case _ where FailureRemedy.of(error) == .otherText:
            return .failure(.malformed("A text has the character U+0000. Leave it out."))
        case _ where FailureRemedy.of(error) == .repeating:
            services.report(String(describing: error))
            var response = HTTPResponse.failure(
                .one(
                    503, "SERVICE_UNAVAILABLE", "The store is busy",
                    "The store's database does not answer at the moment. Try again."))
            response.headers["Retry-After"] = "1"
            return response
        default:
            services.report(String(describing: error))
            return .failure(
                .one(
                    500, "UNEXPECTED_ERROR", "An unexpected error occurred.",
                    "The store failed, and can't say what became of the request. Try again."))
        }
    }
}

/// An operation without a description, which a test finds.
private struct UndescribedOperation: Error, CustomStringConvertible {
    let method: HTTPMethod
    let pattern: String

    var description: String { "\(method.rawValue) \(pattern) is not described" }
}

extension HTTPResponse {
    /// A document of JSON:API.
    static func document(_ document: JSONValue, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: document.encoded())
    }
}
