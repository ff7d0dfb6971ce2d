import Foundation
import StoreSecurity
import StoreServer

/// `openstore receipt verify`
enum ReceiptVerify: Command {
    static let spec = CommandSpec(
        words: ["receipt", "verify"], summary: "Check a receipt, and tell what it says.",
        discussion: """
            Checks signature and certificates against a root, and what else is asked for. Takes an
            app's receipt and the receipt of a single transaction, as they are or in base64. Ends
            with the status 173, as an app does, where the receipt does not count.
            """,
        arguments: [.init(name: "FILE", help: "The receipt.")],
        options: [
            .value(
                "root", "FILE",
                "The store's root, in PEM or DER; that of the store in --data unless given."),
            .value("bundle-id", "ID", "The app that it has to be for."),
            .value("app-version", "VERSION", "The app's CFBundleVersion that it has to be for."),
            .value("device", "UUID", "The device that it has to be for."), StoreOpening.option,
            .json,
        ])

    /// A receipt, or a root, larger than this is refused unread.
    private static let sizeLimit = 16 << 20

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let url = ParsedArguments.url(arguments.argument(0))
        let device = try arguments.value("device", "a UUID") { UUID(uuidString: $0) }
        let root = try root(arguments)
        let data = decoded(try read(url))
        let verifier = ReceiptVerifier(root: root)
        do {
            let contents: ReceiptDescription
            if TransactionReceipt.isOne(data) {
                guard device == nil else {
                    throw UsageError(
                        description: "--device: a transaction's receipt is not bound to one")
                }
                contents = ReceiptDescription(try verifier.verify(transactionReceipt: data))
            } else {
                let receipt = try verifier.verify(data)
                if let device, try !receipt.isMade(forDevice: bytes(of: device)) {
                    throw InvalidReceipt(description: "the receipt is for another device")
                }
                if let end = receipt.expirationDate, end <= Date() {
                    throw InvalidReceipt(
                        description: "the receipt has ended on \(end.formatted(.iso8601))")
                }
                contents = ReceiptDescription(receipt)
            }
            try check(contents, arguments)
            if arguments.has("json") { return try output.json(contents) }
            contents.write(to: output)
        } catch let error as SecurityError {
            throw InvalidReceipt(description: error.description)
        }
    }

    private static func check(
        _ contents: ReceiptDescription, _ arguments: ParsedArguments
    ) throws {
        if let app = arguments["bundle-id"], app != contents.bundleId {
            throw InvalidReceipt(description: "the receipt is for the app \(contents.bundleId)")
        }
        if let version = arguments["app-version"], version != contents.applicationVersion {
            throw InvalidReceipt(
                description: "the receipt is for version \(contents.applicationVersion)")
        }
    }

    private static func root(_ arguments: ParsedArguments) throws -> Certificate {
        let file =
            arguments["root"].map { ParsedArguments.url($0) }
            ?? StoreOpening.directory(arguments).appendingPathComponent("keys/root.pem")
        let data = try read(file)
        do {
            return try Certificate(der: data)
        } catch {
            do {
                return try Certificate(pem: String(decoding: data, as: UTF8.self))
            } catch {
                throw UsageError(
                    description: "--root: \(file.path) holds no certificate in PEM or DER")
            }
        }
    }

    private static func read(_ url: URL) throws -> Data {
        try InputFile.expect(url)
        guard let file = try? FileHandle(forReadingFrom: url) else {
            throw CommandFailure(description: "\(url.path) can't be read")
        }
        defer { try? file.close() }
        let data = try file.read(upToCount: sizeLimit + 1) ?? Data()
        guard data.count <= sizeLimit else {
            throw CommandFailure(description: "\(url.path) has more than \(sizeLimit) bytes")
        }
        return data
    }

    /// The receipt itself, where it came in base64.
    private static func decoded(_ data: Data) -> Data {
        Data(base64Encoded: data, options: .ignoreUnknownCharacters).flatMap { decoded in
            data.allSatisfy { $0 < 0x80 } && !TransactionReceipt.isOne(data) ? decoded : nil
        } ?? data
    }

    private static func bytes(of id: UUID) -> Data {
        withUnsafeBytes(of: id.uuid) { Data($0) }
    }
}

/// A receipt that does not count.
private struct InvalidReceipt: Error, ExitCoded, CustomStringConvertible {
    let description: String
    /// By which apps have told the system of an invalid receipt ever since.
    let exitCode: ExitCode = .invalidReceipt
}
