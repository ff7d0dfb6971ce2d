import Foundation
import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    static let profiles = ResourceType(
        "profiles", at: "/v1/profiles", reading: .viewApps,
        find: { call, id in
            Resource(
                try await call.services.profiles.profile(profile(id), by: call.actor),
                at: call.services.clock.now())
        },
        relationships: [
            .one("bundleId") { call, wanted in
                let profile = try await call.services.profiles.profile(
                    profile(wanted.id), by: call.actor)
                guard let id = profile.bundleIdentifier else { return nil }
                return Resource(
                    try await call.services.bundleIdentifiers.identifier(id, by: call.actor))
            },
            nothing("devices"), nothing("certificates"),
        ])

    /// The making of a profile anew: what App Store Connect's portal does, and its API
    /// doesn't.
    ///
    /// The answer has the profile as this renewal made it: another one may have replaced it before
    /// it is read, with another address of the store.
    static let profileRenewals = ResourceType(
        "profileRenewals", at: "/openstore/v1/profileRenewals",
        reading: .manageDevelopmentProfiles, shape: ResourceShape(renewedAttributes),
        relationships: [
            .one("profile", to: "profiles") { call, wanted in
                Resource(
                    try await call.services.profiles.profile(profile(wanted.id), by: call.actor),
                    at: call.services.clock.now())
            }
        ])

    /// The attributes of a profile that its renewal answers.
    fileprivate static let renewedAttributes: [String: AttributeForm] = [
        "name": .text(1...100), "profileContent": .text(1...100_000), "uuid": .text(36...36),
        "profileState": .choice(["ACTIVE", "INVALID"]), "createdDate": .dateTime,
        "expirationDate": .dateTime,
    ]

    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    static func profile(_ text: String) throws -> ProfileID {
        guard let id = ProfileID(text) else { throw ConnectRefusal.notFound("profile", text) }
        return id
    }

    /// The store knows no devices and no certificates of developers: profiles name none.
    private static func nothing(_ name: String) -> ResourceRelationship {
        .many(name) { call, wanted in
            _ = try await call.services.profiles.profile(profile(wanted.id), by: call.actor)
            return try ListPage(of: [], wanted.page)
        }
    }
}

extension Resource {
    init(_ profile: Profile, at date: Date) {
        self.init(
            .profiles, id: profile.id.text,
            [
                "name": .string(profile.name),
                "platform": .string(profile.type.platform.rawValue),
                "profileType": .string(profile.type.rawValue),
                "profileState": .string(profile.flaw(at: date) == nil ? "ACTIVE" : "INVALID"),
                "profileContent": .string(Data(profile.content.utf8).base64EncodedString()),
                "uuid": .string(profile.uuid),
                "createdDate": .time(profile.created),
                "expirationDate": .time(profile.expires),
            ])
    }
}

extension ConnectOperation {
    static let profiles: [ConnectOperation] =
        reading(.profiles) + [
            .list("/v1/profiles", .viewApps) { call in
                var query = ProfileQuery()
                query.ids = (call.query.filter("id") ?? []).map {
                    ProfileID($0) ?? ProfileID(number: -1)
                }
                query.names = call.query.filter("name") ?? []
                query.types = (call.query.filter("profileType") ?? [])
                    .compactMap(ProfileType.init(rawValue:))
                let states = Set(call.query.filter("profileState") ?? [])
                if states.count == 1 { query.isInForce = states == ["ACTIVE"] }
                query.order = ListOrder(call.query.sort.first, otherwise: .name)
                let now = call.services.clock.now()
                return try await call.services.profiles.profiles(
                    query, call.page(), by: call.actor
                ).map { Resource($0, at: now) }
            },
            // What a distribution profile takes is decided when the type is known.
            .create("/v1/profiles", .manageDevelopmentProfiles) { call in
                for name in ["certificates", "devices"] where !call.data.many(name).isEmpty {
                    throw ConnectRefusal(
                        .invalid, rule: "profileUnknown", field: name,
                        "The store knows none of these \(name).",
                        help: "Send an empty list: a profile is good for every device.")
                }
                return Resource(
                    try await call.services.profiles.create(
                        ProfileDraft(
                            name: try call.data.text("name"),
                            type: try call.data.value(
                                "profileType", "a type of profile", ProfileType.init(rawValue:)),
                            bundleIdentifier: try ResourceType.bundleIdentifier(
                                try call.data.one("bundleId"))),
                        uuid: UUID(), address: call.profileAddress,
                        by: call.actor), at: call.services.clock.now())
            },
            .delete("/v1/profiles/{id}", .manageDevelopmentProfiles) { call in
                try await call.services.profiles.delete(
                    ResourceType.profile(call.id), by: call.actor)
            },
            .create(.profileRenewals, .manageDevelopmentProfiles, required: ["profile"]) { call in
                let profile = try await call.services.profiles.renew(
                    ResourceType.profile(try call.data.one("profile")), uuid: UUID(),
                    address: call.profileAddress, by: call.actor)
                let renewed = Resource(profile, at: call.services.clock.now()).attributes
                    .filter { ResourceType.renewedAttributes[$0.key] != nil }
                return Resource(
                    .profileRenewals, id: profile.uuid, renewed,
                    links: ["profile": [ResourceLink(type: "profiles", id: profile.id.text)]])
            },
        ]
}

extension ConnectCall {
    /// Where profiles lead to; nil where only the client says it.
    fileprivate var profileAddress: String? {
        request.trustedOrigin(isSecure: request.isSecure)
    }
}
