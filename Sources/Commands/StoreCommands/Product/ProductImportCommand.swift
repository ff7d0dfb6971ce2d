import Foundation
import StoreSheets
import StoreWire

/// `openstore product import`
enum ProductImportCommand: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["product", "import"], summary: "Bring products from a file into an app.",
        discussion: """
            Reads the metadata XML of App Store Connect's Transporter, a folder X.itmsp with it, or
            Xcode's StoreKit configuration. The products change all together or not at all; what is
            wrong is named with its line. Review screenshots that lie beside the XML are uploaded
            where they differ from what the store has. --quiet lists the products that change.
            """,
        arguments: [.init(name: "FILE", help: "The file or folder: .xml, .itmsp or .storekit.")],
        options: [
            .value(
                "app", "APP", "The bundle identifier or number; the file's app unless given."),
            .flag("dry-run", "Say what would change, and change nothing."),
        ])

    static func run(_ connect: ConnectContext) async throws {
        let sheet = try ProductSheetFile(ParsedArguments.url(connect.arguments.argument(0)))
        let isRehearsal = connect.arguments.has("dry-run")
        let app = try await app(connect, sheet)
        let data = try await connect.api.data(
            "POST", app.path("productImports"), ["dryRun": "\(isRehearsal)"], try sheet.bytes(),
            type: "application/octet-stream", silence: 1800)
        guard var resource = try JSONValue(reading: data, depth: 64)["data"]?.members,
            var attributes = resource["attributes"]?.members
        else { throw ConnectFailure.noStore(at: connect.api.address, status: 200) }
        let files = ProductFiles(sheet, app: app, connect.api)
        let report = try await files.uploadScreenshots(isRehearsal: isRehearsal)
        attributes["screenshots"] = .array(report.uploaded.map(JSONValue.string))
        attributes["notTaken"] = .array(report.notTaken.map(JSONValue.string))
        resource["attributes"] = .object(attributes)
        if connect.show.isForPeople {
            ImportReport(.object(attributes), isRehearsal: isRehearsal).write(to: connect.output)
        } else if connect.arguments.has("quiet") {
            for change in attributes["changes"]?.elements ?? [] {
                connect.output.line(change["productId"]?.text ?? "")
            }
        } else {
            connect.show.done(.object(resource), "")
        }
    }

    private static func app(
        _ connect: ConnectContext, _ sheet: ProductSheetFile
    ) async throws -> AppOnStore {
        if let name = connect.arguments["app"] {
            return try await AppOnStore.named(name, connect.api)
        }
        guard let header = sheet.header else {
            throw UsageError(
                description: "--app is missing: \(sheet.url.lastPathComponent) does not say for "
                    + "which app it is")
        }
        if let number = header.appleID { return AppOnStore(id: String(number)) }
        return try await AppOnStore.sku(header.vendorID, connect.api)
    }
}
