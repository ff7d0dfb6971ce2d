import Foundation
import StoreServer

/// How commands are told where clients of Apple's servers are taken in.
enum InterceptOptions {
    static let options: [CommandSpec.Option] = [
        StoreOpening.option,
        .value(
            "store", "ADDRESS",
            "A store on another machine, such as https://store.example.com, with --proxy."),
        .value("proxy", "HOST:PORT", "Where that store takes clients of Apple's servers in."),
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
    /// - Throws: `UsageError`, `InterceptionNoteError`, `ConnectFailure`.
    static func variables(_ arguments: ParsedArguments) async throws -> InterceptVariables {
        let address = try StoreOpening.address(arguments, option: "store")
        let proxy = try arguments.value("proxy", "HOST:PORT, such as store.example.com:8888") {
            URL(string: "http://\($0)").flatMap { $0.port != nil && $0.path.isEmpty ? $0 : nil }
        }
        guard address != nil || proxy != nil else {
            return InterceptVariables(
                try InterceptionNote.read(in: StoreOpening.directory(arguments)))
        }
        guard let address, let proxy = arguments["proxy"], !arguments.isGiven("data") else {
            throw UsageError(
                description: "--store and --proxy go together, and without --data")
        }
        return InterceptVariables(
            proxy: proxy, root: try await DistantRoot(address: address).save().path,
            store: [address])
    }
}

extension InterceptionNoteError: ExitCoded {
    /// As where a store can't be reached.
    var exitCode: Int32 { 69 }
}
