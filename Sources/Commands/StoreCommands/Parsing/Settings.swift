import Foundation
import StoreModel

/// What the environment and a file say about options: whoever runs a store writes them down once
/// for all commands.
///
/// Arguments come before the environment, and that before the file.
struct Settings: Sendable {
    /// Values of an option, and where they stand.
    struct Given: Sendable, Equatable {
        var texts: [String]
        /// As messages name it: `$OPENSTORE_LISTEN`, or file and line.
        let origin: String
    }

    /// Read where nobody names another file.
    static let standardFile = "/etc/openstore/openstore.conf"

    static let fileOption: CommandSpec.Option = .value(
        "config", "FILE",
        "Where settings stand that are given neither here nor in the environment; $OPENSTORE_CONFIG "
            + "or \(standardFile), if it is there, unless given."
    ).asShared

    /// All that can be set: what `serve` takes.
    static var all: [CommandSpec.Option] { ServeCommand.spec.options.filter(\.isSetting) }

    private var given: [String: Given] = [:]

    /// Nothing.
    init() {}

    /// - Parameters:
    ///   - file: the one that was asked for; it must be there.
    ///   - standardFile: the one that counts unless the environment names another; it may be
    ///     missing.
    /// - Throws: `UsageError`, which names file and line.
    init(
        file: String?, environment: [String: String], standardFile: String?,
        options: [CommandSpec.Option] = Settings.all
    ) throws {
        let named = file ?? environment["OPENSTORE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        if let named {
            given = try Self.read(named, options)
        } else if let standardFile, access(standardFile, F_OK) == 0 {
            given = try Self.read(standardFile, options)
        }
        for option in options {
            guard let text = environment[option.variable], !text.isEmpty else { continue }
            let origin = "$\(option.variable)"
            guard option.value != nil || Self.flag(text) != nil else {
                throw UsageError(description: "\(origin): \"\(text)\" is neither true nor false")
            }
            let texts =
                option.isRepeatable
                ? text.split(whereSeparator: \.isWhitespace).map(String.init) : [text]
            given[option.name] = Given(
                texts: option.value == nil ? ["\(Self.flag(text) == true)"] : texts,
                origin: origin)
        }
    }

    func values(of name: String) -> Given? { given[name] }

    /// What a text means for a flag; nil for neither.
    static func flag(_ text: String) -> Bool? {
        switch text {
        case "true", "1", "yes", "on": true
        case "false", "0", "no", "off": false
        default: nil
        }
    }

    // MARK: The file

    /// The longest file, bytes.
    private static let fileLimit = 1_000_000

    private static func read(
        _ path: String, _ options: [CommandSpec.Option]
    ) throws -> [String: Given] {
        let url = ParsedArguments.url(path)
        let data: Data
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            data = try handle.read(upToCount: fileLimit + 1) ?? Data()
        } catch {
            throw UsageError(
                description: "the settings in \(url.path) can't be read: "
                    + "\(error.localizedDescription) --config names another file, "
                    + "and --config /dev/null none", exitCode: .configuration)
        }
        guard data.count <= fileLimit, let text = String(data: data, encoding: .utf8) else {
            throw UsageError(
                description: "\(url.path) is no text of UTF-8 with at most \(fileLimit) bytes",
                exitCode: .configuration)
        }
        return try parse(text, named: url.path, options)
    }

    /// Reads lines of the form `name = value`.
    ///
    /// - Throws: `UsageError`, which names file and line.
    static func parse(
        _ text: String, named path: String, _ options: [CommandSpec.Option]
    ) throws -> [String: Given] {
        var given: [String: Given] = [:]
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            guard !line.isEmpty, !line.hasPrefix(scalars: "#") else { continue }
            let origin = "\(path):\(index + 1)"
            func wrong(_ problem: String) -> UsageError {
                UsageError(description: "\(origin): \(problem)", exitCode: .configuration)
            }
            let sides = line.split(scalar: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else {
                throw wrong("there is no \"=\"; a line is \"name = value\"")
            }
            let name = sides[0].trimmingCharacters(in: .whitespaces)
            var value = sides[1].trimmingCharacters(in: .whitespaces)
            if let inside = value.dropping(prefix: "\"")?.dropping(suffix: "\"") {
                value = String(inside)
            }
            guard let option = options.first(where: { $0.name == name }) else {
                throw wrong(
                    "there is no setting \"\(name)\"; openstore configuration lists them all")
            }
            guard !value.isEmpty else {
                throw wrong("\(name) has no value; leave the line out for the usual one")
            }
            guard option.value != nil || flag(value) != nil else {
                throw wrong("\(name): \"\(value)\" is neither true nor false")
            }
            if option.value == nil { value = "\(flag(value) == true)" }
            if let before = given[name], !option.isRepeatable {
                throw wrong("\(name) stands in \(before.origin) already")
            }
            given[name, default: Given(texts: [], origin: origin)].texts.append(value)
        }
        return given
    }
}
