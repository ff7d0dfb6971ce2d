import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

/// Messages to customers who are about to cancel.
extension ServerOperations {
    func performMessaging(
        _ operation: ServerOperation, _ request: HTTPRequest, by caller: ServerCaller
    ) async throws -> HTTPResponse {
        switch operation {
        case .addImage: return try await addImage(request, caller)
        case .deleteImage:
            try await services.retention.deleteImage(
                try Self.name(request, .imageNotFound), of: caller.scope)
            return .serverDone()
        case .images: return try await images(caller)
        case .addMessage:
            let id = try Self.name(request, .generalBadRequest)
            try await services.retention.addMessage(
                RetentionMessage.Content(ServerBody(request)), as: id, of: caller.scope)
            return .serverDone()
        case .deleteMessage:
            try await services.retention.deleteMessage(
                try Self.name(request, .messageNotFound), of: caller.scope)
            return .serverDone()
        case .messages: return try await messages(caller)
        case .setDefaultMessage: return try await setDefault(request, caller)
        case .deleteDefaultMessage:
            try await services.retention.deleteDefault(
                for: request.parameters[0], request.parameters[1], of: caller.scope)
            return .serverDone()
        case .defaultMessage:
            let id = try await services.retention.defaultMessage(
                for: request.parameters[0], request.parameters[1], of: caller.scope)
            return try .server(DefaultConfigurationResponse(messageIdentifier: id.text))
        case .setRealtimeURL:
            try await services.realtime.setURL(
                try ServerBody(request).text("realtimeURL", .invalidRealtimeURL),
                of: caller.scope)
            return .serverDone()
        case .deleteRealtimeURL:
            try await services.realtime.deleteURL(of: caller.scope)
            return .serverDone()
        case .realtimeURL:
            return try .server(
                RealtimeUrlResponse(
                    realtimeURL: try await services.realtime.url(of: caller.scope)))
        case .beginPerformanceTest: return try await beginTest(request, caller)
        case .performanceTest: return try await test(request, caller)
        default: preconditionFailure("\(operation) is none of the operations with messages")
        }
    }

    private func addImage(
        _ request: HTTPRequest, _ caller: ServerCaller
    ) async throws -> HTTPResponse {
        let id = try Self.name(request, .generalBadRequest)
        var size = RetentionImage.Size.full
        if let text = try ServerQuery(request).one("imageSize", .invalidImageSize) {
            guard let named = RetentionImage.Size(rawValue: text) else {
                throw ServerAPIError(.invalidImageSize)
            }
            size = named
        }
        try await services.retention.addImage(
            try request.wholeBody(), as: id, size, of: caller.scope)
        return .serverDone()
    }

    private func images(_ caller: ServerCaller) async throws -> HTTPResponse {
        try .server(
            GetImageListResponse(
                imageIdentifiers: try await services.retention.images(of: caller.scope).map {
                    GetImageListResponse.Item(
                        imageIdentifier: $0.id.text, imageState: $0.state.rawValue,
                        imageSize: $0.size.rawValue)
                }))
    }

    private func messages(_ caller: ServerCaller) async throws -> HTTPResponse {
        try .server(
            GetMessageListResponse(
                messageIdentifiers: try await services.retention.messages(of: caller.scope).map {
                    GetMessageListResponse.Item(
                        messageIdentifier: $0.id.text, messageState: $0.state.rawValue)
                }))
    }

    private func setDefault(
        _ request: HTTPRequest, _ caller: ServerCaller
    ) async throws -> HTTPResponse {
        let text = try ServerBody(request).text("messageIdentifier", .messageNotFound)
        guard let id = RetentionID(text) else { throw ServerAPIError(.messageNotFound) }
        try await services.retention.setDefault(
            id, for: request.parameters[0], request.parameters[1], of: caller.scope)
        return .serverDone()
    }

    // MARK: Tests

    private func beginTest(
        _ request: HTTPRequest, _ caller: ServerCaller
    ) async throws -> HTTPResponse {
        let text = try ServerBody(request).text("originalTransactionId", .invalidPerformanceTest)
        let id: TransactionID
        switch AnyTransactionID(text) {
        case .transaction(let number): id = number
        case .app: throw ServerAPIError(.appTransactionIDNotSupported)
        case nil: throw ServerAPIError(.invalidOriginalTransactionID)
        }
        let test = try await Self.original {
            try await services.realtime.begin(id, of: caller.scope)
        }
        return try .server(
            PerformanceTestResponse(
                config: PerformanceTestConfig(test.plan), requestId: test.id))
    }

    private func test(_ request: HTTPRequest, _ caller: ServerCaller) async throws -> HTTPResponse {
        guard let id = UUID(uuidString: request.parameters[0]) else {
            throw ServerAPIError(.invalidRequestID)
        }
        let test = try await services.realtime.test(id, of: caller.scope)
        return try .server(PerformanceTestResultResponse(test))
    }

    /// What a publisher has named something.
    ///
    /// - Parameter error: for what is no name.
    private static func name(
        _ request: HTTPRequest, _ error: ServerErrorCode
    ) throws -> RetentionID {
        guard let id = RetentionID(request.parameters[0]) else {
            throw ServerAPIError(error, "The identifier in the address is not a UUID.")
        }
        return id
    }
}

extension PerformanceTestConfig {
    package init(_ plan: PerformanceTest.Plan) {
        self.init(
            maxConcurrentRequests: plan.concurrentRequests, totalRequests: plan.requests,
            totalDuration: plan.duration, responseTimeThreshold: plan.threshold,
            successRateThreshold: plan.successRate)
    }
}

extension PerformanceTestResultResponse {
    init(_ test: PerformanceTest) {
        let result = test.result
        self.init(
            config: PerformanceTestConfig(test.plan), target: test.url,
            result: result.map { $0.isPassed ? "PASS" : "FAIL" } ?? "PENDING",
            numPending: result == nil ? max(0, test.plan.requests - test.answered) : 0,
            successRate: result?.successRate,
            responseTimes: result.map {
                Times(average: $0.average, p50: $0.p50, p90: $0.p90, p95: $0.p95, p99: $0.p99)
            }, failures: result?.failures)
    }
}
