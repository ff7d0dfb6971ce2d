import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    /// As App Store Connect has them. What other subjects relate to an app stands with them.
    static let apps = ResourceType(
        "apps", at: "/v1/apps", reading: .viewApps,
        find: { call, id in
            Resource(try await call.services.apps.app(app(id), by: call.actor))
        },
        relationships: [
            .subscriptionGroups, .subscriptionGracePeriod,
            .appInAppPurchases, .legacyAppInAppPurchases, .appPromotedPurchases,
            .many("appStoreVersions") { call, wanted in
                let versions = try await call.services.appVersions.versions(
                    of: app(wanted.id), by: call.actor)
                return try ListPage(of: versions, wanted.page).map { Resource(described: $0) }
            },
            .many("builds") { call, wanted in
                let id = try app(wanted.id)
                var builds: [AppBuild] = []
                for version in try await call.services.appVersions.versions(
                    of: id, by: call.actor)
                {
                    builds += try await call.services.appVersions.version(
                        version.id, by: call.actor
                    ).builds
                }
                return try ListPage(of: builds, wanted.page).map { Resource($0) }
            },
        ])

    /// What App Store Connect's API can't do with apps: make, rename and delete them, and tell
    /// whose they are.
    static let ownApps = ResourceType(
        "apps", at: "/openstore/v1/apps", reading: .viewApps,
        shape: ResourceShape([
            "name": .text(1...200), "sku": .text(1...200), "primaryLocale": .text(2...20),
            "isOrEverWasMadeForKids": .flag, "bundleIdentifier": .text(1...255),
            "teamName": .optional(.text(1...400)),
        ]),
        relationships: [
            .one("bundleId", to: "bundleIds") { call, wanted in
                let record = try await call.services.apps.app(app(wanted.id), by: call.actor)
                return Resource(
                    try await call.services.bundleIdentifiers.identifier(
                        record.identifier, by: call.actor))
            }
        ])

    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    static func app(_ text: String) throws -> AppID {
        guard let number = TransactionID(text)?.number else {
            throw ConnectRefusal.notFound("app", text)
        }
        return AppID(number: number)
    }
}

extension Resource {
    init(_ record: AppRecord) {
        let attributes = record.attributes
        self.init(
            .apps, id: String(record.app.id.number),
            [
                "name": .string(record.app.name),
                "bundleId": .string(record.app.bundleID.text),
                "sku": .string(record.sku),
                "primaryLocale": .string(record.primaryLocale.text),
                "isOrEverWasMadeForKids": .bool(attributes.isMadeForKids),
                "subscriptionStatusUrl": .text(attributes.statusURL?.url),
                "subscriptionStatusUrlVersion": .text(attributes.statusURL?.version.rawValue),
                "subscriptionStatusUrlForSandbox": .text(attributes.sandboxStatusURL?.url),
                "subscriptionStatusUrlVersionForSandbox": .text(
                    attributes.sandboxStatusURL?.version.rawValue),
                "contentRightsDeclaration": .text(attributes.contentRights?.rawValue),
                "streamlinedPurchasingEnabled": .bool(attributes.isPurchasingStreamlined),
                "accessibilityUrl": .text(attributes.accessibilityURL),
            ])
    }

    /// The same app as our own API shows it.
    ///
    /// - Parameter team: whose it is; nil leaves it out.
    init(own record: AppRecord, team: Team? = nil) {
        self.init(
            .ownApps, id: String(record.app.id.number),
            [
                "name": .string(record.app.name), "sku": .string(record.sku),
                "primaryLocale": .string(record.primaryLocale.text),
                "isOrEverWasMadeForKids": .bool(record.attributes.isMadeForKids),
                "bundleIdentifier": .string(record.app.bundleID.text),
                "teamName": .text(team?.name),
            ],
            links: [
                "bundleId": [ResourceLink(type: "bundleIds", id: record.identifier.text)]
            ])
    }
}

