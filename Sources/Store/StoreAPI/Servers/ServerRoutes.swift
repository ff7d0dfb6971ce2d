import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

/// Answers publishers' servers, in the form of Apple's App Store Server API.
///
/// Not a value: each request would copy all that the services are made of.
final class ServerRoutes: Sendable {
    private let services: APIServices
    private let gate: ServerGate
    private let limiter: RequestLimiter
    /// Tokens that are nobody's, by address: to look at one costs a signature's check, and a
    /// publisher's server has a right one.
    private let failures: RequestAllowance
    private static let failuresPerMinute = 60
    private let operations: ServerOperations
    private let responses: TransactionResponseCache

    init(services: APIServices) {
        self.services = services
        gate = ServerGate(
            database: services.database, keys: services.apiKeys, clock: services.clock,
            report: services.report)
        limiter = RequestLimiter(limit: services.serverRequestLimit)
        failures = RequestAllowance(perMinute: Self.failuresPerMinute, clock: services.clock)
        operations = ServerOperations(services: services)
        responses = TransactionResponseCache(services: services)
    }

    /// Whether it answers at a path, well or not.
    static func answers(_ path: String) -> Bool {
        StoreEnvironment.allCases.contains {
            path.hasPrefix(scalars: $0.pathPrefix + ServerRouteTable.path)
        }
    }

    func routes() -> [Router.Route] {
        StoreEnvironment.allCases.flatMap { environment in
            ServerRouteTable.rows.map { row in
                Router.Route(
                    row.method, environment.pathPrefix + row.pattern,
                    admission: { [self] in await refusal(of: $0, row, in: environment) },
                    handler: { [self] in respond(to: $0, row, in: environment) })
            }
        }
    }

    private func respond(
        to request: HTTPRequest, _ row: ServerRouteTable.Row, in environment: StoreEnvironment
    ) -> HTTPOutcome {
        do {
            let text = try ServerGate.token(of: request)
            // What takes one look into the database is answered on the connection's own thread, if
            // no other machine has to be waited for.
            if row.operation == .transaction, let token = gate.known(text),
                let answer = try transaction(request, token, text, row, in: environment)
            {
                return .now(answer)
            }
            return .later { [self] in
                do {
                    let token = try await check(text, of: request)
                    if row.operation == .transaction {
                        return try await laterTransaction(request, token, text, row, environment)
                    }
                    let caller = try await services.database.read { [self] repositories in
                        try admit(token, request, row, in: environment, repositories)
                    }
                    await services.apiKeys.noteUse(of: caller.key, services.report)
                    return try await operations.perform(row.operation, request, by: caller)
                } catch {
                    return failure(error, request)
                }
            }
        } catch {
            return .now(failure(error, request))
        }
    }

    /// Checks whose key has signed a token; an address that sends too many which are nobody's has
    /// to wait. Tokens that were checked before are taken at once.
    private func check(_ text: String, of request: HTTPRequest) async throws -> CheckedToken {
        if let known = gate.known(text) { return known }
        try failures.check(addressOf: request)
        do {
            return try await gate.check(text)
        } catch let error as ServerTokenError {
            failures.note(addressOf: request)
            throw error
        }
    }

    /// Why the body of a request is not taken; nil where it may come.
    private func refusal(
        of request: HTTPRequest, _ row: ServerRouteTable.Row, in environment: StoreEnvironment
    ) async -> HTTPResponse? {
        do {
            let token = try await check(ServerGate.token(of: request), of: request)
            _ = try await services.database.read { [self] repositories in
                try gate.caller(
                    token, of: request, for: row.permission, in: environment, repositories)
            }
            return nil
        } catch {
            return failure(error, request)
        }
    }

    /// The answer to the question that servers ask most; nil where there is something to be written
    /// down with it, or to be waited for.
    private func transaction(
        _ request: HTTPRequest, _ token: CheckedToken, _ text: String,
        _ row: ServerRouteTable.Row, in environment: StoreEnvironment
    ) throws -> HTTPResponse? {
        let now = services.clock.now()
        let question = Self.question(request, text, environment)
        let changes = try services.database.changes()
        if let known = responses.known(question, changes) {
            try limiter.count(token.keyID, at: now)
            return known
        }
        let found = try services.database.lookUp { repositories in
            let caller = try admit(token, request, row, in: environment, repositories)
            let record = try operations.transaction(request, caller, repositories)
            return (caller, record, try Self.time(of: record, repositories))
        }
        guard let (caller, record, time) = found,
            !APIKeyRules.isNews(now, after: caller.key.lastUse)
        else { return nil }
        return try CustomerClock.at(time) {
            try responses.response(to: question, record, changes, until: token.claim.expiration)
        }
    }

