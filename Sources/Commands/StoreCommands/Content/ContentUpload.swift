import CStoreLinux
import Foundation
import StoreKit
import StoreModel
import StorePackage
import StoreWire
import Synchronization

/// `openstore content upload`
enum ContentUpload: Command {
    static let spec = CommandSpec(
        words: ["content", "upload"], summary: "Bring a content package into a store.",
        discussion: """
            Checks the package by the rules of the store, sends it in parts, and waits until it is
            ready to be submitted; from then on testers get it. Run the same command again
            after an interruption: it sends only what is missing.
            """,
        arguments: [.init(name: "FILE.pkg", help: "The package.")],
        options: [
            .value("app", "ID", "The bundle identifier of the app.").asRequired,
            .value("product", "ID", "The product that the content belongs to.").asRequired,
        ] + ConnectOptions.all)

    /// What became of the package, for programs.
    private struct Result: Encodable {
        var uploadId: String?
        let bundleId: String
        let productId: String
        var version: String?
        /// `COMPLETE`, or `FAILED`.
        let state: String
        var productState: String?
        /// Bytes that this call has sent.
        var sentBytes: Int64 = 0
        let problems: [UploadAttributes.Problem]
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        cstore_keep_memory_small()
        let url = ParsedArguments.url(arguments.argument(0))
        _ = try (arguments.required("app"), arguments.required("product"))
        let app = try arguments.value("app", "a bundle identifier") { BundleID($0) }!
        let product = try arguments.value("product", "a product identifier") { ProductID($0) }!
        let access = try StoreAccess(arguments, say: { output.error($0) })
        let isQuiet = arguments.has("json") || arguments.has("quiet")
        let version: ContentVersion
        do {
            version = try checkedVersion(of: url, for: product, output, isQuiet: isQuiet)
        } catch let error as PackageError where arguments.has("json") {
            let problems = error.problems.map {
                UploadAttributes.Problem(path: $0.path, rule: $0.rule.rawValue, advice: $0.advice)
            }
            try output.json(
                Result(
                    bundleId: app.text, productId: product.text, state: "FAILED",
                    problems: problems))
            throw ReportedFailure(exitCode: .refused)
        }
        let file = try UploadSource(url)
        let creation = UploadCreation(
            bundleId: app, productId: product, fileName: url.lastPathComponent,
            fileSize: file.size, sha256: try file.digest(), version: version)
        let display = UploadDisplay(output: output, isQuiet: isQuiet)
        let (upload, sentBytes) = try await access.run { api in
            try await PackageUploader(
                session: ConnectRetryClient(
                    address: api.address, credential: api.credential, transport: api.transport,
                    retrying: { display.retrying($0) }), file: file, creation: creation,
                sent: { display.sent($0, of: $1, before: $2) },
                processed: { display.processed($0, of: file.size) }
            ).run()
        }
        display.end()
        let attributes = upload.attributes
        if arguments.has("quiet") {
            output.line(upload.id)
        } else if isQuiet {
            try output.json(
                Result(
                    uploadId: upload.id, bundleId: app.text, productId: product.text,
                    version: attributes.version, state: attributes.state,
                    productState: attributes.productState, sentBytes: sentBytes,
                    problems: attributes.problems))
        }
        guard attributes.state == "COMPLETE" else {
            if arguments.has("json") { throw ReportedFailure(exitCode: .refused) }
            throw RefusedPackage(problems: attributes.problems)
        }
        if !isQuiet {
            output.line(
                "Version \(attributes.version ?? "") of \(product) is processed; the product is "
                    + "\(name(of: attributes.productState ?? "")). Testers get it now; openstore "
                    + "submission create --app \(app) --product \(product) brings it to customers.")
        }
    }

    /// The version of a package, as far as it can be checked here.
    ///
    /// - Throws: `PackageError` with all that is wrong.
    private static func checkedVersion(
        of url: URL, for product: ProductID, _ output: Output, isQuiet: Bool
    ) throws -> ContentVersion {
        let progress = ContentProgress("Checking", output: output, isQuiet: isQuiet)
        let expectation = PackageExpectation(productID: product, fileName: url.lastPathComponent)
        let version = try PackageReader(file: url, expectation: expectation)
            .summary(progress: progress.show).info.version
        if !isQuiet { progress.clear() }
        return version
    }

    /// The state of a product as App Store Connect's pages write it.
    static func name(of state: String) -> String {
        state.split(scalar: "_").map { word in
            ["FOR", "TO", "FROM"].contains(word) ? word.lowercased() : word.capitalized
        }.joined(separator: " ")
    }
}

/// The store has refused the package.
struct RefusedPackage: ExitCoded, CustomStringConvertible {
    let problems: [UploadAttributes.Problem]

    var exitCode: ExitCode { .refused }

    var description: String {
        "the store refuses the package:\n"
            + problems.map { $0.path.isEmpty ? "\($0.advice)" : "\($0.path): \($0.advice)" }
            .joined(separator: "\n")
    }
}

/// Shows on a terminal how far an upload is.
final class UploadDisplay: Sendable {
    private struct State {
        var bar: ProgressBar?
        var start: (time: ContinuousClock.Instant, done: Int64)?
        var isProcessing = false
        var total: Int64 = 0
        var lastReason: String?
    }

    private let output: Output
    private let isQuiet: Bool
    private let state = Mutex(State())

    init(output: Output, isQuiet: Bool) {
        self.output = output
        self.isQuiet = isQuiet
    }

    func sent(_ done: Int64, of total: Int64, before: Int64) {
        guard !isQuiet else { return }
        state.withLock { state in
            let bar = state.bar ?? ProgressBar("Sending", output: output, before: before)
            let start = state.start ?? (ContinuousClock.now, done)
            state.bar = bar
            state.start = start
            state.total = total
            let seconds = (ContinuousClock.now - start.time) / .seconds(1)
            let rate = Double(done - start.done) / max(0.001, seconds)
            let remaining = done > start.done ? Double(total - done) / rate : -1
            bar.show(done, of: total, remaining: remaining)
        }
    }

    func retrying(_ reason: String) {
        guard !isQuiet else { return }
        let isNews = state.withLock { state in
            defer { state.lastReason = reason }
            return state.lastReason != reason
        }
        if isNews { output.error("note: \(reason); trying again") }
    }

    func processed(_ bytes: Int64, of total: Int64) {
        guard !isQuiet else { return }
        finishBar()
        output.replaceLine("Processing \(formattedBytes(bytes)) of \(formattedBytes(total))")
    }

    func end() {
        guard !isQuiet else { return }
        finishBar()
        output.replaceLine()
    }

    private func finishBar() {
        state.withLock { state in
            if !state.isProcessing, let bar = state.bar { bar.finish(state.total) }
            state.isProcessing = true
        }
    }
}
