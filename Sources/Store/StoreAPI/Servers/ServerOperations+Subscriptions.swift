import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

extension ServerOperations {
    func statuses(_ request: HTTPRequest, _ caller: ServerCaller) async throws -> HTTPResponse {
        let id = try Self.anyID(in: request)
        let wanted = try Set(
            ServerQuery(request).all("status").map { text in
                guard let status = Int(text), (1...5).contains(status) else {
                    throw ServerAPIError(.invalidStatus)
                }
                return status
            })
        var groups: [StatusResponse.Group] = []
        for status in try await services.subscriptionStatuses.statuses(of: id, in: caller.scope)
        where wanted.isEmpty || wanted.contains(status.status) {
            let item = try self.item(status)
            if let known = groups.firstIndex(where: {
                $0.subscriptionGroupIdentifier == status.group
            }) {
                groups[known].lastTransactions.append(item)
            } else {
                groups.append(
                    StatusResponse.Group(
                        subscriptionGroupIdentifier: status.group, lastTransactions: [item]))
            }
        }
        return try .server(
            StatusResponse(
                environment: signer.names.name(of: caller.environment),
                bundleId: caller.app.bundleID.text,
                appAppleId: Self.appleID(caller), data: groups))
    }

    private func item(_ status: SubscriptionStatus) throws -> StatusResponse.Item {
        StatusResponse.Item(
            status: status.status,
            originalTransactionId: status.record.entry.original.id.description,
            signedTransactionInfo: try signer.sign(status.record),
            signedRenewalInfo: try status.information.map {
                try signer.sign($0, of: status.record)
            })
    }

    func extend(_ request: HTTPRequest, _ caller: ServerCaller) async throws -> HTTPResponse {
        let id = try Self.transactionID(in: request, .invalidOriginalTransactionID)
        let body = try ServerBody(request)
        let wanted = ExtensionService.Request(
            days: try body.integer("extendByDays", in: ExtensionRules.days, .invalidExtendByDays),
            reason: try Self.reason(body), identifier: try Self.identifier(body))
        switch try await services.extensions.extend(
            id, in: caller.app.id, caller.environment, wanted)
        {
        case .failure(let refusal): throw ServerAPIError(refusal)
        case .success(let made):
            let period = try await services.database.read {
                try $0.transactions.record(made.period)
            }
            return try .server(
                ExtendRenewalDateResponse(
                    originalTransactionId: id.description,
                    webOrderLineItemId: period?.webOrderLineItem?.description, success: true,
                    effectiveDate: made.expiration.milliseconds))
        }
    }

    func extendMany(_ request: HTTPRequest, _ caller: ServerCaller) async throws -> HTTPResponse {
        let body = try ServerBody(request)
        let days = try body.integer(
            "extendByDays", in: ExtensionRules.days, .invalidExtendByDays)
        let (reason, identifier) = (try Self.reason(body), try Self.identifier(body))
        guard let product = ProductID(try body.text("productId", .invalidProductID)) else {
            throw ServerAPIError(.invalidProductID)
        }
        let work = MassExtension(
            app: caller.app.id, environment: caller.environment, request: identifier,
            product: product, days: days, reason: reason, storefronts: try Self.storefronts(body),
            date: services.clock.now())
        guard try await services.extensions.begin(work) else {
            throw ServerAPIError(
                .invalidProductID, "The app has no auto-renewable subscription of this name.")
        }
        return try .server(MassExtendRenewalDateResponse(requestIdentifier: identifier))
    }

    func massExtension(
        _ request: HTTPRequest, _ caller: ServerCaller
    ) async throws -> HTTPResponse {
        let (product, identifier) = (request.parameters[0], request.parameters[1])
        guard ProductID(product) != nil else { throw ServerAPIError(.invalidProductID) }
        guard ExtensionRules.isIdentifier(identifier) else {
            throw ServerAPIError(.invalidRequestIdentifier)
        }
        let work = try await services.extensions.massExtension(
            identifier, product: product, app: caller.app.id, in: caller.environment)
        guard let work else { throw ServerAPIError(.extensionRequestNotFound) }
        let isComplete = work.completion != nil
        return try .server(
            MassExtendRenewalDateStatusResponse(
                requestIdentifier: identifier, complete: isComplete,
                completeDate: work.completion?.milliseconds,
                succeededCount: isComplete ? work.succeeded : nil,
                failedCount: isComplete ? work.failed : nil))
    }

    // MARK: Bodies

    private static func reason(_ body: ServerBody) throws -> ExtensionReason {
        let number = try body.integer("extendReasonCode", in: 0...3, .invalidExtendReasonCode)
        guard let reason = ExtensionReason(rawValue: number) else {
            throw ServerAPIError(.invalidExtendReasonCode)
        }
        return reason
    }

    private static func identifier(_ body: ServerBody) throws -> String {
        let text = try body.text("requestIdentifier", .invalidRequestIdentifier)
        guard ExtensionRules.isIdentifier(text) else {
            throw ServerAPIError(.invalidRequestIdentifier)
        }
        return text
    }

    /// Alpha-3 codes; nil for everywhere.
    private static func storefronts(_ body: ServerBody) throws -> [String]? {
        guard let value = body["storefrontCountryCodes"] else { return nil }
        guard let codes = value.elements else { throw ServerAPIError(.invalidStorefront) }
        guard !codes.isEmpty else { throw ServerAPIError(.emptyStorefrontList) }
        return try codes.map { code in
            guard let text = code.text, Storefront.named(text)?.code == text else {
                throw ServerAPIError(.invalidStorefront)
            }
            return text
        }
    }
}

extension ServerAPIError {
    init(_ refusal: ExtensionRefusal) {
        let code: ServerErrorCode =
            switch refusal {
            case .notFound: .originalTransactionIDNotFound
            case .notOriginal: .notOriginalTransactionID
            case .notSubscription: .transactionTypeNotSupported
            case .notActive: .extensionIneligible
            case .shared: .sharedExtensionIneligible
            case .tooOften: .extensionsUsed
            case .identifierUsed: .invalidRequestIdentifier
            }
        self.init(
            code,
            refusal == .identifierUsed
                ? "The requestIdentifier was used for another request; send this one under its own."
                : nil)
    }
}
