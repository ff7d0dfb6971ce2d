import Foundation
import StoreAPI
import StoreCore
import StoreHTTP
import StoreKernel
import StoreModel
import StoreWire
import Synchronization

/// Lets tests in any language do to their store what a test session does: over HTTP, on a port of
/// this machine that is not the store's own.
///
/// One request is worked on after the other. An answer says how things stand, and comes when the
/// app's server has got the notifications that were due.
package final class TestControl: Sendable {
    /// A device of the test's own, in whose name it buys.
    private static let device = "00000000-0000-4000-8000-000000000000"

    private let shop: TestShop
    private let delivery: NotificationDelivery
    private let settings: CurrentTestSettings
    /// Those that the store began with.
    private let beginning: TestSettings
    private let turn = AsyncLock()
    private let server: Mutex<HTTPServer?>

    /// - Parameters:
    ///   - settings: those of the store.
    ///   - delivery: what sends the store's notifications.
    /// - Throws: `HTTPServerError` if there is no free port.
    package init(
        shop: TestShop, settings: CurrentTestSettings, delivery: NotificationDelivery
    ) throws {
        self.shop = shop
        self.delivery = delivery
        self.settings = settings
        beginning = settings.value
        server = Mutex(nil)
        let routes = self.routes()
        let listening = try HTTPServer(
            HTTPServer.Configuration(threads: 1),
            handler: { request in
                guard request.headers["Origin"] == nil else {
                    return .now(
                        Self.failure(403, "invalidAction", "No page of a browser controls a test."))
                }
                return routes.respond(to: request)
            },
            bodyTooLarge: { _, _ in Self.failure(413, "invalidAction", "The body is too large.") })
        server.withLock { $0 = listening }
    }

    /// Scheme, host and port.
    package var address: String {
        "http://127.0.0.1:\(server.withLock { $0?.port } ?? 0)"
    }

    package func stop() { server.withLock { $0.take() }?.stop() }

    // MARK: Routes

    private func routes() -> Router {
        let action = "/v1/transactions/{id}/{action}"
        let routes = [
            route(.get, "/v1/transactions") { _, _ in },
            route(.post, "/v1/purchases", status: 201) { control, request in
                try await control.buy(request)
            },
            route(.delete, "/v1/transactions") { control, request in
                try Self.requireNoBody(request)
                try await control.shop.clear()
            },
            route(.delete, "/v1/transactions/{id}") { control, request in
                try Self.requireNoBody(request)
                try await control.shop.delete(try Self.identifier(request))
            },
            route(.post, action) { control, request in
                try Self.requireNoBody(request)
                try await control.act(
                    request.parameters[1], on: try Self.identifier(request))
            },
            route(.post, "/v1/subscriptions/{product}/{action}") { control, request in
                try Self.requireNoBody(request)
                try await control.act(
                    request.parameters[1], onSubscription: request.parameters[0])
            },
            route(.post, "/v1/clock") { control, request in
                let wanted = try TestMessages.decode(TestMessages.Advance.self, from: request.body)
                try await control.shop.advance(by: wanted.advance) {
                    await control.delivery.settle()
                }
            },
            valueRoute(.get, "/v1/clock") { control, _ in
                TestMessages.Clock(date: control.shop.clock.now().milliseconds)
            },
            valueRoute(.get, "/v1/settings") { control, _ in
                TestMessages.Settings(control.settings.value)
            },
            valueRoute(.patch, "/v1/settings") { control, request in
                TestMessages.Settings(
                    try await control.change(
                        try TestMessages.decode(TestMessages.Change.self, from: request.body)))
            },
            valueRoute(.delete, "/v1/settings") { control, request in
                try Self.requireNoBody(request)
                return TestMessages.Settings(try await control.set(control.beginning))
            },
        ]
        return Router(
            routes: routes, unknownPath: { Self.unknown($0) },
            wrongMethod: { request, methods in
                let allowed = methods.map(\.rawValue).sorted().joined(separator: ", ")
                return Self.failure(
                    405, "invalidAction",
                    "\(request.path) answers \(allowed), not \(request.method).")
            })
    }

    /// A route whose answer says how things stand.
    private func route(
        _ method: HTTPMethod, _ pattern: String, status: Int = 200,
        _ body: @escaping @Sendable (TestControl, HTTPRequest) async throws -> Void
    ) -> Router.Route {
        valueRoute(method, pattern, status: status) { control, request in
            try await body(control, request)
            await control.delivery.settle()
            return try await control.status()
        }
    }

    private func valueRoute<Value: Encodable & SendableMetatype>(
        _ method: HTTPMethod, _ pattern: String, status: Int = 200,
        _ body: @escaping @Sendable (TestControl, HTTPRequest) async throws -> Value
    ) -> Router.Route {
        Router.Route(method, pattern) { [weak self] request in
            .later { [weak self] in
                guard let self else { return Self.failure(503, "serviceUnavailable", "It stops.") }
                return await answer(status) { try await body(self, request) }
            }
        }
    }

    private func answer<Value: Encodable & SendableMetatype>(
        _ status: Int, _ body: @Sendable () async throws -> Value
    ) async -> HTTPResponse {
        await turn.wait()
        defer { turn.end() }
        do {
            return HTTPResponse(
                status: status, headers: Self.headers, body: try WireCoding.encode(try await body())
            )
        } catch let refusal as TestRefusal {
            let isUnknown =
                [.noTransactionFound, .noSubscriptionFound, .invalidProductIdentifier]
                .contains(refusal.kind)
            return Self.failure(
                isUnknown ? 404 : 409, refusal.kind.rawValue, refusal.description)
        } catch let error as WireFormatError {
            return Self.failure(400, "invalidRequest", "The body is not right: \(error).")
        } catch {
            return Self.failure(500, "serviceUnavailable", "The store failed: \(error)")
        }
    }

    private static let headers: HTTPHeaders = [
        "Content-Type": "application/json", "Cache-Control": "no-store",
    ]

    private static func failure(_ status: Int, _ error: String, _ message: String) -> HTTPResponse {
        let body = try? WireCoding.encode(TestMessages.Failure(error: error, message: message))
        return HTTPResponse(status: status, headers: headers, body: body ?? Data())
    }

    private static func unknown(_ request: HTTPRequest) -> HTTPResponse {
        failure(404, "invalidRequest", "There is nothing at \(request.path).")
    }

    private static func identifier(_ request: HTTPRequest) throws -> UInt {
        let text = request.parameters[0]
        guard let identifier = UInt(text) else {
            throw TestRefusal(.noTransactionFound, "There is no transaction \(text).")
        }
        return identifier
    }

    // MARK: What is asked

    /// Refuses a body on a route that reads none: the test that sends it expects an effect.
    private static func requireNoBody(_ request: HTTPRequest) throws {
        let text = String(decoding: request.body, as: UTF8.self)
        guard ["", "{}"].contains(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw WireFormatError("\(request.path) takes none")
        }
    }

    private func buy(_ request: HTTPRequest) async throws {
        let wanted = try TestMessages.decode(TestMessages.Purchase.self, from: request.body)
        guard wanted.offer == nil || wanted.codeOffer == nil else {
            throw WireFormatError("a purchase has one offer: either offer or codeOffer")
        }
        var order = TestShop.Order(product: wanted.productId)
        order.quantity = wanted.quantity ?? 1
        order.accountToken = wanted.appAccountToken
        order.asksToBuy = wanted.askToBuy ?? false
        order.offer = wanted.offer ?? wanted.codeOffer
        order.isCodeOffer = wanted.offer == nil && wanted.codeOffer != nil
        let app = shop.app
        _ = try await shop.buy(
            order,
            for: TestShop.Buyer(
                claim: ProfileClaim(
                    bundleID: app.bundleID,
                    applicationIdentifier: ApplicationIdentifier(app.bundleID),
                    environment: .sandbox, allowsInAppPurchase: true, generation: app.generation),
                device: Self.device))
    }

    private func act(_ action: String, on identifier: UInt) async throws {
        switch action {
        case "refund": try await shop.refund(identifier)
        case "approve": try await shop.decide(.approved, on: identifier, kind: .approval)
        case "decline": try await shop.decide(.declined, on: identifier, kind: .approval)
        case "resolve": try await shop.resolveIssue(of: identifier)
        case "enable-auto-renew": try await shop.setRenews(true, ofTransaction: identifier)
        case "disable-auto-renew": try await shop.setRenews(false, ofTransaction: identifier)
        case "request-price-consent": try await shop.askConsent(ofTransaction: identifier)
        case "consent-to-price": try await shop.answerConsent(true, ofTransaction: identifier)
        case "decline-price": try await shop.answerConsent(false, ofTransaction: identifier)
        default: throw Self.noAction(action, of: "a transaction")
        }
    }

    private func act(_ action: String, onSubscription product: String) async throws {
        switch action {
        case "expire": try await shop.endPeriod(of: product, renews: false)
        case "renew": try await shop.endPeriod(of: product, renews: true)
        default: throw Self.noAction(action, of: "a subscription")
        }
    }

    private static func noAction(_ action: String, of what: String) -> TestRefusal {
        TestRefusal(.invalidAction, "\(action) is nothing that a test does to \(what).")
    }

    private func change(_ change: TestMessages.Change) async throws -> TestSettings {
        var settings = settings.value
        settings.asksToBuy = change.askToBuy ?? settings.asksToBuy
        settings.interruptsPurchases = change.interruptedPurchases ?? settings.interruptsPurchases
        settings.failsRenewals = change.billingRetryOnRenewal ?? settings.failsRenewals
        settings.hasGracePeriod = change.billingGracePeriod ?? settings.hasGracePeriod
        if let code = change.storefront {
            guard let storefront = Storefront.named(code) else {
                throw TestRefusal(.invalidAction, "There is no storefront \(code).")
            }
            settings.storefront = storefront
        }
        return try await set(settings)
    }

    private func set(_ settings: TestSettings) async throws -> TestSettings {
        try await shop.apply(settings, over: self.settings.replace(by: settings))
        return settings
    }

    // MARK: What is answered

    private func status() async throws -> TestMessages.Status {
        let (tester, app) = (shop.tester, shop.app)
        let subject = HistorySubject(account: tester, app: app.id)
        let records = try await shop.store.database.read { repositories in
            try repositories.transactions.records(of: subject)
        }
        let statuses = try await shop.services.subscriptionStatuses.statuses(of: subject)
        let signer = shop.services.transactionSigner
        let transactions = try await shop.transactions().map { transaction in
            var message = TestMessages.Transaction(transaction)
            guard
                let record = records.first(where: { UInt($0.id.number) == transaction.identifier })
            else { return message }
            message.signedTransaction = try signer.sign(record)
            let status = statuses.first {
                $0.record.entry.original.id == record.entry.original.id
            }
            if let status, let information = status.information {
                message.signedRenewalInfo = try signer.sign(
                    signer.payload(of: information, status.record))
            }
            return message
        }
        return TestMessages.Status(
            date: shop.clock.now().milliseconds, transactions: transactions,
            receipt: try await receipt(), undeliveredNotifications: try await undelivered())
    }

    private func receipt() async throws -> String {
        guard let account = try await shop.account() else { return "" }
        let services = shop.services
        let contents = try await services.receipts.contents(
            for: account, in: shop.app, device: Self.device)
        let issuer = ReceiptIssuer(
            signer: services.receiptSigner, names: services.environmentNames)
        return try issuer.issue(
            contents,
            ReceiptRequest(deviceIdentifier: Data(repeating: 0, count: 16), applicationVersion: "1")
        ).receipt.base64EncodedString()
    }

    private func undelivered() async throws -> [TestMessages.Undelivered] {
        var query = NotificationQuery()
        query.onlyFailures = true
        let lane = AppScope(app: shop.app.id, environment: .sandbox)
        let service = shop.services.notifications
        var notifications: [StoreNotification] = []
        var cursor: String?
        repeat {
            let page = try await service.notifications(
                of: lane, query, PageRequest(limit: 200, cursor: cursor), by: .machine)
            notifications += page.items
            cursor = page.next
        } while cursor != nil
        var found: [TestMessages.Undelivered] = []
        for notification in notifications.reversed() {
            let sent = try await service.notification(notification.id, by: .machine)
            found.append(
                TestMessages.Undelivered(
                    notificationUUID: notification.uuid,
                    notificationType: notification.details.type.rawValue,
                    subtype: notification.details.subtype?.rawValue,
                    result: sent.attempts.last?.outcome.result.rawValue ?? "NO_ATTEMPT"))
        }
        return found
    }
}
