import Foundation
import FoundationNetworking
import StoreKit
import StoreSecurity
import StoreServer

/// The way of a command to Connect's API of the store that it means (`StoreTarget`): to a running
/// store over HTTP, or into the store's folder where none runs.
struct StoreAccess: Sendable {
    private let arguments: ParsedArguments
    private let target: StoreTarget?
    /// The folder whose key is good where only an address is named.
    private let keyFolder: URL
    private let saved: SavedSession?
    private let key: NamedKey
    private let say: @Sendable (String) -> Void
    var transport: any RequestTransport = HTTPTransport()

    /// - Parameter say: hears what people should know about the choice.
    /// - Throws: `UsageError`.
    init(
        _ arguments: ParsedArguments,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        saved: SavedSession? = SavedSession.load(), say: @escaping @Sendable (String) -> Void
    ) throws {
        let names = try StoreTarget.Names(arguments, saved: saved)
        self.arguments = arguments
        self.saved = saved
        self.say = say
        keyFolder = StoreOpening.directory(arguments)
        key = try NamedKey(arguments, environment)
        target = StoreTarget.chosen(
            names, standardHasStore: StoreOpening.lack(in: keyFolder) == nil)
    }

    /// Runs the body with the API of the store.
    ///
    /// - Throws: `UsageError` where nothing names a store, or a folder has none; what the body
    ///   throws.
    func run<Result: Sendable>(
        _ body: (ConnectAPI) async throws -> Result
    ) async throws -> Result {
        guard let target else {
            guard key.file != nil else { throw nothingNamed }
            return try await body(
                ConnectAPI(
                    address: StoreAddress.standard, credential: try await credential(),
                    transport: transport))
        }
        if let choice = target.choice(isSame(as: target)) { say(choice) }
        return try await target.located {
            guard let folder = target.folder else {
                return try await body(
                    ConnectAPI(
                        address: target.address ?? StoreAddress.standard,
                        credential: try await credential(at: target), transport: transport))
            }
            if let lack = StoreOpening.lack(in: folder) {
                // The address alone is enough for whoever has a key.
                guard let address = target.address, key.file != nil else {
                    throw StoreOpening.noStore(in: folder, lack)
                }
                return try await body(
                    ConnectAPI(
                        address: address, credential: try await credential(), transport: transport))
            }
            return try await run(on: folder, target, body)
        }
    }

    /// Runs the body with the store of a folder: over HTTP where it runs, in this process where it
    /// does not.
    private func run<Result: Sendable>(
        on folder: URL, _ target: StoreTarget, _ body: (ConnectAPI) async throws -> Result
    ) async throws -> Result {
        if let address = try await runningAddress(of: folder, target) {
            let shown: ConnectCredential? =
                if key.file != nil { try await credential() } else {
                    try await UploadKey.local(in: folder, arguments)
                        .map { ConnectCredential.key($0) }
                }
            if let shown {
                return try await body(
                    ConnectAPI(address: address, credential: shown, transport: transport))
            }
        }
        // Who may read the folder needs no key; whoever names one acts with it.
        let credential: ConnectCredential = key.file == nil ? .none : try await credential()
        let address = target.address ?? StoreOpening.settledAddress(arguments)
        return try await StoreOpening.open(arguments, in: folder) { store in
            let api = ConnectAPI(
                address: address, credential: credential,
                transport: RouterTransport(
                    router: try store.router(isTrusting: key.file == nil), address: address))
            return try await Self.processing(store) { try await body(api) }
        }
    }

    /// Runs the body, and what a running store does about packages that it brings.
    private static func processing<Result: Sendable>(
        _ store: Store, _ body: () async throws -> Result
    ) async throws -> Result {
        let processor = ContentProcessor(store: store)
        let work = Task {
            for await _ in store.uploadSignal.signals {
                do { try await processor.processWaiting() } catch {
                    store.log.write(
                        .error, .jobFailed,
                        ["job": "processing content", "reason": String(describing: error)])
                }
            }
        }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        work.cancel()
        await work.value
        return try result.get()
    }

    // MARK: Where it runs

    /// The address at which the store of a folder answers; nil where it does not run.
    ///
    /// - Throws: `ConnectFailure` where something else answers at the address that was named with
    ///   the folder.
    private func runningAddress(of folder: URL, _ target: StoreTarget) async throws -> String? {
        let paths = StorePaths(directory: folder, database: nil, objects: nil)
        let root = try paths.fingerprint()
        let note = ServingNote.read(in: folder)
        for address in [target.address].compactMap(\.self) + (note?.addresses ?? []) {
            switch await StoreAnswerCheck(root: root, transport: transport).answerer(at: address) {
            case .thisStore: return address
            case .nobody: continue
            case .other:
                guard address == target.address else { continue }
                throw ConnectFailure.otherStore(at: address, folder.path)
            }
        }
        if let address = target.address {
            say("nobody answers at \(address): working on the store in \(folder.path) itself")
        } else if let note {
            say(
                "the store in \(folder.path) runs, and does not answer at "
                    + "\(note.addresses.formatted(as: "or")): working on its folder itself")
        }
        return nil
    }

    /// Whether something else that names a store names the same one.
    private func isSame(as target: StoreTarget) -> (StoreTarget.Name) -> Bool {
        { name in
            if name.value == target.address { return true }
            let folder = target.folder ?? ParsedArguments.url(name.value)
            let addresses = ServingNote.read(in: folder)?.addresses ?? []
            return addresses.contains(target.folder == nil ? target.address ?? "" : name.value)
        }
    }

    // MARK: Who asks

    /// What is shown to a store that only an address names.
    private func credential(at target: StoreTarget) async throws -> ConnectCredential {
        if key.file != nil { return try await credential() }
        if let saved, saved.store == target.address { return .session(saved.token) }
        if StoreOpening.lack(in: keyFolder) == nil,
            let local = try await UploadKey.local(in: keyFolder, arguments)
        {
            return .key(local)
        }
        let address = target.address ?? StoreAddress.standard
        throw UsageError(
            description: "nobody is signed in to \(address) (\(target.origin)): use openstore "
                + "login --store \(address), or name an API key with --key and --issuer")
    }

    /// The key that was named.
    private func credential() async throws -> ConnectCredential {
        .key(try await key.complete(in: keyFolder, arguments))
    }

    private var nothingNamed: UsageError {
        UsageError(
            description: "no store is named: sign in with openstore login --store URL, name the "
                + "address with --store and a key with --key, or the store's folder with --data "
                + "(there is no store in \(keyFolder.path))")
    }
}