    /// The date of the sandbox clock that the account of a transaction follows; nil for none.
    private static func time(
        of record: TransactionRecord, _ repositories: StoreRepositories
    ) throws -> Date? {
        let details = record.entry.details
        guard details.environment == .sandbox else { return nil }
        return try repositories.sandboxClocks.date(
            for: .account(details.account, app: details.app))
    }

    /// The answer to the same question where another machine has to be waited for.
    private func laterTransaction(
        _ request: HTTPRequest, _ token: CheckedToken, _ text: String,
        _ row: ServerRouteTable.Row, _ environment: StoreEnvironment
    ) async throws -> HTTPResponse {
        let (caller, record, time) = try await services.database.read { [self] repositories in
            let caller = try admit(token, request, row, in: environment, repositories)
            let record = try operations.transaction(request, caller, repositories)
            return (caller, record, try Self.time(of: record, repositories))
        }
        await services.apiKeys.noteUse(of: caller.key, services.report)
        return try CustomerClock.at(time) {
            try responses.response(
                to: Self.question(request, text, environment), record, nil,
                until: token.claim.expiration)
        }
    }

    private static func question(
        _ request: HTTPRequest, _ token: String, _ environment: StoreEnvironment
    ) -> TransactionResponseCache.Question {
        TransactionResponseCache.Question(
            token: token, environment: environment, id: request.parameters[0])
    }

    private func admit(
        _ token: CheckedToken, _ request: HTTPRequest, _ row: ServerRouteTable.Row,
        in environment: StoreEnvironment, _ repositories: StoreRepositories
    ) throws -> ServerCaller {
        let caller = try gate.caller(
            token, of: request, for: row.permission, in: environment, repositories)
        try limiter.count(caller.key.id, at: services.clock.now())
        return caller
    }

    /// What goes over the wire for an error; what broke is reported and not told.
    private func failure(_ error: any Error, _ request: HTTPRequest) -> HTTPResponse {
        switch error {
        case let error as ServerTokenError:
            return .serverSilence(status: 401, error.sentence)
        case let error as ServerAPIError:
            return .failure(error)
        case let error as TooManyRequests:
            var response = HTTPResponse.failure(ServerAPIError(.rateLimitExceeded))
            // As Apple's servers say it: when the next one is taken, in milliseconds since 1970.
            response.headers["Retry-After"] = String(error.end.milliseconds)
            return response
        case let error as RequestLimitExceeded:
            var response = HTTPResponse.failure(ServerAPIError(.rateLimitExceeded))
            let end = services.clock.now().addingTimeInterval(TimeInterval(error.seconds))
            response.headers["Retry-After"] = String(end.milliseconds)
            return response
        case let error as TransactionRefusal:
            return .failure(ServerAPIError(error))
        case let error as RetentionRefusal:
            return .failure(ServerAPIError(error))
        case let error as ExtensionRefusal:
            return .failure(ServerAPIError(error))
        case is PicturesBusy:
            return .failure(ServerAPIError(.generalInternalRetryable, "The store is busy."))
        case is ClockNotTrusted:
            return .failure(
                ServerAPIError(
                    .generalInternalRetryable,
                    "The store's clock can't be trusted at the moment; try again later."))
        case _ where FailureRemedy.of(error) == .otherText:
            return .failure(
                ServerAPIError(.generalBadRequest, "A text has the character U+0000."))
        case _ where FailureRemedy.of(error) == .repeating:
            services.report(String(describing: error))
            return .failure(ServerAPIError(.generalInternalRetryable))
        default:
            services.report(String(describing: error))
            // Who only asked can ask again; of a change nobody knows what became of it.
            let isSafe = request.method == "GET" || request.method == "HEAD"
            return .failure(ServerAPIError(isSafe ? .generalInternalRetryable : .generalInternal))
        }
    }
}

extension ServerAPIError {
    init(_ refusal: TransactionRefusal) {
        let code: ServerErrorCode =
            switch refusal {
            case .notFound: .transactionIDNotFound
            case .accountNotFound: .accountNotFound
            case .notOriginal: .notOriginalTransactionID
            case .shared: .familyTransactionNotSupported
            }
        self.init(code)
    }
}
