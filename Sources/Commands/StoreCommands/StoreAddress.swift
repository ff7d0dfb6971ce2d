import Foundation

/// The address at which a store is reached, as all commands are told it: one option, one variable
/// and one setting.
enum StoreAddress {
    /// That of `openstore serve` without any settings, as its own machine reaches it.
    static let standard = "http://127.0.0.1:8080"

    /// `--store URL`.
    ///
    /// - Parameter otherwise: what holds where nobody names an address.
    static func option(otherwise: String = standard) -> CommandSpec.Option {
        option("$OPENSTORE_URL, or \(otherwise), unless given.")
    }

    /// The same for a command that asks the store of this machine, unless another address stands
    /// among its arguments: it takes none from the settings (`given`).
    static func option(asArgument otherwise: String) -> CommandSpec.Option {
        option("\(otherwise) unless given here.")
    }

    private static func option(_ standard: String) -> CommandSpec.Option {
        var option: CommandSpec.Option = .value(
            "store", "URL", "The address at which the store is reached; \(standard)"
        ).asSetting
        option.ownVariable = "OPENSTORE_URL"
        return option
    }

    /// Scheme, host and port, from the arguments or the settings; nil where neither name them.
    ///
    /// - Throws: `UsageError`.
    static func named(_ arguments: ParsedArguments) throws -> String? {
        try arguments.value("store", form, wellFormed)
    }

    /// The same for a command whose `--store`, if it has one, is something else: what the settings
    /// say counts.
    static func setting(_ arguments: ParsedArguments) throws -> String? {
        try arguments.setting("store").map { text in
            guard let address = wellFormed(text) else {
                throw UsageError(option: "store", "\"\(text)\" is not \(form)")
            }
            return address
        }
    }

    private static let form = "an address such as https://store.example.com"

    private static func wellFormed(_ text: String) -> String? {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme ?? ""),
            url.host != nil
        else { return nil }
        return text.dropping(suffix: "/").map { String($0) } ?? text
    }

    /// The same among the arguments only: what the settings say does not count.
    static func given(_ arguments: ParsedArguments) throws -> String? {
        arguments.isGiven("store") ? try named(arguments) : nil
    }
}
