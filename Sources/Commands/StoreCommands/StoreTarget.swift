import Foundation
import StoreModel
import StoreServer

/// The store that a command means.
///
/// Several things can name one. Options count most, then variables of the environment, then the
/// session of `openstore login`, then the file with settings, and at last `./openstore-data`.
struct StoreTarget: Sendable, Equatable {
    /// What named a store, what counts most first.
    enum Rank: Int, Sendable, Comparable {
        case option
        case variable
        case login
        case file
        case standard

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
    }

    /// An address or a folder, and what named it.
    struct Name: Sendable, Equatable {
        let value: String
        let rank: Rank
        /// As messages have it: `--store`, `$OPENSTORE_URL`, `openstore login`.
        let origin: String
    }

    /// Everything that names a store.
    struct Names: Sendable {
        var address: Name?
        var folder: Name?
        var login: Name?
    }

    /// Scheme, host and port; nil where the folder says it.
    let address: String?
    /// Its folder on this machine; nil where only an address was named.
    let folder: URL?
    let rank: Rank
    let origin: String
    /// What names other stores, and does not count.
    let passedOver: [Name]

    /// Decides which store is meant; nil where nothing names one.
    ///
    /// - Parameter standardHasStore: whether there is a store in the folder of `names` that nobody
    ///   has named.
    static func chosen(_ names: Names, standardHasStore: Bool) -> StoreTarget? {
        let folder = names.folder.flatMap { folder in
            folder.rank < .standard || standardHasStore ? folder : nil
        }
        let all: [Name] = [names.address, folder, names.login].compactMap(\.self)
        guard let rank = all.map(\.rank).min() else { return nil }
        let taken = all.filter { $0.rank == rank }
        let address = names.address.flatMap { taken.contains($0) ? $0.value : nil }
        let login = names.login.flatMap { taken.contains($0) ? $0.value : nil }
        return StoreTarget(
            address: address ?? login,
            folder: folder.flatMap { taken.contains($0) ? ParsedArguments.url($0.value) : nil },
            rank: rank, origin: taken.map(\.origin).joined(separator: " and "),
            passedOver: all.filter { $0.rank > rank })
    }

    /// As messages name it.
    var description: String {
        let place =
            address.map { "the store at \($0)" } ?? folder.map { "the store in \($0.path)" }
            ?? "the store"
        return "\(place) (\(origin))"
    }
}

extension StoreTarget.Names {
    /// What the arguments, the settings and a session name.
    ///
    /// - Throws: `UsageError`.
    init(_ arguments: ParsedArguments, saved: SavedSession?) throws {
        if let value = try StoreAddress.setting(arguments) {
            address = Self.name(value, "store", arguments)
        }
        folder =
            arguments.setting("data").map { Self.name($0, "data", arguments) }
            ?? StoreTarget.Name(
                value: StoreOpening.standardFolder, rank: .standard,
                origin: "./\(StoreOpening.standardFolder)")
        login = saved.map {
            StoreTarget.Name(value: $0.store, rank: .login, origin: "openstore login")
        }
    }

    private static func name(
        _ value: String, _ option: String, _ arguments: ParsedArguments
    ) -> StoreTarget.Name {
        let origin = arguments.origin(of: option) ?? "--\(option)"
        let rank: StoreTarget.Rank =
            origin.hasPrefix(scalars: "--")
            ? .option : origin.hasPrefix(scalars: "$") ? .variable : .file
        return StoreTarget.Name(value: value, rank: rank, origin: origin)
    }
}

// MARK: What is said

extension StoreTarget {
    /// What people are told before the work begins; nil where nothing else names a store, or the
    /// command line itself does.
    func choice(_ isSame: (Name) -> Bool = { _ in false }) -> String? {
        guard rank > .option else { return nil }
        let others = passedOver.filter { !isSame($0) }
        guard !others.isEmpty else { return nil }
        let names = others.map { "\(Self.place($0.value)) (\($0.origin))" }
        return "using \(description), not \(names.formatted(as: "or"))"
    }

    private static func place(_ value: String) -> String {
        value.hasPrefix(scalars: "http") ? value : ParsedArguments.url(value).path
    }

    /// Runs the body. Its failure says which store it is about, unless the command line does.
    func located<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as any ExitCoded & CustomStringConvertible
            where rank > .option && !(error is UsageError)
        {
            throw CommandFailure(
                description: "\(error.description)\nThis is about \(description).",
                exitCode: error.exitCode)
        }
    }
}
