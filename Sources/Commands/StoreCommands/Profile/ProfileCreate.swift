import Foundation
import StoreCore
import StoreKit
import StoreModel
import StoreServer
import StoreWire

/// `openstore profile create`
enum ProfileCreate: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["profile", "create"], summary: "Make a provisioning profile for an app.",
        discussion: """
            The profile tells an app its store. Put it next to the executable as
            embedded.storeprofile, or name it in OPENSTORE_PROFILE. The store remembers profiles:
            without --name, one that was made before for the same app and type is made anew.
            """,
        options: [
            .value("bundle-id", "ID", "The app's bundle identifier.").asRequired,
            .value(
                "type", "TYPE",
                "development for the sandbox, store for production, or a type as App Store Connect "
                    + "has it, such as IOS_APP_ADHOC; development unless given.",
                standard: "development"),
            .value("name", "NAME", "What Connect calls it; made of app and type unless given."),
            .value(
                "output", "FILE", "The file to write (-o); embedded.storeprofile unless given.",
                standard: "embedded.storeprofile"),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let arguments = connect.arguments
        let bundleID = try arguments.required("bundle-id")
        let identifier = try await connect.bundleIdentifier(bundleID)
        let type = try type(
            arguments["type"] ?? "development", on: identifier.attribute("platform"))
        // A name has a hundred characters at most.
        let usual = String("\(bundleID) \(type.title)".prefix(100))
        let known =
            arguments["name"] == nil
            ? try await connect.api.list("/v1/profiles", ["filter[name]": usual])
                .first { $0.attribute("name") == usual } : nil
        let profile: JSONValue
        if let known {
            profile = try await connect.renew(known)
        } else {
            profile = try await make(arguments["name"] ?? usual, type, of: identifier, connect.api)
        }
        let file = try connect.write(profile, to: arguments["output"] ?? "embedded.storeprofile")
        let text = Data(base64Encoded: profile.attribute("profileContent")) ?? Data()
        let content = try DeviceProfile(
            text: String(decoding: text, as: UTF8.self), source: file.path
        ).payload
        if connect.api.isInThisProcess, try StoreAddress.setting(arguments) == nil,
            ServingNote.read(in: StoreOpening.directory(arguments)) == nil
        {
            connect.output.error(
                "note: the store does not run; the profile names \(content.baseURL). Name another address "
                    + "with --store")
        }
        connect.show.done(
            profile,
            "\(file.path): \(content.bundleId), \(content.environment.word) at \(content.baseURL)\n"
                + "Apps find it in OPENSTORE_PROFILE, or beside them as embedded.storeprofile.")
    }

    private static func type(_ text: String, on platform: String) throws -> ProfileType {
        let platform = BundleIdentifierPlatform(rawValue: platform) ?? .linux
        switch (text, platform) {
        case ("development", .iOS): return .iOSDevelopment
        case ("store", .iOS): return .iOSStore
        case ("development", .macOS): return .macDevelopment
        case ("store", .macOS): return .macStore
        case ("development", _): return .linuxDevelopment
        case ("store", _): return .linuxStore
        default: break
        }
        let name = text.uppercased().replacing(scalar: "-", with: "_")
        guard let type = ProfileType(rawValue: name) else {
            throw UsageError(
                option: "type",
                "\"\(text)\" is none of: development, store, "
                    + ProfileType.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return type
    }

    private static func make(
        _ name: String, _ type: ProfileType, of identifier: JSONValue, _ api: ConnectAPI
    ) async throws -> JSONValue {
        let made = try await api.send(
            "POST", "/v1/profiles", [:],
            [
                "data": [
                    "type": "profiles",
                    "attributes": [
                        "name": .string(name), "profileType": .string(type.rawValue),
                    ],
                    "relationships": [
                        "bundleId": ["data": ["type": "bundleIds", "id": .string(identifier.id)]],
                        "certificates": ["data": []],
                    ],
                ]
            ])
        return made["data"] ?? .null
    }
}
