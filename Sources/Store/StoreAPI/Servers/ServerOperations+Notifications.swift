import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

extension ServerOperations {
    func sendTest(_ caller: ServerCaller) async throws -> HTTPResponse {
        guard let token = try await services.notifications.sendTest(to: Self.lane(caller)) else {
            throw ServerAPIError(.notificationURLNotFound)
        }
        return try .server(SendTestNotificationResponse(testNotificationToken: token.description))
    }

    func checkTest(_ request: HTTPRequest, _ caller: ServerCaller) async throws -> HTTPResponse {
        switch try await services.notifications.test(
            request.parameters[0], of: Self.lane(caller))
        {
        case .failure(.malformed): throw ServerAPIError(.invalidTestNotificationToken)
        case .failure(.notAvailable): throw ServerAPIError(.testNotificationNotFound)
        case .success(let sent): return try .server(try message(sent))
        }
    }

    func notificationHistory(
        _ request: HTTPRequest, _ caller: ServerCaller
    ) async throws -> HTTPResponse {
        let token = try ServerQuery(request).one("paginationToken", .invalidPaginationToken)
        let question = try NotificationHistoryRequest(ServerBody(request))
        if let transaction = question.transaction.flatMap({ TransactionID($0) }),
            question.type == nil, question.subtype == nil
        {
            // Of what was cleared nothing is told.
            _ = try await services.history.transaction(transaction, in: caller.scope)
        }
        switch try await services.notifications.history(
            question, after: token.flatMap { $0.isEmpty ? nil : $0 }, of: Self.lane(caller))
        {
        case .failure(let refusal): throw ServerAPIError(refusal)
        case .success(let page):
            return try .server(
                NotificationHistoryResponse(
                    paginationToken: page.token, hasMore: page.token != nil,
                    notificationHistory: try page.notifications.map(message)))
        }
    }

    private func message(_ sent: SentNotification) throws -> SentNotificationResponse {
        SentNotificationResponse(
            signedPayload: try services.notificationSigner.sign(sent.content),
            sendAttempts: sent.attempts.map {
                SentNotificationResponse.Attempt(
                    attemptDate: $0.date.milliseconds,
                    sendAttemptResult: $0.outcome.result.rawValue)
            })
    }

    private static func lane(_ caller: ServerCaller) -> AppScope {
        AppScope(app: caller.app.id, environment: caller.environment)
    }
}

extension NotificationHistoryRequest {
    /// - Throws: `ServerAPIError`.
    init(_ body: ServerBody) throws {
        self.init(
            start: try body.optionalDate("startDate", .invalidStartDate),
            end: try body.optionalDate("endDate", .invalidEndDate),
            type: try body.optionalText("notificationType", .invalidNotificationType),
            subtype: try body.optionalText("notificationSubtype", .invalidNotificationType),
            transaction: try body.optionalText("transactionId", .invalidTransactionID),
            onlyFailures: try body.optionalFlag("onlyFailures", .generalBadRequest) ?? false)
        if let transaction {
            switch AnyTransactionID(transaction) {
            case .transaction: break
            case .app: throw ServerAPIError(.appTransactionIDNotSupported)
            case nil: throw ServerAPIError(.invalidTransactionID)
            }
        }
    }
}

extension ServerAPIError {
    init(_ refusal: NotificationHistoryRefusal) {
        let code: ServerErrorCode =
            switch refusal {
            case .invalidStart: .invalidStartDate
            case .invalidEnd: .invalidEndDate
            case .startTooEarly: .startDateTooFarInPast
            case .startNotBeforeEnd: .startDateAfterEndDate
            case .invalidType: .invalidNotificationType
            case .tooManyFilters: .multipleFilters
            case .invalidTransaction: .invalidTransactionID
            case .transactionNotFound: .transactionIDNotFound
            case .invalidToken: .invalidPaginationToken
            case .tokenExpired: .paginationTokenExpired
            }
        self.init(code)
    }
}
