import Foundation
import StoreModel

/// Makes apps, and keeps what their publishers say about them.
package struct AppService: Sendable {
    private let shop: Shop
    private let notificationTargets: NotificationTargets

    /// - Parameter notificationTargets: where publishers may have notifications sent to.
    package init(
        database: any ShopDatabase, clock: any StoreClock,
        notificationTargets: NotificationTargets = .internet
    ) {
        shop = Shop(database: database, clock: clock)
        self.notificationTargets = notificationTargets
    }

    // MARK: Reading

    package func apps(
        _ query: AppQuery, _ page: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<AppRecord> {
        try await shop.read(as: actor, requiring: .viewApps) {
            try $0.apps.records(query, page, team: actor.team)
        }
    }

    /// - Throws: `ConnectRefusal.notFound`, as all calls with an identifier.
    package func app(_ id: AppID, by actor: ConnectActor) async throws -> AppRecord {
        try await shop.read(as: actor, requiring: .viewApps) { try $0.appRecord(id) }
    }

    // MARK: Changing

    /// Makes an app from an explicit bundle identifier that no other app has.
    ///
    /// - Throws: `ConnectRefusal`.
    package func create(_ creation: AppCreation, by actor: ConnectActor) async throws -> AppRecord {
        try actor.require(.manageApps)
        let name = try AppRules.name(creation.name)
        let sku = try AppRules.sku(creation.sku)
        let locale = try AppRules.locale(creation.primaryLocale)
        return try await shop.write(as: actor) { work in
            let identifier = try work.bundleIdentifier(creation.identifier)
            try Self.checkFree(identifier, field: "bundleId", work)
            guard try !work.apps.isTaken(sku: sku, team: identifier.team) else {
                throw ConnectRefusal(
                    .taken, rule: "skuTaken", field: "sku",
                    "An app of this team has the SKU \(sku).", help: "Choose another one.")
            }
            let record = try work.apps.insert(
                name: name, sku: sku, primaryLocale: locale, from: identifier)
            try work.note(
                "app.create", on: record.app.bundleID.text, of: identifier.team,
                after: "\(name), SKU \(sku)")
            return record
        }
    }

    package func update(
        _ id: AppID, _ change: AppChange, by actor: ConnectActor
    ) async throws -> AppRecord {
        try await shop.write(as: actor, requiring: .manageApps) { [notificationTargets] work in
            let earlier = try work.appRecord(id)
            var record = earlier
            record.attributes = try change.applied(
                to: earlier.attributes, targets: notificationTargets)
            if let locale = change.primaryLocale {
                record.primaryLocale = try AppRules.locale(locale)
            }
            var app = record.app
            if let name = change.name, name != app.name { app.name = try AppRules.name(name) }
            var identifier = record.identifier
            if let bundleID = change.bundleID, bundleID != app.bundleID.text {
                let other = try Self.replacement(bundleID, of: app, work)
                (identifier, app) = (other.id, try app.moved(to: other))
            }
            record = AppRecord(
                app: app, identifier: identifier, sku: record.sku,
                primaryLocale: record.primaryLocale, attributes: record.attributes)
            guard record != earlier else { return record }
            try work.apps.update(record)
            try AppListing(of: app, work).follow(isSaleChanged: false, formerName: earlier.app.name)
            try work.note(
                "app.update", on: app.bundleID.text, of: app.teamID, before: earlier.summary,
                after: record.summary)
            return record
        }
    }

    /// Deletes an app that has never been more than a record.
    ///
    /// - Throws: `ConnectRefusal` with the rule `appInUse`.
    package func delete(_ id: AppID, by actor: ConnectActor) async throws {
        try await shop.write(as: actor, requiring: .manageApps) { work in
            let record = try work.appRecord(id)
            let wasSubmitted = try work.appVersions.versions(of: id)
                .contains { $0.submitted != nil }
            guard !wasSubmitted, try work.apps.delete(id) else {
                throw ConnectRefusal(
                    .state, rule: "appInUse",
                    "\(record.app.name) has products, purchases, a store page or submitted versions.",
                    help: "Such an app stays; take its version and its products from sale.")
            }
            try work.note(
                "app.delete", on: record.app.bundleID.text, of: record.app.teamID,
                before: record.summary)
        }
    }

    // MARK: Rules

    /// Refuses an identifier that no app can have.
    private static func checkFree(
        _ identifier: BundleIdentifier, field: String, _ repositories: StoreRepositories
    ) throws {
        guard !identifier.isWildcard, identifier.platform != .services else {
            throw ConnectRefusal(
                .invalid, rule: "bundleIdNotExplicit", field: field,
                "\(identifier.identifier) stands for no single app.",
                help: "Register an explicit bundle identifier for an app.")
        }
        guard identifier.app == nil else {
            throw ConnectRefusal(
                .taken, rule: "bundleIdTaken", field: field,
                "\(identifier.identifier) has an app already.",
                help: "Register another bundle identifier.")
        }
    }

    private static func replacement(
        _ text: String, of app: App, _ repositories: StoreRepositories
    ) throws -> BundleIdentifier {
        let wasSubmitted = try repositories.appVersions.versions(of: app.id)
            .contains { $0.submitted != nil }
        guard !wasSubmitted, try !repositories.apps.wasOnSale(app.id) else {
            throw ConnectRefusal(
                .state, rule: "bundleIdFixed", field: "bundleId",
                "\(app.name) was submitted or sold as \(app.bundleID).",
                help: "It keeps this bundle identifier; make another app for the new one.")
        }
        guard let identifier = try repositories.bundleIdentifiers.explicit(text),
            identifier.team == app.teamID
        else {
            throw ConnectRefusal(
                .invalid, rule: "bundleIdUnknown", field: "bundleId",
                "The team has no bundle identifier \(quoted(text)).", help: "Register it first.")
        }
        try checkFree(identifier, field: "bundleId", repositories)
        return identifier
    }
}

extension App {
    /// The same app under another identifier; profiles made for the earlier one are of no use.
    fileprivate func moved(to identifier: BundleIdentifier) throws -> App {
        guard let bundleID = BundleID(identifier.identifier.text) else {
            throw ConnectRefusal.notFound("bundle identifier", identifier.identifier.text)
        }
        return App(
            id: id, teamID: teamID, bundleID: bundleID, name: name, binaryState: binaryState,
            generation: identifier.generation)
    }
}

extension AppRecord {
    /// For the audit log.
    fileprivate var summary: String {
        let attributes = attributes
        var parts: [(String, String?)] = [
            ("name", app.name), ("bundleId", app.bundleID.text),
            ("primaryLocale", primaryLocale.text),
        ]
        parts += [
            ("contentRightsDeclaration", attributes.contentRights?.rawValue),
            ("isOrEverWasMadeForKids", attributes.isMadeForKids ? "true" : nil),
            (
                "subscriptionStatusUrl",
                attributes.statusURL.map { "\($0.url) \($0.version.rawValue)" }
            ),
            (
                "subscriptionStatusUrlForSandbox",
                attributes.sandboxStatusURL.map { "\($0.url) \($0.version.rawValue)" }
            ),
            ("streamlinedPurchasingEnabled", String(attributes.isPurchasingStreamlined)),
            ("accessibilityUrl", attributes.accessibilityURL),
        ]
        return parts.compactMap { name, value in value.map { "\(name): \($0)" } }
            .joined(separator: ", ")
    }
}

extension UnitOfWork {
    /// - Throws: `ConnectRefusal.notFound`, also for what the actor does not see.
    func app(_ id: AppID) throws -> App {
        guard let app = try catalog.app(id), actor.sees(team: app.teamID) else {
            throw ConnectRefusal.notFound("app", String(id.number))
        }
        return app
    }

    /// As `app`, with everything that its publisher says of it.
    func appRecord(_ id: AppID) throws -> AppRecord {
        guard let record = try apps.record(id), actor.sees(team: record.app.teamID)
        else { throw ConnectRefusal.notFound("app", String(id.number)) }
        return record
    }
}
