import Foundation
import StoreKit
import StoreWire

/// `openstore product export`
enum ProductExportCommand: Command {
    static let spec = CommandSpec(
        words: ["product", "export"], summary: "Write an app's products into a file.",
        discussion: """
            Writes the metadata XML of App Store Connect's Transporter, or where FILE ends in
            .storekit Xcode's StoreKit configuration with prices of the United States. What the
            format can't say stands in the XML as comments.
            """,
        arguments: [
            .init(name: "APP", help: "The bundle identifier of the app, or its number."),
            .init(name: "FILE", help: "The file: .xml or .storekit."),
        ], options: ConnectSession.options + [.flag("quiet", "Write nothing but errors.")])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let file = ParsedArguments.url(arguments.argument(1))
        let format = file.pathExtension == "storekit" ? "storekit" : "xml"
        let session = try await ConnectSession.open(arguments, output: output)
        let app = try await AppOnStore.named(arguments.argument(0), session: session)
        let header = try await session.download(
            app.path("productExport?format=\(format)"), to: file)
        guard !arguments.has("quiet") else { return }
        if let count = header["OpenStore-Left-Out"].flatMap({ Int($0) }), count > 0 {
            output.error(
                "note: \(count) products without a price in the United States are left out")
        }
        output.line("Wrote \(file.path).")
    }
}
