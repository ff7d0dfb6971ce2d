import Foundation
import StoreMetadata
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
        let file = try ProductMetadataFile(ParsedArguments.url(connect.arguments.argument(0)))
        let isRehearsal = connect.arguments.has("dry-run")
        let app = try await app(connect, file)
        let answer = try await connect.api.send(
            file: file.url, to: app.path("productImports"), ["dryRun": "\(isRehearsal)"],
            silence: 1800)
        // Looked at before anything is said: what is cut off is no answer.
        let document = try? forEachChange(in: answer) { _ in }
        guard var resource = document?["data"]?.members,
            var attributes = resource["attributes"]?.members
        else { throw ConnectFailure.noStore(at: connect.api.address, status: 200) }
        let files = ProductFiles(file, app: app, connect.api)
        let report = try await files.uploadScreenshots(isRehearsal: isRehearsal)
        attributes["screenshots"] = .array(report.uploaded.map(JSONValue.string))
        attributes["notTaken"] = .array(report.notTaken.map(JSONValue.string))
        if connect.show.isForPeople {
            let shown = ImportReport(.object(attributes), isRehearsal: isRehearsal)
            try forEachChange(in: answer) { shown.write(change: $0, to: connect.output) }
            shown.write(to: connect.output)
        } else if connect.arguments.has("quiet") {
            try forEachChange(in: answer) { connect.output.line($0["productId"]?.text ?? "") }
        } else {
            var changes: [JSONValue] = []
            try forEachChange(in: answer) { changes.append($0) }
            attributes["changes"] = .array(changes)
            resource["attributes"] = .object(attributes)
            connect.show.done(.object(resource), "")
        }
    }

    /// Reads the changes of an answer one by one: there may be thousands.
    ///
    /// - Returns: the answer without them.
    @discardableResult
    private static func forEachChange(
        in answer: AnswerFile, _ body: (JSONValue) -> Void
    ) throws -> JSONValue {
        var reader = JSONListReader(list: "changes", depth: 3, read: answer.pieces())
        while let change = try reader.next() { body(change) }
        return try reader.rest()
    }

    private static func app(
        _ connect: ConnectContext, _ file: ProductMetadataFile
    ) async throws -> AppOnStore {
        if let name = connect.arguments["app"] {
            return try await AppOnStore.named(name, connect.api)
        }
        guard let header = file.header else {
            throw UsageError(
                description: "--app is missing: \(file.url.lastPathComponent) does not say for "
                    + "which app it is")
        }
        if let number = header.appleID { return AppOnStore(id: String(number)) }
        return try await AppOnStore.sku(header.vendorID, connect.api)
    }
}
