import Foundation
import StoreModel

/// Makes apps, and keeps what their publishers say about them.
package struct AppService: Sendable {
    private let database: any ShopDatabase
    private let clock: any StoreClock
    private let notificationTargets: NotificationTargets

    /// - Parameter notificationTargets: where publishers may have notifications sent to.
    package init(
        database: any ShopDatabase, clock: any StoreClock,
        notificationTargets: NotificationTargets = .internet
    ) {
        self.database = database
        self.clock = clock
        self.notificationTargets = notificationTargets
    }

    // MARK: Reading

    package func apps(
        _ query: AppQuery, _ page: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<AppRecord> {
        try actor.require(.viewApps)
        return try await database.read { try $0.apps.records(query, page, team: actor.team) }
    }

    /// - Throws: `ConnectRefusal.notFound`, as all calls with an identifier.
    package func app(_ id: AppID, by actor: ConnectActor) async throws -> AppRecord {
        try actor.require(.viewApps)
        return try await database.read { try Self.record(id, seenBy: actor, $0) }
    }

    // MARK: Changing

    /// Makes an app from an explicit bundle identifier that no other app has.
    ///
    /// - Throws: `ConnectRefusal`.
    package func create(
        _ creation: AppCreation, by actor: ConnectActor
    ) async throws -> AppRecord {
        try actor.require(.manageApps)
        let name = try AppRules.name(creation.name)
        let sku = try AppRules.sku(creation.sku)
        let locale = try AppRules.locale(creation.primaryLocale)
        let now = clock.now()
        return try await database.write { repositories in
            let identifier = try BundleIdentifierService.identifier(
                creation.identifier, seenBy: actor, repositories)
            try Self.checkFree(identifier, field: "bundleId", repositories)
            guard try !repositories.apps.isTaken(sku: sku, team: identifier.team) else {
                throw ConnectRefusal(
                    .taken, rule: "skuTaken", field: "sku",
                    "An app of this team has the SKU \(sku).", help: "Choose another one.")
            }
            let record = try repositories.apps.insert(
                name: name, sku: sku, primaryLocale: locale, from: identifier)
            try repositories.audit.append(
                AuditEntry(
                    team: identifier.team, actor: actor, action: "app.create",
                    subject: record.app.bundleID.text, after: "\(name), SKU \(sku)"), at: now)
            return record
        }
    }

    package func update(
        _ id: AppID, _ change: AppChange, by actor: ConnectActor
    ) async throws -> AppRecord {
        try actor.require(.manageApps)
        let now = clock.now()
        return try await database.write { [notificationTargets] repositories in
            let earlier = try Self.record(id, seenBy: actor, repositories)
            var record = earlier
            record.attributes = try change.applied(
                to: earlier.attributes, targets: notificationTargets)
            if let locale = change.primaryLocale {
                record.primaryLocale = try AppRules.locale(locale)
            }
            var app = record.app
            if let name = change.name { app.name = try AppRules.name(name) }
            var identifier = record.identifier
            if let bundleID = change.bundleID, bundleID != app.bundleID.text {
                let other = try Self.replacement(bundleID, of: app, repositories)
                (identifier, app) = (other.id, try app.moved(to: other))
            }
            record = AppRecord(
                app: app, identifier: identifier, sku: record.sku,
                primaryLocale: record.primaryLocale, attributes: record.attributes)
            guard record != earlier else { return record }
            try repositories.apps.update(record)
            try AppListing(of: app, repositories, at: now).follow(
                isSaleChanged: false, formerName: earlier.app.name)
            try repositories.audit.append(
                AuditEntry(
                    team: app.teamID, actor: actor, action: "app.update",
                    subject: app.bundleID.text, before: earlier.summary, after: record.summary),
                at: now)
            return record
        }
    }

    /// Deletes an app that has never been more than a record.
    ///
    /// - Throws: `ConnectRefusal` with the rule `appInUse`.
    package func delete(_ id: AppID, by actor: ConnectActor) async throws {
        try actor.require(.manageApps)
        let now = clock.now()
        try await database.write { repositories in
            let record = try Self.record(id, seenBy: actor, repositories)
            let wasSubmitted = try repositories.appVersions.versions(of: id)
                .contains { $0.submitted != nil }
            guard !wasSubmitted, try repositories.apps.delete(id) else {
                throw ConnectRefusal(
                    .state, rule: "appInUse",
                    "\(record.app.name) has products, purchases, a store page or submitted versions.",
                    help: "Such an app stays; take its version and its products from sale.")
            }
            try repositories.audit.append(
                AuditEntry(
                    team: record.app.teamID, actor: actor, action: "app.delete",
                    subject: record.app.bundleID.text, before: record.summary), at: now)
        }
    }

    // MARK: Rules

    /// An app of a team that the actor sees.
    package static func record(
        _ id: AppID, seenBy actor: ConnectActor, _ repositories: StoreRepositories
    ) throws -> AppRecord {
        guard let record = try repositories.apps.record(id), actor.sees(team: record.app.teamID)
        else { throw ConnectRefusal.notFound("app", String(id.number)) }
        return record
    }

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
