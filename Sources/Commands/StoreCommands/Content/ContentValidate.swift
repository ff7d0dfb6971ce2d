import Foundation
import StoreModel
import StorePackage
import StoreWire

/// `openstore content validate`
enum ContentValidate: Command {
    static let spec = CommandSpec(
        words: ["content", "validate"], summary: "Check a content package by the store's rules.",
        discussion: """
            Tells everything that breaks a rule at once, with the path inside the package and what
            to do. The store checks uploads by the same rules. With --app it also signs in to the
            store and asks whether the app, the product, the version and the size are ones that it
            would take; nothing is sent. The exit code is 65 where there are problems.
            """,
        arguments: [.init(name: "FILE.pkg", help: "The package.")],
        options: [
            .value("app", "ID", "The app to compare with in the store, by bundle identifier."),
            .value("product", "ID", "The product that the content is for."),
            .value("newer-than", "VERSION", "The version on sale, which this one must exceed."),
        ] + ConnectOptions.all.filter { $0.name != "quiet" })

    private struct Verdict: Encodable {
        struct Problem: Encodable {
            let path: String
            let rule: String
            let advice: String
        }

        let isValid: Bool
        var productId: String?
        var version: String?
        var packedBytes: Int64?
        var unpackedBytes: Int64?
        var entries: Int?
        var problems: [Problem] = []
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let file = ParsedArguments.url(arguments.argument(0))
        let expectation = PackageExpectation(
            productID: try arguments.value("product", "a product identifier") { ProductID($0) },
            newerThan: try arguments.value("newer-than", "a version such as 1.0") {
                ContentVersion($0)
            },
            fileName: file.lastPathComponent)
        let app = try arguments.value("app", "a bundle identifier") { BundleID($0) }
        let isQuiet = arguments.has("json")
        let progress = ContentProgress("Checking", output: output, isQuiet: isQuiet)
        do {
            let summary = try PackageReader(file: file, expectation: expectation)
                .summary(progress: progress.show)
            if let app {
                if !isQuiet { progress.clear() }
                try await compare(summary, file, with: app, arguments, output)
            }
            if isQuiet { return try output.json(verdict(summary)) }
            progress.finish(summary.packedBytes)
            output.line(
                "\(file.path): \(summary.info.productID) \(summary.info.version) keeps all rules, "
                    + (app == nil ? "" : "and the store would take it, ")
                    + "\(summary.entries.count) entries, "
                    + "\(formattedBytes(summary.unpackedBytes)) unpacked")
        } catch let error as PackageError {
            if isQuiet {
                try output.json(verdict(error))
            } else {
                progress.clear()
                output.write(list(error, file: file, output: output))
            }
            throw ReportedFailure(exitCode: .refused)
        } catch let errors as JSONAPIErrors where errors.errors.first.map(isAboutPackage) == true {
            if isQuiet {
                try output.json(
                    Verdict(
                        isValid: false,
                        problems: errors.errors.map {
                            .init(path: "", rule: $0.code, advice: $0.detail ?? $0.title)
                        }))
            } else {
                output.error("\(file.path): the store would not take it: \(errors)")
            }
            throw ReportedFailure(exitCode: .refused)
        }
    }

    /// Whether the store has refused the package, and not who asks.
    private static func isAboutPackage(_ error: JSONAPIError) -> Bool {
        ["404", "409", "413", "422"].contains(error.status)
    }

    /// Asks the store whether it would take the package.
    ///
    /// - Throws: `JSONAPIErrors` with its reasons; `ConnectError`.
    private static func compare(
        _ summary: PackageReader.Summary, _ file: URL, with app: BundleID,
        _ arguments: ParsedArguments, _ output: Output
    ) async throws {
        let package = try UploadSource(file)
        let creation = UploadCreation(
            bundleId: app, productId: summary.info.productID, fileName: file.lastPathComponent,
            fileSize: package.size, sha256: try package.digest(), version: summary.info.version,
            validatesOnly: true)
        let body = try WireCoding.encode(
            JSONAPIRequest(type: UploadRoute.type, attributes: creation))
        try await StoreAccess(arguments, say: { output.error($0) }).run { api in
            _ = try await ConnectRetryClient(
                address: api.address, credential: api.credential, transport: api.transport,
                retrying: { output.error("note: \($0); trying again") }
            ).send("POST", UploadRoute.uploads, body)
        }
    }

    private static func verdict(_ summary: PackageReader.Summary) -> Verdict {
        Verdict(
            isValid: true, productId: summary.info.productID.text,
            version: summary.info.version.text, packedBytes: summary.packedBytes,
            unpackedBytes: summary.unpackedBytes, entries: summary.entries.count)
    }

    private static func verdict(_ error: PackageError) -> Verdict {
        Verdict(
            isValid: false,
            problems: error.problems.map {
                .init(path: $0.path, rule: $0.rule.rawValue, advice: $0.advice)
            })
    }

    private static func list(_ error: PackageError, file: URL, output: Output) -> String {
        let count = error.problems.count
        let header = "\(file.path): \(count == 1 ? "1 problem" : "\(count) problems")\n"
        return header
            + error.problems.map { problem in
                let rule = output.styled(problem.rule.rawValue, .yellow)
                return "  \(rule)  \(problem)\n"
            }.joined()
    }
}
