import Foundation
import StoreWire

/// `openstore product export`
enum ProductExportCommand: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "export"], summary: "Write an app's products into a file.",
        discussion: """
            Writes the metadata XML of App Store Connect's Transporter, or where FILE ends in
            .storekit Xcode's StoreKit configuration with prices of the United States. What the
            XML can't say stands in it as comments.
            """,
        arguments: [
            .init(name: "APP", help: "The bundle identifier of the app, or its number."),
            .init(name: "FILE", help: "The file: .xml or .storekit."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let file = ParsedArguments.url(connect.arguments.argument(1))
        let format = file.pathExtension == "storekit" ? "storekit" : "xml"
        let app = try await AppOnStore.named(connect.arguments.argument(0), connect.api)
        let answer = try await connect.api.download(
            app.path("productExport"), ["format": format], to: file)
        let leftOut =
            answer.value(forHTTPHeaderField: "OpenStore-Left-Out")
            .flatMap { Int($0) } ?? 0
        let resource: JSONValue = [
            "id": .string(app.id), "type": "productExports",
            "attributes": ["file": .string(file.path), "leftOut": .integer(leftOut)],
        ]
        if connect.show.isForPeople, leftOut > 0 {
            connect.output.error(
                "note: \(leftOut) products without a price in the United States are left out")
        }
        connect.show.done(resource, "Wrote \(file.path).")
    }
}
