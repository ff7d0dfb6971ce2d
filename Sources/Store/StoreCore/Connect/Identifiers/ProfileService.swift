import Foundation
import StoreModel

/// Makes provisioning profiles and knows which of them are in force.
package struct ProfileService: Sendable {
    /// How long a profile is valid.
    package static let lifetime: TimeInterval = 365 * 86_400

    private let shop: Shop
    private let signer: any ProfileSigner

    package init(database: any ShopDatabase, clock: any StoreClock, signer: any ProfileSigner) {
        shop = Shop(database: database, clock: clock)
        self.signer = signer
    }

    // MARK: Reading

    package func profiles(
        _ query: ProfileQuery, _ page: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<Profile> {
        try await shop.read(as: actor, requiring: .viewApps) {
            try $0.profiles.profiles(query, page, team: actor.team, at: $0.now)
        }
    }

    /// - Throws: `ConnectRefusal.notFound`, as all calls with an identifier.
    package func profile(_ id: ProfileID, by actor: ConnectActor) async throws -> Profile {
        try await shop.read(as: actor, requiring: .viewApps) { try Self.profile(id, $0) }
    }

    // MARK: Changing

    /// Makes a profile for a bundle identifier of a team.
    ///
    /// - Parameters:
    ///   - uuid: a new one.
    ///   - address: scheme, host and port that devices reach the store at; nil where nobody
    ///     whose word counts has said.
    /// - Throws: `ConnectRefusal`, or what the signer throws.
    package func create(
        _ draft: ProfileDraft, uuid: UUID, address: String?, by actor: ConnectActor
    ) async throws -> Profile {
        try actor.require(draft.type.permission)
        let name = try ConnectText.checked(draft.name, field: "name", name: "name", in: 1...100)
        let now = shop.clock.now()
        let signed = try await sign(
            name, draft.type, for: draft.bundleIdentifier, address: address, at: now, by: actor)
        return try await shop.write(as: actor) { work in
            let identifier = try Self.unchanged(signed.identifier, work)
            guard try work.profiles.profile(named: name, of: identifier.team) == nil else {
                throw ConnectRefusal(
                    .taken, rule: "profileNameTaken", field: "name",
                    "There is a profile \(quoted(name)) already.",
                    help: "Choose another name, or delete that one.")
            }
            let profile = try work.profiles.insert(
                Profile(
                    id: ProfileID(number: 0), team: identifier.team, name: name, type: draft.type,
                    uuid: uuid.uuidString.lowercased(), bundleIdentifier: identifier.id,
                    identifier: identifier.identifier, generation: identifier.generation,
                    currentGeneration: identifier.generation, content: signed.text, created: now,
                    expires: now.addingTimeInterval(Self.lifetime)))
            try work.note(
                "profile.create", on: name, of: identifier.team,
                after: "\(draft.type.rawValue), \(identifier.identifier)")
            return profile
        }
    }

    /// Makes a profile anew, with the configuration that its bundle identifier has now.
    ///
    /// - Throws: `ConnectRefusal` with the rule `profileIdentifierDeleted`, or others.
    package func renew(
        _ id: ProfileID, uuid: UUID, address: String?, by actor: ConnectActor
    ) async throws -> Profile {
        let earlier = try await profile(id, by: actor)
        try actor.require(earlier.type.permission)
        guard let bundleIdentifier = earlier.bundleIdentifier else {
            throw ConnectRefusal(
                .state, rule: "profileIdentifierDeleted",
                "The bundle identifier \(earlier.identifier) was deleted.",
                help: "Delete the profile, and make one for another bundle identifier.")
        }
        let now = shop.clock.now()
        let signed = try await sign(
            earlier.name, earlier.type, for: bundleIdentifier, address: address, at: now,
            by: actor)
        return try await shop.write(as: actor) { work in
            let identifier = try Self.unchanged(signed.identifier, work)
            var profile = try Self.profile(id, work)
            profile.uuid = uuid.uuidString.lowercased()
            profile.generation = identifier.generation
            profile.content = signed.text
            profile.created = now
            profile.expires = now.addingTimeInterval(Self.lifetime)
            try work.profiles.update(profile)
            try work.note(
                "profile.renew", on: earlier.name, of: identifier.team, before: earlier.uuid,
                after: profile.uuid)
            return profile
        }
    }

    /// How long the profile of an app is valid that the store delivers: apps that are never updated
    /// go on selling. Like any other it is of no use once its bundle identifier changes.
    private static let deliveredLifetime: TimeInterval = 10 * 365 * 86_400

    /// The text of the profile that comes with an app which the store delivers. It is made for each
    /// delivery, and no record is kept of it.
    ///
    /// - Parameter address: scheme, host and port that devices reach the store at.
    /// - Throws: `ConnectRefusal.notFound`, or what the signer throws.
    package func delivered(
        with app: AppID, in environment: StoreEnvironment, address: String
    ) async throws -> String {
        let found = try await shop.read { work in
            try work.apps.record(app).flatMap { record in
                try work.bundleIdentifiers.find(record.identifier).map {
                    (app: record.app, identifier: $0)
                }
            }
        }
        guard let found else { throw ConnectRefusal.notFound("app", String(app.number)) }
        let now = shop.clock.now()
        return try signer.sign(
            ProfileContent(
                name: found.app.name, bundleID: found.app.bundleID,
                applicationIdentifier: found.identifier.identifier, environment: environment,
                address: address, allowsInAppPurchase: found.identifier.allowsInAppPurchase,
                generation: found.identifier.generation, created: now,
                expires: now.addingTimeInterval(Self.deliveredLifetime)))
    }

    /// Deletes the record of a profile. Apps that carry the file go on with it until it
    /// expires or its bundle identifier changes.
    package func delete(_ id: ProfileID, by actor: ConnectActor) async throws {
        try await shop.write(as: actor, requiring: .manageDevelopmentProfiles) { work in
            let profile = try Self.profile(id, work)
            try actor.require(profile.type.permission)
            try work.profiles.delete(id)
            try work.note(
                "profile.delete", on: profile.name, of: profile.team,
                before: "\(profile.type.rawValue), \(profile.identifier)")
        }
    }

    // MARK: Rules

    private static func profile(_ id: ProfileID, _ work: UnitOfWork) throws -> Profile {
        guard let profile = try work.profiles.find(id), work.actor.sees(team: profile.team)
        else { throw ConnectRefusal.notFound("profile", id.text) }
        return profile
    }

    /// Checks and signs outside of the writer, which others wait for.
    private func sign(
        _ name: String, _ type: ProfileType, for id: BundleIdentifierID, address: String?,
        at date: Date, by actor: ConnectActor
    ) async throws -> (text: String, identifier: BundleIdentifier) {
        let identifier = try await shop.read(as: actor) { work in
            try work.bundleIdentifier(id)
        }
        guard identifier.platform != .services else {
            throw ConnectRefusal(
                .invalid, rule: "profileServices", field: "bundleId",
                "\(identifier.identifier) is for services, which have no profiles.",
                help: "Choose the identifier of an app.")
        }
        guard type.isDevelopment || !identifier.isWildcard else {
            throw ConnectRefusal(
                .invalid, rule: "profileExplicit", field: "bundleId",
                "\(identifier.identifier) is a wildcard, and \(type.title) needs an explicit "
                    + "bundle identifier.",
                help: "Choose an explicit one, or make a development profile.")
        }
        // An app with the profile trusts whoever answers there.
        guard let address else {
            throw ConnectRefusal(
                .state, rule: "addressUnknown",
                "The store does not know the name that devices reach it by.",
                help: "Let the operator start it with --store, or come by its IP address.")
        }
        let text = try signer.sign(
            ProfileContent(
                name: name, applicationIdentifier: identifier.identifier,
                environment: type.environment, address: address,
                allowsInAppPurchase: identifier.allowsInAppPurchase,
                generation: identifier.generation, created: date,
                expires: date.addingTimeInterval(Self.lifetime)))
        return (text, identifier)
    }

    /// The bundle identifier, if nobody has changed it since the file was signed.
    private static func unchanged(
        _ signed: BundleIdentifier, _ work: UnitOfWork
    ) throws -> BundleIdentifier {
        let identifier = try work.bundleIdentifier(signed.id)
        guard identifier.generation == signed.generation else {
            throw ConnectRefusal(
                .state, rule: "bundleIdChanging", field: "bundleId",
                "\(identifier.identifier) was changed just now.", help: "Try again.")
        }
        return identifier
    }
}
