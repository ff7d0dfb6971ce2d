import Foundation
import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    static let appVersions = ResourceType(
        "appStoreVersions", at: "/openstore/v1/appStoreVersions", reading: .viewApps,
        shape: ResourceShape([
            "versionString": .text(1...40),
            "platform": .choice(AppPlatform.allCases.map(\.rawValue)),
            "appStoreState": .choice(AppVersionState.allCases.map(\.rawValue)),
            "releaseType": .choice(AppReleaseType.allCases.map(\.rawValue)),
            "whatsNew": .text(0...4000), "reviewNote": .text(0...4000),
            "createdDate": .dateTime, "submittedDate": .dateTime, "releasedDate": .dateTime,
        ]),
        find: { call, id in
            Resource(
                try await call.services.appVersions.version(appVersion(id), by: call.actor).version)
        },
        relationships: [
            .one("app", to: "apps") { call, wanted in
                let found = try await call.services.appVersions.version(
                    appVersion(wanted.id), by: call.actor)
                return Resource(
                    own: try await call.services.apps.app(found.app.id, by: call.actor))
            },
            .one("build", to: "builds") { call, wanted in
                let found = try await call.services.appVersions.version(
                    appVersion(wanted.id), by: call.actor)
                return found.builds.first { $0.id == found.version.build }.map { Resource($0) }
            },
            .many("builds", to: "builds") { call, wanted in
                let found = try await call.services.appVersions.version(
                    appVersion(wanted.id), by: call.actor)
                return try ListPage(of: found.builds, wanted.page).map { Resource($0) }
            },
        ])

    static let builds = ResourceType(
        "builds", at: "/openstore/v1/builds", reading: .viewApps,
        shape: ResourceShape([
            "version": .text(1...40), "sha256": .text(64...64),
            "fileSize": .integer(1...(1 << 40)), "uploadedDate": .dateTime,
            "fileName": .optional(.text(1...255)),
            "fileFormat": .optional(.choice(AppPackageFormat.allCases.map(\.rawValue))),
            "downloadSize": .optional(.integer(0...(1 << 53))),
            "installedSize": .optional(.integer(0...(1 << 53))),
        ]),
        find: { call, id in
            Resource(try await call.services.appVersions.build(build(id), by: call.actor).build)
        },
        relationships: [
            .one("appStoreVersion", to: "appStoreVersions") { call, wanted in
                Resource(
                    try await call.services.appVersions.build(build(wanted.id), by: call.actor)
                        .version)
            }
        ])

    /// Steps of a version outside of review.
    static let versionSaleChanges = ResourceType(
        "appStoreVersionSaleChanges", at: "/openstore/v1/appStoreVersionSaleChanges",
        reading: .changeSale,
        shape: ResourceShape([
            "change": .choice(VersionSaleChange.allCases.map(\.rawValue)),
            "appStoreState": .choice(AppVersionState.allCases.map(\.rawValue)),
        ]),
        relationships: [
            .one("appStoreVersion", to: "appStoreVersions") { call, wanted in
                Resource(
                    try await call.services.appVersions.version(
                        appVersion(wanted.id), by: call.actor
                    ).version)
            }
        ])

    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    static func appVersion(_ text: String) throws -> AppVersionID {
        guard let id = AppVersionID(text) else { throw ConnectRefusal.notFound("version", text) }
        return id
    }

    static func build(_ text: String) throws -> AppBuildID {
        guard let id = AppBuildID(text) else { throw ConnectRefusal.notFound("build", text) }
        return id
    }
}

/// How an approved version comes to the customers, and goes from them.
private enum VersionSaleChange: String, CaseIterable {
    case release = "RELEASE"
    case remove = "REMOVE_FROM_SALE"
    case putBack = "RETURN_TO_SALE"
    /// By the store.
    case takeDown = "TAKE_DOWN"
    /// By the store.
    case reinstate = "REINSTATE"
}

extension Resource {
    init(_ version: AppVersion) {
        self.init(
            .appVersions, id: version.id.text, version.attributes,
            links: [
                "app": [ResourceLink(type: "apps", id: String(version.app.number))],
                "build": version.build.map { [ResourceLink(type: "builds", id: $0.text)] } ?? [],
            ])
    }

    /// A version in an answer of App Store Connect's API, which does not know every platform.
    init(described version: AppVersion) {
        var attributes = version.attributes
        if version.platform == .linux { attributes["platform"] = nil }
        self.init(.appVersions, id: version.id.text, attributes)
    }

    init(_ build: AppBuild) {
        var attributes: [String: JSONValue] = [
            "version": .string(build.number.text), "sha256": .string(build.digest.text),
            "fileSize": .integer(build.size), "uploadedDate": .time(build.uploaded),
            "fileName": .null, "fileFormat": .null, "downloadSize": .null, "installedSize": .null,
        ]
        if let file = build.file {
            attributes["fileName"] = .string(file.name)
            attributes["fileFormat"] = .string(file.format.rawValue)
            attributes["downloadSize"] = .integer(file.downloadLength)
            attributes["installedSize"] = .integer(file.unpackedLength)
        }
        self.init(
            .builds, id: build.id.text, attributes,
            links: [
                "appStoreVersion": [
                    ResourceLink(type: "appStoreVersions", id: build.version.text)
                ]
            ])
    }
}

