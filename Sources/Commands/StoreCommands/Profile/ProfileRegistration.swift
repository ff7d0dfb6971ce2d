import Foundation
import StoreCore
import StoreModel
import StoreWire

/// `openstore profile create --type …`: a profile that Connect keeps a record of.
enum ProfileRegistration {
    static let options: [CommandSpec.Option] = [
        .value(
            "type", "TYPE",
            "Have Connect make and remember it: a type such as IOS_APP_DEVELOPMENT or "
                + "IOS_APP_STORE."),
        .value("name", "NAME", "What Connect calls it."),
    ]

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let text = try arguments.required("type")
        guard let type = ProfileType(rawValue: text.uppercased().replacing(scalar: "-", with: "_"))
        else {
            throw UsageError(
                description: "--type: \"\(text)\" is none of: "
                    + ProfileType.allCases.map(\.rawValue).joined(separator: ", "))
        }
        let connect = ConnectContext(
            api: try await ConnectOptions.api(arguments), arguments: arguments, output: output,
            show: ConnectRenderer(arguments, output))
        let bundleID = try arguments.required("bundle-id")
        let identifier = try await connect.bundleIdentifier(bundleID)
        let made = try await connect.api.send(
            "POST", "/v1/profiles", [:],
            [
                "data": [
                    "type": "profiles",
                    "attributes": [
                        "name": .string(arguments["name"] ?? "\(bundleID) \(type.title)"),
                        "profileType": .string(type.rawValue),
                    ],
                    "relationships": [
                        "bundleId": ["data": ["type": "bundleIds", "id": .string(identifier.id)]],
                        "certificates": ["data": []],
                    ],
                ]
            ])
        let profile = made["data"] ?? .null
        let file = try connect.write(profile, to: arguments["output"] ?? "embedded.storeprofile")
        connect.show.done(profile, "\(file.path): \(bundleID), \(type.title)")
    }
}
