import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    static let bundleIdentifiers = ResourceType(
        "bundleIds", at: "/v1/bundleIds", reading: .viewApps,
        find: { call, id in
            Resource(
                try await call.services.bundleIdentifiers.identifier(
                    bundleIdentifier(id), by: call.actor))
        },
        relationships: [
            .many("profiles") { call, wanted in
                let id = try bundleIdentifier(wanted.id)
                _ = try await call.services.bundleIdentifiers.identifier(id, by: call.actor)
                var query = ProfileQuery()
                query.bundleIdentifier = id
                let now = call.services.clock.now()
                return try await call.services.profiles.profiles(
                    query, wanted.page, by: call.actor
                ).map { Resource($0, at: now) }
            },
            .many("bundleIdCapabilities") { call, wanted in
                let id = try bundleIdentifier(wanted.id)
                let capabilities = try await call.services.bundleIdentifiers.capabilities(
                    of: id, by: call.actor)
                return try ListPage(of: capabilities, wanted.page).map { Resource($0, of: id) }
            },
            .one("app") { call, wanted in
                let identifier = try await call.services.bundleIdentifiers.identifier(
                    bundleIdentifier(wanted.id), by: call.actor)
                guard let app = identifier.app else { return nil }
                return Resource(try await call.services.apps.app(app, by: call.actor))
            },
        ])

    /// What App Store Connect's API can't do with them: register one for a team that is named, as
    /// the store's staff does.
    static let ownBundleIdentifiers = ResourceType(
        "bundleIds", at: "/openstore/v1/bundleIds", reading: .viewApps,
        shape: ResourceShape([
            "identifier": .text(1...255), "name": .text(1...255),
            "platform": .choice(BundleIdentifierPlatform.allCases.map(\.rawValue)),
            "seedId": .text(1...20),
        ]),
        relationships: [.one("team", to: "teams") { _, _ in nil }])

    static let capabilities = ResourceType("bundleIdCapabilities", at: "/v1/bundleIdCapabilities")

    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    static func bundleIdentifier(_ text: String) throws -> BundleIdentifierID {
        guard let id = BundleIdentifierID(text) else {
            throw ConnectRefusal.notFound("bundle identifier", text)
        }
        return id
    }
}

extension Resource {
    init(_ identifier: BundleIdentifier) {
        self.init(
            .bundleIdentifiers, id: identifier.id.text,
            [
                "name": .string(identifier.name),
                "platform": .string(identifier.platform.rawValue),
                "identifier": .string(identifier.identifier.text),
                "seedId": .string(identifier.seedID.text),
            ])
    }

    init(_ capability: Capability, of id: BundleIdentifierID) {
        self.init(
            .capabilities, id: "\(id.text)_\(capability.type.rawValue)",
            [
                "capabilityType": .string(capability.type.rawValue),
                "settings": .array(
                    capability.settings.map { setting in
                        [
                            "key": .string(setting.key),
                            "options": .array(
                                setting.options.map { ["key": .string($0), "enabled": true] }),
                        ]
                    }),
            ])
    }
}

