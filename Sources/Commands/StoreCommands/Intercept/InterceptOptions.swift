import Foundation
import StoreModel
import StoreSecurity
import StoreServer

/// How commands are told where clients of Apple's servers are taken in.
enum InterceptOptions {
    static let options: [CommandSpec.Option] = [
        StoreOpening.option,
        StoreAddress.option(otherwise: "without --proxy that of the store in --data"),
        .value(
            "proxy", "HOST:PORT",
            "Where a store on another machine, which --store names, takes clients of Apple's "
                + "servers in."),
        .value(
            "fingerprint", "SHA256",
            "The SHA-256 of the root that it shows them, as openstore serve prints it; needed where "
                + "--store is no https address."),
    ]

    /// Host and port to listen at: `HOST:PORT`, `:PORT` or `PORT`. Who names no host stays on this
    /// machine.
    static func listening(_ text: String) throws -> (host: String, port: UInt16) {
        let colon = text.unicodeScalars.lastIndex(of: ":")
        guard
            let port = UInt16(
                colon.map { text[text.unicodeScalars.index(after: $0)...] } ?? text[...])
        else {
            throw UsageError(
                option: "intercept", "\"\(text)\" is not [HOST:]PORT, such as 8888")
        }
        var host = String(text[..<(colon ?? text.startIndex)])
        if let bare = host.dropping(prefix: "[")?.dropping(suffix: "]") { host = String(bare) }
        return (host.isEmpty ? "127.0.0.1" : host, port)
    }

    /// The environment for the store that the options name.
    ///
    /// - Throws: `UsageError`, `InterceptionNoteError`, `ConnectFailure`, `UntrustworthyRoot`.
    static func variables(_ arguments: ParsedArguments) async throws -> InterceptVariables {
        let proxy = try arguments.value("proxy", "HOST:PORT, such as store.example.com:8888") {
            URL(string: "http://\($0)").flatMap { $0.port != nil && $0.path.isEmpty ? $0 : nil }
        }
        let fingerprint = try arguments.value(
            "fingerprint", "a SHA-256 of 64 hexadecimal digits", fingerprint)
        // An address in the settings alone names this machine's store as well.
        guard arguments.isGiven("store") || proxy != nil || fingerprint != nil else {
            let note = try InterceptionNote.read(in: StoreOpening.directory(arguments))
            guard let text = try? String(contentsOfFile: note.root, encoding: .utf8),
                let root = try? Certificate(pem: text)
            else { throw InterceptionNoteError.unreadable(note.root) }
            try InterceptedHosts.check(root, of: note.store)
            return InterceptVariables(note)
        }
        guard let address = try StoreAddress.named(arguments), let proxy = arguments["proxy"],
            !arguments.isGiven("data")
        else {
            throw UsageError(
                description: "--store and --proxy go together, and without --data")
        }
        guard fingerprint != nil || address.hasPrefix(scalars: "https:") else {
            throw UsageError(
                option: "store",
                "over plain HTTP anybody in between could send another root; name an https address, "
                    + "or say with --fingerprint which SHA-256 openstore serve prints there")
        }
        let root = RemoteRoot(address: address, fingerprint: fingerprint)
        return InterceptVariables(
            proxy: proxy, root: try await root.save().path, store: [address])
    }

    /// As `SHA256Digest` writes it; openssl x509 -fingerprint puts colons between the bytes.
    private static func fingerprint(_ text: String) -> String? {
        let digits = text.lowercased().unicodeScalars.filter { $0 != ":" }
        guard digits.count == 64,
            digits.allSatisfy({ ("0"..."9").contains($0) || ("a"..."f").contains($0) })
        else { return nil }
        return String(String.UnicodeScalarView(digits))
    }
}

extension UntrustworthyRoot: ExitCoded {
    /// As where an answer is not one of a store.
    var exitCode: ExitCode { .refused }
}

extension InterceptionNoteError: ExitCoded {
    /// As where a store can't be reached.
    var exitCode: ExitCode { .unreachable }
}
