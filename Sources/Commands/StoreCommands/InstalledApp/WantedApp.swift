import Foundation
import StoreKit
import StoreModel
import StoreWire

/// What `openstore install` is told to install.
struct WantedApp: Equatable {
    /// The store, where an address of a page names it.
    var store: String?
    var number: Int64?
    /// A name or a bundle identifier; empty where there is a number.
    var name: String

    /// - Parameter text: a number, a name, a bundle identifier, or the address of an app's page, as
    ///   in `https://store.example.com/us/app/lamp/id123`.
    init(_ text: String) {
        name = text
        if let number = Self.number(text) {
            (self.number, name) = (number, "")
            return
        }
        guard let url = URLComponents(string: text), ["http", "https"].contains(url.scheme ?? ""),
            let host = url.host,
            let part = url.path.split(scalar: "/").last(where: { $0.hasPrefix(scalars: "id") }),
            let number = Self.number(String(part.dropFirst(2)))
        else { return }
        let shown = host.contains(scalar: ":") && !host.hasPrefix(scalars: "[") ? "[\(host)]" : host
        store = "\(url.scheme ?? "")://\(shown)" + (url.port.map { ":\($0)" } ?? "")
        (self.number, name) = (number, "")
    }

    private static func number(_ text: String) -> Int64? {
        let isNumber =
            !text.isEmpty && text.utf8.count <= 18
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? Int64(text) : nil
    }
}

/// The options by which the commands for installed apps find store and account.
enum CustomerOptions {
    static let store = StoreAddress.option(
        otherwise: "that of the apps that are installed")
    static let environment: CommandSpec.Option = .value(
        "environment", "sandbox|production", "Whose account; production unless given.")
    static let email: CommandSpec.Option = .value(
        "email", "ADDRESS",
        "Who signs in, where nobody is signed in; the password is asked for, or read from standard "
            + "input.")

    /// The store's address for devices.
    ///
    /// - Parameter page: the store that an argument names.
    static func baseURL(
        _ arguments: ParsedArguments, page: String?, installed: [InstalledApp]
    ) throws -> String {
        let environment =
            try arguments.value("environment", "sandbox or production") {
                StoreEnvironment(word: $0)
            } ?? .production
        if let page, !arguments.isGiven("store") { return page + environment.pathPrefix }
        if let named = try StoreAddress.named(arguments) { return named + environment.pathPrefix }
        let stores = Set(
            installed.map(\.record.store).filter { store in
                store.hasSuffix(scalars: StoreEnvironment.sandbox.pathPrefix)
                    == (environment == .sandbox)
            })
        if let only = stores.first, stores.count == 1 { return only }
        guard stores.isEmpty else {
            throw UsageError(
                option: "store",
                "there are apps of several stores: \(stores.sorted().formatted(as: "and")); name one"
            )
        }
        return StoreAddress.standard + environment.pathPrefix
    }

    static func customer(
        _ arguments: ParsedArguments, at baseURL: String, _ folders: AppFolders
    ) throws -> Customer {
        let api = CustomerAPI(
            baseURL: baseURL, device: try folders.deviceIdentifier(), transport: HTTPTransport())
        return Customer(api, folders: folders) { try credentials(arguments, at: baseURL) }
    }

    /// Email address and password, from the command line, standard input or the terminal.
    private static func credentials(
        _ arguments: ParsedArguments, at baseURL: String
    ) throws -> SignInRequest? {
        let isTerminal = isatty(STDIN_FILENO) == 1
        var email = arguments["email"]
        if email == nil, isTerminal {
            Output.prompt("Sign in to \(baseURL.terminalText())\nEmail address: ")
            email = readLine()
        }
        guard let email, !email.isEmpty else { return nil }
        return SignInRequest(
            email: email, password: try PasswordPrompt.read(arguments, "Password for \(email)"))
    }
}