extension ConnectOperation {
    static let apps: [ConnectOperation] =
        reading(.apps) + [
            .list("/v1/apps", .viewApps) { call in
                guard let query = AppQuery(call.query) else {
                    return try ListPage(of: [], call.page())
                }
                return try await call.services.apps.apps(query, call.page(), by: call.actor)
                    .map { Resource($0) }
            },
            .update("/v1/apps/{id}", .manageApps) { call in
                Resource(
                    try await call.services.apps.update(
                        ResourceType.app(call.id), AppChange(call.data), by: call.actor))
            },
            .list(
                .ownApps, .viewApps, searches: ["name": .text(1...200), "sku": .text(1...200)]
            ) { call in
                guard let query = AppQuery(call.query) else {
                    return try ListPage(of: [], call.page())
                }
                let page = try await call.services.apps.apps(query, call.page(), by: call.actor)
                var teams: [Int64: Team] = [:]
                for id in Set(page.items.map(\.app.teamID)) {
                    teams[id] = try await call.services.people.teams.team(id, by: call.actor)
                }
                let owners = teams
                return page.map { Resource(own: $0, team: owners[$0.app.teamID]) }
            },
            .create(
                .ownApps, .manageApps, required: ["name", "sku", "primaryLocale", "bundleId"]
            ) { call in
                Resource(
                    own: try await call.services.apps.create(
                        AppCreation(
                            identifier: try ResourceType.bundleIdentifier(
                                try call.data.one("bundleId")),
                            sku: try call.data.text("sku"), name: try call.data.text("name"),
                            primaryLocale: try call.data.text("primaryLocale")), by: call.actor))
            },
            .update(
                .ownApps, .manageApps,
                changing: ["name", "primaryLocale", "isOrEverWasMadeForKids"]
            ) { call in
                var change = AppChange()
                change.name = call.data.optionalText("name")
                change.primaryLocale = call.data.optionalText("primaryLocale")
                change.isMadeForKids = call.data.flag("isOrEverWasMadeForKids")
                return Resource(
                    own: try await call.services.apps.update(
                        ResourceType.app(call.id), change, by: call.actor))
            },
            .delete(.ownApps, .manageApps) { call in
                try await call.services.apps.delete(ResourceType.app(call.id), by: call.actor)
            },
        ]
}

extension AppChange {
    /// What App Store Connect's API changes of an app.
    fileprivate init(_ data: RequestResource) {
        self.init()
        bundleID = data.optionalText("bundleId")
        primaryLocale = data.optionalText("primaryLocale")
        contentRights = data.change("contentRightsDeclaration").map {
            $0.flatMap(ContentRights.init(rawValue:))
        }
        statusURL = data.change("subscriptionStatusUrl")
        statusURLVersion = data.optionalText("subscriptionStatusUrlVersion")
            .flatMap(StatusURL.Version.init(rawValue:))
        sandboxStatusURL = data.change("subscriptionStatusUrlForSandbox")
        sandboxStatusURLVersion = data.optionalText("subscriptionStatusUrlVersionForSandbox")
            .flatMap(StatusURL.Version.init(rawValue:))
        isPurchasingStreamlined = data.flag("streamlinedPurchasingEnabled")
        accessibilityURL = data.change("accessibilityUrl")
    }
}

extension AppQuery {
    /// Nil where the filters say that no app is wanted.
    fileprivate init?(_ query: ConnectQuery) {
        self.init()
        ids = (query.filter("id") ?? []).map { text in
            (try? ResourceType.app(text)) ?? AppID(number: -1)
        }
        names = query.filter("name") ?? []
        bundleIDs = query.filter("bundleId") ?? []
        skus = query.filter("sku") ?? []
        if let texts = query.filter("appStoreVersions") {
            versions = texts.compactMap { AppVersionID($0) }
            if versions.isEmpty { return nil }
        }
        if let texts = query.filter("appStoreVersions.platform") {
            platforms = texts.compactMap(AppPlatform.init(rawValue:))
            if platforms.isEmpty { return nil }
        }
        let states = [
            query.filter("appStoreVersions.appStoreState")?.compactMap(
                AppVersionState.init(rawValue:)),
            query.filter("appStoreVersions.appVersionState")?.compactMap(
                AppVersionState.init(newName:)),
        ].compactMap { $0.map { Set($0) } }
        if let first = states.first {
            versionStates = states.reduce(first) { $0.intersection($1) }.sorted {
                $0.rawValue < $1.rawValue
            }
            if versionStates.isEmpty { return nil }
        }
        if let texts = query.filter("reviewSubmissions.state") {
            submissionStates = texts.flatMap { text -> [SubmissionState] in
                // What was withdrawn is over, as App Store Connect sees it.
                text == "COMPLETE"
                    ? [.complete, .withdrawn] : SubmissionState(rawValue: text).map { [$0] } ?? []
            }
            if submissionStates.isEmpty { return nil }
        }
        if let texts = query.filter("reviewSubmissions.platform") {
            submissionPlatforms = texts.compactMap(AppPlatform.init(rawValue:))
            if submissionPlatforms.isEmpty { return nil }
        }
        // There is no game center here.
        if query.exists["gameCenterEnabledVersions"] == true { return nil }
        order = ListOrder(query.sort.first, otherwise: .name)
    }
}

extension AppVersionState {
    /// The state by its later name in App Store Connect's API, `appVersionState`.
    fileprivate init?(newName: String) {
        switch newName {
        case "READY_FOR_DISTRIBUTION": self = .readyForSale
        case "REPLACED_WITH_NEW_VERSION", "PREPARE_FOR_SUBMISSION", "WAITING_FOR_REVIEW",
            "IN_REVIEW", "PENDING_DEVELOPER_RELEASE", "REJECTED", "DEVELOPER_REJECTED":
            self.init(rawValue: newName)
        default: return nil
        }
    }
}
