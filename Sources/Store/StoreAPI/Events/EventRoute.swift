import Foundation
import StoreCore
import StoreHTTP
import StoreModel
import StoreSecurity
import StoreWire

/// Answers the one long-lived request by which devices hear of changes.
struct EventRoute: Sendable {
    /// As many events as one answer has.
    private static let limit = 200

    let services: APIServices
    let sessions: SessionCache
    let catalogs: CatalogCache

    /// Without `after` tells where the events stand; with it gives those behind, and waits
    /// for some as long as `wait` says. With `history`, where the account's history stood in the
    /// answer before, a change of it ends the wait, too.
    func answer(_ request: HTTPRequest, _ caller: Caller) async throws -> HTTPResponse {
        let account = try caller.signedIn()
        let catalog = try await catalogs.catalog(of: caller)
        let deadline = services.clock.now().addingTimeInterval(
            TimeInterval(try number("wait", in: request, default: 0, upTo: DeviceRoute.longestWait))
        )
        let after = Int64(try number("after", in: request, default: -1, upTo: Int.max))
        let history = Int64(try number("history", in: request, default: -1, upTo: Int.max))
        let subscriber = EventHub.Subscriber(
            account: account.id, app: catalog.app.id, environment: account.environment,
            device: caller.device)
        while true {
            // Looked at first: what is added after these lines is behind it.
            let nudges = services.events.nudges
            let last = try await services.database.lastEvent()
            let known = after < 0 ? last : DeviceEventID(number: after)
            let subject = HistorySubject(account: account.id, app: catalog.app.id)
            let (cursor, events, told, open, time, revision) = try await services.database.read {
                repositories in
                // A device that is sent back looks at everything, and comes again for the events.
                let cursor = try repositories.events.resumption(after: known, heard: last)
                let open = try repositories.offers.openConsents(
                    account: account.id, app: catalog.app.id)
                let events =
                    cursor != known
                    ? []
                    : try repositories.events.events(
                        account: account.id, in: account.environment, app: catalog.app.id,
                        after: cursor, limit: Self.limit)
                return (
                    cursor, events, try unsold(events, of: subscriber, repositories), open,
                    open.isEmpty
                        ? nil
                        : try repositories.sandboxClocks.date(
                            for: .account(account.id, app: catalog.app.id)),
                    try repositories.transactions.lastRevision(of: subject)
                )
            }
            let answer = EventsAnswer(
                cursor: (events.last?.id ?? cursor).number, events: told.map(WireEvent.init),
                consents: open.compactMap {
                    consent($0, of: account, in: catalog, at: time ?? services.clock.now())
                }, history: revision.number == 0 ? nil : revision.number)
            guard events.isEmpty, cursor.number == after,
                history < 0 || history == revision.number, services.clock.now() < deadline,
                services.events.isOpen
            else { return try .json(answer) }
            // Its end nudges, too, and may have come before `nudges`.
            try await requireSession(caller)
            let end = await services.events.wait(
                subscriber, after: max(last, known), nudges: nudges, until: deadline)
            try await requireSession(caller)
            if end == .leave { return try .json(answer) }
        }
    }

    /// Events without the payments begun in the store for which the device has bought something: a
    /// device that hears events anew, after a return to a backup, would buy it again.
    private func unsold(
        _ events: [DeviceEvent], of subscriber: EventHub.Subscriber,
        _ repositories: StoreRepositories
    ) throws -> [DeviceEvent] {
        try events.filter { event in
            guard case .storePayment = event.kind else { return true }
            let key = PurchaseKey(
                storePayment: event.id.number,
                deviceDigest: SHA256Digest.hex(Data(subscriber.device.utf8)))
            return try repositories.ledger.entry(
                key: key.text, account: subscriber.account, app: subscriber.app) == nil
        }
    }

    /// The session may have ended while the request waited, and just now: what was read before does not
    /// count.
    private func requireSession(_ caller: Caller) async throws {
        caller.token.map(sessions.forget)
        guard let token = caller.token,
            try await sessions.account(token: token, environment: caller.environment) != nil
        else { throw WireError.notSignedIn }
    }

    private func consent(
        _ consent: PriceConsent, of account: Account, in catalog: AppCatalog, at date: Date
    ) -> WireConsent? {
        guard let product = catalog.products[consent.details.productID],
            let price = product.price(in: account.storefront, at: date),
            consent.details.isAsked(in: price.currency)
        else { return nil }
        return WireConsent(
            id: consent.id.number, productId: consent.details.productID.text,
            title: product.text(in: account.storefront, environment: account.environment).title,
            currentPrice: consent.details.currentPrice ?? price,
            newPrice: Money(thousandths: consent.details.newPrice, currency: price.currency),
            locale: account.storefront.locale)
    }

    /// A number of the query.
    private func number(
        _ name: String, in request: HTTPRequest, default missing: Int, upTo limit: Int
    ) throws -> Int {
        guard let text = request.query.first(where: { $0.name == name })?.value else {
            return missing
        }
        guard let number = Int(text), (0...limit).contains(number) else {
            throw WireError(
                code: .malformedRequest,
                message:
                    "\(name) is \"\(text.prefix(40))\"; it must be a number from 0 to \(limit).")
        }
        return number
    }
}

extension WireEvent {
    init(_ event: DeviceEvent) {
        switch event.kind {
        case .transactions:
            self.init(id: event.id.number, kind: .transactions, productId: nil)
        case .revocation(let product):
            self.init(id: event.id.number, kind: .revocation, productId: product.text)
        case .storePayment(let product):
            self.init(id: event.id.number, kind: .storePayment, productId: product.text)
        case .priceConsent:
            self.init(id: event.id.number, kind: .priceConsent, productId: nil)
        case .contentVersion(let product):
            self.init(id: event.id.number, kind: .contentVersion, productId: product.text)
        case .subscription:
            self.init(id: event.id.number, kind: .subscription, productId: nil)
        }
    }
}