extension AppVersion {
    fileprivate var attributes: [String: JSONValue] {
        [
            "versionString": .string(version.text), "platform": .string(platform.rawValue),
            "appStoreState": .string(state.rawValue),
            "releaseType": .string(releaseType.rawValue), "whatsNew": .string(whatsNew),
            "reviewNote": .string(reviewNote), "createdDate": .time(created),
            "submittedDate": .time(submitted), "releasedDate": .time(released),
        ]
    }
}

extension ConnectOperation {
    static let appVersions: [ConnectOperation] =
        reading(.appVersions) + reading(.builds) + [
            .list(
                .appVersions, .viewApps, filters: ["app": .text(1...20)]
            ) { call in
                guard let app = try call.query.one("app") else {
                    throw ConnectRefusal(
                        .invalid, rule: "required", field: "filter[app]",
                        "The list needs an app.", help: "Send filter[app].")
                }
                let versions = try await call.services.appVersions.versions(
                    of: ResourceType.app(app), by: call.actor)
                return try ListPage(of: versions, call.page()).map { Resource($0) }
            },
            .create(
                .appVersions, .manageApps, required: ["versionString", "platform", "app"],
                optional: ["releaseType", "whatsNew", "reviewNote"]
            ) { call in
                Resource(
                    try await call.services.appVersions.create(
                        try call.data.text("versionString"), id: AppVersionID(UUID()),
                        of: ResourceType.app(try call.data.one("app")),
                        platform: try call.data.value(
                            "platform", "a platform", AppPlatform.init(rawValue:)),
                        AppVersionChange(call.data, withNumber: false), by: call.actor))
            },
            .update(
                .appVersions, .manageApps,
                changing: ["versionString", "releaseType", "whatsNew", "reviewNote", "build"]
            ) { call in
                let id = try ResourceType.appVersion(call.id)
                guard call.data.hasRelationship("build") else {
                    return Resource(
                        try await call.services.appVersions.update(
                            id, AppVersionChange(call.data), by: call.actor))
                }
                let build = try call.data.optionalOne("build").map(ResourceType.build)
                guard !call.data.attributes.isEmpty else {
                    return Resource(
                        try await call.services.appVersions.choose(
                            build, of: id, by: call.actor))
                }
                return Resource(
                    try await call.services.appVersions.update(
                        id, AppVersionChange(call.data), build: .some(build), by: call.actor))
            },
            .delete(.appVersions, .manageApps) { call in
                try await call.services.appVersions.delete(
                    ResourceType.appVersion(call.id), by: call.actor)
            },
            .create(
                .builds, .uploadContent,
                required: ["version", "sha256", "fileSize", "appStoreVersion"]
            ) { call in
                Resource(
                    try await call.services.appVersions.addBuild(
                        try call.data.text("version"), id: AppBuildID(UUID()),
                        to: ResourceType.appVersion(try call.data.one("appStoreVersion")),
                        digest: try call.data.text("sha256"),
                        size: Int64(call.data.integer("fileSize") ?? 0), by: call.actor))
            },
            .create(
                .versionSaleChanges, .changeSale, required: ["change", "appStoreVersion"]
            ) { call in
                let change = try call.data.value(
                    "change", "a change", VersionSaleChange.init(rawValue:))
                let id = try ResourceType.appVersion(try call.data.one("appStoreVersion"))
                let (versions, actor) = (call.services.appVersions, call.actor)
                let version =
                    switch change {
                    case .release: try await versions.release(id, by: actor)
                    case .remove: try await versions.setSale(false, of: id, by: actor)
                    case .putBack: try await versions.setSale(true, of: id, by: actor)
                    case .takeDown: try await versions.setTakenDown(true, of: id, by: actor)
                    case .reinstate: try await versions.setTakenDown(false, of: id, by: actor)
                    }
                return Resource(
                    .versionSaleChanges, id: UUID().uuidString.lowercased(),
                    [
                        "change": .string(change.rawValue),
                        "appStoreState": .string(version.state.rawValue),
                    ],
                    links: [
                        "appStoreVersion": [
                            ResourceLink(type: "appStoreVersions", id: version.id.text)
                        ]
                    ])
            },
        ]
}

extension AppVersionChange {
    fileprivate init(_ data: RequestResource, withNumber: Bool = true) {
        self.init(
            versionString: withNumber ? data.optionalText("versionString") : nil,
            releaseType: data.optionalText("releaseType")
                .flatMap(AppReleaseType.init(rawValue:)),
            whatsNew: data.optionalText("whatsNew"), reviewNote: data.optionalText("reviewNote"))
    }
}
