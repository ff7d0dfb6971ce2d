import Foundation
import StoreModel

/// Keeps the bundle identifiers of teams, and what they are allowed to use.
package struct BundleIdentifierService: Sendable {
    private let shop: Shop

    package init(database: any ShopDatabase, clock: any StoreClock) {
        shop = Shop(database: database, clock: clock)
    }

    // MARK: Reading

    package func identifiers(
        _ query: BundleIdentifierQuery, _ page: PageRequest, by actor: ConnectActor
    ) async throws -> ListPage<BundleIdentifier> {
        try await shop.read(as: actor, requiring: .viewApps) {
            try $0.bundleIdentifiers.identifiers(query, page, team: actor.team)
        }
    }

    /// - Throws: `ConnectRefusal.notFound`, as all calls with an identifier.
    package func identifier(
        _ id: BundleIdentifierID, by actor: ConnectActor
    ) async throws -> BundleIdentifier {
        try await shop.read(as: actor, requiring: .viewApps) { try $0.bundleIdentifier(id) }
    }

    /// The capabilities that are switched on, in the order of their names.
    package func capabilities(
        of id: BundleIdentifierID, by actor: ConnectActor
    ) async throws -> [Capability] {
        try await shop.read(as: actor, requiring: .viewApps) { work in
            _ = try work.bundleIdentifier(id)
            return try work.bundleIdentifiers.capabilities(of: id)
        }
    }

    // MARK: Changing

    /// Registers a bundle identifier. An explicit one may use in-app purchase from the start.
    ///
    /// - Parameter team: for whom, where the actor is of the store's staff.
    /// - Throws: `ConnectRefusal`.
    package func register(
        _ draft: BundleIdentifierDraft, team: Int64? = nil, by actor: ConnectActor
    ) async throws -> BundleIdentifier {
        try actor.require(.manageIdentifiers)
        let name = try Self.checked(name: draft.name)
        let identifier = try Self.checked(identifier: draft.identifier)
        return try await shop.write(as: actor) { work in
            let team = try work.team(for: team)
            let prefix = TeamPrefix(team: team)
            guard draft.seedID == nil || draft.seedID == prefix.text else {
                throw ConnectRefusal(
                    .invalid, rule: "seedId", field: "seedId",
                    "\(quoted(draft.seedID ?? "")) is not a prefix of the team.",
                    help: "Leave it out; the team's prefix is \(prefix).")
            }
            try Self.checkFree(identifier, team: team, work)
            let added = try work.bundleIdentifiers.insert(
                identifier, name: name, platform: draft.platform, team: team)
            try work.note(
                "bundleId.register", on: identifier.text, of: team,
                after: "\(name), \(draft.platform.rawValue)")
            return added
        }
    }

    package func rename(
        _ id: BundleIdentifierID, to name: String, by actor: ConnectActor
    ) async throws -> BundleIdentifier {
        try actor.require(.manageIdentifiers)
        let name = try Self.checked(name: name)
        return try await shop.write(as: actor) { work in
            var identifier = try work.bundleIdentifier(id)
            guard identifier.name != name else { return identifier }
            try work.note(
                "bundleId.rename", on: identifier.identifier.text, of: identifier.team,
                before: identifier.name, after: name)
            identifier.name = name
            try work.bundleIdentifiers.update(identifier)
            return identifier
        }
    }

    /// Deletes an identifier that no app and no profile in force uses.
    ///
    /// - Throws: `ConnectRefusal` with the rule `bundleIdInUse`.
    package func delete(_ id: BundleIdentifierID, by actor: ConnectActor) async throws {
        try await shop.write(as: actor, requiring: .manageIdentifiers) { work in
            let identifier = try work.bundleIdentifier(id)
            let user: String? =
                if let app = try identifier.app.flatMap({ try work.catalog.app($0) }) {
                    "the app \(app.name)"
                } else {
                    try work.profiles.profileInForce(of: id, at: work.now)
                        .map { "the profile \($0.name)" }
                }
            if let user {
                throw ConnectRefusal(
                    .state, rule: "bundleIdInUse",
                    "\(identifier.identifier) is used by \(user).",
                    help: "Delete that first, where it can be.")
            }
            try work.bundleIdentifiers.delete(id)
            try work.note(
                "bundleId.delete", on: identifier.identifier.text, of: identifier.team,
                before: identifier.name)
        }
    }

    // MARK: Capabilities

    /// Switches a capability on.
    ///
    /// - Throws: `ConnectRefusal`, with the rule `capabilityTaken` where it is on already.
    package func add(
        _ capability: Capability, to id: BundleIdentifierID, by actor: ConnectActor
    ) async throws -> BundleIdentifier {
        try await change(id, by: actor) { identifier, work in
            try CapabilityRules.check(capability, of: identifier)
            let known = try work.bundleIdentifiers.capabilities(of: id)
            guard !known.contains(where: { $0.type == capability.type }) else {
                throw ConnectRefusal(
                    .taken, rule: "capabilityTaken", field: "capabilityType",
                    "\(capability.type.title) is switched on already.",
                    help: "Change its settings instead.")
            }
            try work.bundleIdentifiers.save(capability, of: id)
            return ("bundleId.addCapability", nil, capability)
        }
    }

    /// Replaces the settings of a capability that is switched on.
    package func change(
        _ capability: Capability, of id: BundleIdentifierID, by actor: ConnectActor
    ) async throws -> BundleIdentifier {
        try await change(id, by: actor) { identifier, work in
            try CapabilityRules.check(capability, of: identifier)
            let earlier = try Self.capability(capability.type, of: id, work)
            try work.bundleIdentifiers.save(capability, of: id)
            return ("bundleId.changeCapability", earlier, capability)
        }
    }

    /// Switches a capability off.
    package func remove(
        _ type: CapabilityType, of id: BundleIdentifierID, by actor: ConnectActor
    ) async throws -> BundleIdentifier {
        try await change(id, by: actor) { _, work in
            let earlier = try Self.capability(type, of: id, work)
            try work.bundleIdentifiers.delete(type, of: id)
            return ("bundleId.removeCapability", earlier, nil)
        }
    }

    /// Renames an identifier, and switches capabilities on and off until it has those that
    /// are wanted; settings of what stays on stay too.
    package func configure(
        _ id: BundleIdentifierID, name: String, capabilities wanted: Set<CapabilityType>,
        by actor: ConnectActor
    ) async throws -> BundleIdentifier {
        try actor.require(.manageIdentifiers)
        let name = try Self.checked(name: name)
        return try await shop.write(as: actor) { work in
            let identifier = try work.bundleIdentifier(id)
            let known = try work.bundleIdentifiers.capabilities(of: id)
            let added = wanted.subtracting(known.map(\.type))
            let removed = known.filter { !wanted.contains($0.type) }
            for type in added {
                try CapabilityRules.check(Capability(type: type), of: identifier)
                try work.bundleIdentifiers.save(Capability(type: type), of: id)
            }
            for capability in removed {
                try work.bundleIdentifiers.delete(capability.type, of: id)
            }
            let isSwitched =
                added.contains(.inAppPurchase) || removed.contains { $0.type == .inAppPurchase }
            if identifier.name != name {
                var renamed = identifier
                renamed.name = name
                try work.bundleIdentifiers.update(renamed)
            }
            if isSwitched { try work.bundleIdentifiers.raiseGeneration(of: id) }
            guard !added.isEmpty || !removed.isEmpty || identifier.name != name else {
                return identifier
            }
            func summary(_ name: String, _ types: some Sequence<CapabilityType>) -> String {
                ([name] + types.map(\.rawValue).sorted()).joined(separator: ", ")
            }
            try work.note(
                "bundleId.configure", on: identifier.identifier.text, of: identifier.team,
                before: summary(identifier.name, known.map(\.type)), after: summary(name, wanted))
            return try work.bundleIdentifier(id)
        }
    }

    private typealias CapabilityStep = (action: String, before: Capability?, after: Capability?)

    /// Profiles that were made before in-app purchase was switched on or off say something
    /// that is no longer true, so they become out of date, with those of its app.
    private func change(
        _ id: BundleIdentifierID, by actor: ConnectActor,
        _ step: @escaping @Sendable (BundleIdentifier, UnitOfWork) throws -> CapabilityStep
    ) async throws -> BundleIdentifier {
        try await shop.write(as: actor, requiring: .manageIdentifiers) { work in
            let identifier = try work.bundleIdentifier(id)
            let (action, before, after) = try step(identifier, work)
            let type = before?.type ?? after?.type
            if type == .inAppPurchase, (before == nil) != (after == nil) {
                try work.bundleIdentifiers.raiseGeneration(of: id)
            }
            try work.note(
                action, on: identifier.identifier.text, of: identifier.team,
                before: before?.summary, after: after?.summary)
            return try work.bundleIdentifier(id)
        }
    }

    // MARK: Rules

    private static func capability(
        _ type: CapabilityType, of id: BundleIdentifierID, _ repositories: StoreRepositories
    ) throws -> Capability {
        let known = try repositories.bundleIdentifiers.capabilities(of: id)
        guard let capability = known.first(where: { $0.type == type }) else {
            throw ConnectRefusal.notFound("capability", "\(id)_\(type.rawValue)")
        }
        return capability
    }

    private static func checked(name: String) throws -> String {
        try ConnectText.checked(name, field: "name", name: "name", in: 1...100)
    }

    private static func checked(identifier text: String) throws -> ApplicationIdentifier {
        guard let identifier = ApplicationIdentifier(text), !text.contains(scalar: "_") else {
            throw ConnectRefusal(
                .invalid, rule: "identifier", field: "identifier",
                "\(quoted(text)) is not a bundle identifier.",
                help: "Use letters, digits, - and periods, as in com.example.app; com.example.* "
                    + "stands for all that begin so.")
        }
        return identifier
    }

    /// An explicit identifier belongs to one app in the world; a wildcard to nobody, so each
    /// team may have it once.
    private static func checkFree(
        _ identifier: ApplicationIdentifier, team: Int64, _ repositories: StoreRepositories
    ) throws {
        let isTaken =
            if identifier.isWildcard {
                try repositories.bundleIdentifiers.wildcard(identifier.text, of: team) != nil
            } else {
                try repositories.bundleIdentifiers.explicit(identifier.text) != nil
            }
        guard !isTaken else {
            throw ConnectRefusal(
                .taken, rule: "identifierTaken", field: "identifier",
                "The bundle identifier \(identifier) is not available.",
                help: "Enter another one.")
        }
    }
}

extension Capability {
    /// For the audit log.
    fileprivate var summary: String {
        ([type.rawValue] + settings.map { "\($0.key): \($0.options.joined(separator: ", "))" })
            .joined(separator: ", ")
    }
}

extension UnitOfWork {
    /// - Throws: `ConnectRefusal.notFound`, also for what the actor does not see.
    func bundleIdentifier(_ id: BundleIdentifierID) throws -> BundleIdentifier {
        guard let identifier = try bundleIdentifiers.find(id),
            actor.sees(team: identifier.team)
        else { throw ConnectRefusal.notFound("bundle identifier", id.text) }
        return identifier
    }
}
