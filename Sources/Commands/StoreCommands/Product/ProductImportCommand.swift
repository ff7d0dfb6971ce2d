import Foundation
import StoreSheets
import StoreWire

/// `openstore product import`
enum ProductImportCommand: Command {
    static let spec = CommandSpec(
        words: ["product", "import"], summary: "Bring products from a file into an app.",
        discussion: """
            Reads the metadata XML of App Store Connect's Transporter, a folder X.itmsp with it, or
            Xcode's StoreKit configuration. The products change all together or not at all; what is
            wrong is named with its line. Review screenshots that lie beside the XML are uploaded
            where they differ from what the store has.
            """,
        arguments: [.init(name: "FILE", help: "The file or folder: .xml, .itmsp or .storekit.")],
        options: [
            .value(
                "app", "APP", "The bundle identifier or number; the file's app unless given."),
            .flag("dry-run", "Say what would change, and change nothing."),
        ] + ConnectSession.options + [
            .flag("json", "Write JSON for programs."), .flag("quiet", "Write nothing but errors."),
        ])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let sheet = try ProductSheetFile(ParsedArguments.url(arguments.argument(0)))
        let isRehearsal = arguments.has("dry-run")
        let session = try await ConnectSession.open(arguments, output: output)
        let app = try await app(arguments, sheet, session)
        let data = try await session.send(
            "POST", app.path("productImports?dryRun=\(isRehearsal)"), try sheet.bytes(),
            silence: 1800)
        guard let report = try JSONValue(reading: data)["data"]?["attributes"] else {
            throw ConnectError(description: "The store's answer is no report of an import.")
        }
        let files = ProductFiles(sheet, app: app, session: session)
        let pictures = try await files.uploadScreenshots(isRehearsal: isRehearsal)
        if arguments.has("json") {
            try output.json(Result(report, pictures))
        } else if !arguments.has("quiet") {
            ImportReport(report, isRehearsal: isRehearsal, pictures).write(to: output)
        }
    }

    /// What became of it, for programs.
    private struct Result: Encodable {
        let dryRun: Bool
        let added: Int
        let changed: Int
        let unchanged: Int
        let changes: JSONText
        let screenshots: [String]
        let notTaken: [String]

        init(_ report: JSONValue, _ files: ProductFiles.Report) {
            dryRun = report["dryRun"]?.flag ?? false
            added = report["added"]?.integer ?? 0
            changed = report["changed"]?.integer ?? 0
            unchanged = report["unchanged"]?.integer ?? 0
            changes = JSONText(value: report["changes"] ?? [])
            screenshots = files.uploaded
            notTaken = files.notTaken
        }
    }

    private static func app(
        _ arguments: ParsedArguments, _ sheet: ProductSheetFile, _ session: ConnectSession
    ) async throws -> AppOnStore {
        if let name = arguments["app"] {
            return try await AppOnStore.named(name, session: session)
        }
        guard let header = sheet.header else {
            throw UsageError(
                description: "--app is missing: \(sheet.url.lastPathComponent) does not say for "
                    + "which app it is")
        }
        if let number = header.appleID { return AppOnStore(id: String(number)) }
        return try await AppOnStore.sku(header.vendorID, session: session)
    }
}
