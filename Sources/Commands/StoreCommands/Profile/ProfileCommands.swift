import Foundation
import StoreCore
import StoreWire

private let profileArgument = CommandSpec.Argument(
    name: "PROFILE", help: "The profile's name, or its ten characters in Connect.")

extension [ConnectRenderer.Column] {
    fileprivate static var profiles: [ConnectRenderer.Column] {
        [
            .id, .attribute("NAME", "name"), .attribute("TYPE", "profileType"),
            .attribute("STATE", "profileState"), .attribute("EXPIRES", "expirationDate"),
        ]
    }
}

extension ConnectContext {
    fileprivate func profile() async throws -> JSONValue {
        let text = arguments.argument(0)
        for filter in ["filter[name]", "filter[id]"] {
            let found = try await api.list("/v1/profiles", [filter: text], limit: 1)
            if let profile = found.first { return profile }
        }
        let all = try await api.list("/v1/profiles", limit: NotFound.limit)
        throw NotFound.failure(
            "profile", text, in: all.map { $0.attribute("name") }, command: "profile list")
    }

    /// Has the store make a profile anew.
    ///
    /// - Returns: the profile as this request made it. Read again, it may be one that somebody else
    ///   has made since for another address of the store.
    func renew(_ profile: JSONValue) async throws -> JSONValue {
        let renewal = try await api.create(
            "profileRenewals", at: "/openstore/v1/profileRenewals", [:],
            relationships: ["profile": ("profiles", profile.id)])
        var renewed = profile.members ?? [:]
        renewed["attributes"] = .object(
            (renewed["attributes"]?.members ?? [:])
                .merging(renewal["attributes"]?.members ?? [:]) { _, new in new })
        return .object(renewed)
    }

    /// Writes the file of a profile.
    func write(_ profile: JSONValue, to path: String) throws -> URL {
        let content = Data(base64Encoded: profile.attribute("profileContent")) ?? Data()
        let file = ParsedArguments.url(path)
        try OutputFile.write(content + Data("\n".utf8), to: file)
        return file
    }
}

/// `openstore profile list`
enum ProfileList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["profile", "list"], summary: "List the provisioning profiles of the team.",
        options: [
            .flag("invalid", "Only those that are out of date, expired or without identifier."),
            .limit,
        ])

    static func run(_ connect: ConnectContext) async throws {
        let all = try await connect.api.list(
            "/v1/profiles",
            connect.arguments.has("invalid") ? ["filter[profileState]": "INVALID"] : [:],
            limit: connect.limit())
        connect.show.list(all, .profiles, empty: "There are no profiles.")
    }
}

/// `openstore profile show`
enum ProfileShow: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["profile", "show"], summary: "Show a provisioning profile, or write its file.",
        arguments: [profileArgument],
        options: [.value("output", "FILE", "Write the profile into this file (-o).")])

    static func run(_ connect: ConnectContext) async throws {
        let profile = try await connect.profile()
        if let path = connect.arguments["output"] {
            let file = try connect.write(profile, to: path)
            return connect.show.done(profile, "\(file.path): \(profile.attribute("name"))")
        }
        connect.show.one(
            profile,
            .profiles + [.attribute("MADE", "createdDate"), .attribute("UUID", "uuid")])
    }
}

/// `openstore profile renew`
enum ProfileRenew: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["profile", "renew"],
        summary: "Renew a profile, with the current capabilities of its bundle identifier.",
        arguments: [profileArgument],
        options: [.value("output", "FILE", "Write the profile into this file (-o).")])

    static func run(_ connect: ConnectContext) async throws {
        let renewed = try await connect.renew(try await connect.profile())
        if let path = connect.arguments["output"] { _ = try connect.write(renewed, to: path) }
        connect.show.done(renewed, "\(renewed.attribute("name")) is made anew.")
    }
}

/// `openstore profile delete`
enum ProfileDelete: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["profile", "delete"], summary: "Delete the record of a profile.",
        arguments: [profileArgument])

    static func run(_ connect: ConnectContext) async throws {
        let profile = try await connect.profile()
        try await connect.api.delete("/v1/profiles/\(profile.id)")
        connect.show.done(id: profile.id, "\(profile.attribute("name")) is deleted.")
    }
}