extension ConnectOperation {
    static let bundleIdentifiers: [ConnectOperation] =
        reading(.bundleIdentifiers) + [
            .list("/v1/bundleIds", .viewApps) { call in
                var query = BundleIdentifierQuery()
                // What is no identifier is none of those that there are.
                query.ids = (call.query.filter("id") ?? []).map {
                    BundleIdentifierID($0) ?? BundleIdentifierID(number: -1)
                }
                query.names = call.query.filter("name") ?? []
                query.identifiers = call.query.filter("identifier") ?? []
                query.platforms = (call.query.filter("platform") ?? [])
                    .compactMap(BundleIdentifierPlatform.init(rawValue:))
                query.seedIDs = (call.query.filter("seedId") ?? []).map {
                    TeamPrefix($0) ?? TeamPrefix(team: -1)
                }
                query.order = ListOrder(call.query.sort.first, otherwise: .name)
                return try await call.services.bundleIdentifiers.identifiers(
                    query, call.page(), by: call.actor
                ).map { Resource($0) }
            },
            .create("/v1/bundleIds", .manageIdentifiers) { call in
                Resource(
                    try await call.services.bundleIdentifiers.register(
                        BundleIdentifierDraft(
                            identifier: try call.data.text("identifier"),
                            name: try call.data.text("name"),
                            platform: try call.data.value(
                                "platform", "a platform",
                                BundleIdentifierPlatform.init(rawValue:)),
                            seedID: call.data.optionalText("seedId")), by: call.actor))
            },
            .create(
                .ownBundleIdentifiers, .manageIdentifiers,
                required: ["identifier", "name", "platform", "team"]
            ) { call in
                Resource(
                    try await call.services.bundleIdentifiers.register(
                        BundleIdentifierDraft(
                            identifier: try call.data.text("identifier"),
                            name: try call.data.text("name"),
                            platform: try call.data.value(
                                "platform", "a platform",
                                BundleIdentifierPlatform.init(rawValue:)), seedID: nil),
                        team: ConnectCall.teamNumber(call.data.one("team")), by: call.actor))
            },
            .update("/v1/bundleIds/{id}", .manageIdentifiers) { call in
                let id = try ResourceType.bundleIdentifier(call.id)
                guard let name = call.data.optionalText("name") else {
                    return Resource(
                        try await call.services.bundleIdentifiers.identifier(id, by: call.actor))
                }
                return Resource(
                    try await call.services.bundleIdentifiers.rename(
                        id, to: name, by: call.actor))
            },
            .delete("/v1/bundleIds/{id}", .manageIdentifiers) { call in
                try await call.services.bundleIdentifiers.delete(
                    ResourceType.bundleIdentifier(call.id), by: call.actor)
            },
            .create("/v1/bundleIdCapabilities", .manageIdentifiers) { call in
                let id = try ResourceType.bundleIdentifier(try call.data.one("bundleId"))
                let capability = Capability(
                    type: try call.data.value(
                        "capabilityType", "a capability", CapabilityType.init(rawValue:)),
                    settings: call.data.capabilitySettings ?? [])
                _ = try await call.services.bundleIdentifiers.add(
                    capability, to: id, by: call.actor)
                return Resource(capability, of: id)
            },
            .update("/v1/bundleIdCapabilities/{id}", .manageIdentifiers) { call in
                let (id, type) = try call.capability()
                let known = try await call.services.bundleIdentifiers.capabilities(
                    of: id, by: call.actor)
                guard var capability = known.first(where: { $0.type == type }) else {
                    throw ConnectRefusal.notFound("capability", call.id)
                }
                if let other = call.data.optionalText("capabilityType"), other != type.rawValue {
                    throw ConnectRefusal(
                        .invalid, rule: "capabilityFixed", field: "capabilityType",
                        "A capability can't become another one.",
                        help: "Delete it, and add the other one.")
                }
                guard call.data.has("settings") else { return Resource(capability, of: id) }
                capability.settings = call.data.capabilitySettings ?? []
                _ = try await call.services.bundleIdentifiers.change(
                    capability, of: id, by: call.actor)
                return Resource(capability, of: id)
            },
            .delete("/v1/bundleIdCapabilities/{id}", .manageIdentifiers) { call in
                let (id, type) = try call.capability()
                _ = try await call.services.bundleIdentifiers.remove(
                    type, of: id, by: call.actor)
            },
        ]
}

extension ConnectCall {
    /// The capability that the path names: its identifier is made of both.
    fileprivate func capability() throws -> (BundleIdentifierID, CapabilityType) {
        let parts = id.split(scalar: "_", maxSplits: 1).map(String.init)
        guard parts.count == 2, let identifier = BundleIdentifierID(parts[0]),
            let type = CapabilityType(rawValue: parts[1])
        else { throw ConnectRefusal.notFound("capability", id) }
        return (identifier, type)
    }
}

extension RequestResource {
    /// Settings with the options that are switched on; nil where there are none, or null.
    fileprivate var capabilitySettings: [CapabilitySetting]? {
        attributes["settings"]?.elements?.map { setting in
            CapabilitySetting(
                key: setting["key"]?.text ?? "",
                options: (setting["options"]?.elements ?? [])
                    .filter { $0["enabled"]?.flag != false }.map { $0["key"]?.text ?? "" })
        }
    }
}
