import Foundation
import StoreTestSupport
import Testing

@testable import StoreCommands

/// How commands are told at which address the store is reached.
@Suite struct StoreAddressTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `all commands have one option and one variable for the store's address`() {
        var names: [String] = []
        for command in CommandTree.commands {
            let name = command.spec.words.joined(separator: " ")
            for option in command.spec.options {
                #expect(option.name != "url", "\(name)")
                // A legal form has the address of a company.
                #expect(option.name != "address" || option.value == "TEXT", "\(name)")
                guard option.name == "store" else { continue }
                names.append(name)
                #expect(option.isSetting, "\(name)")
                #expect(option.variable == "OPENSTORE_URL", "\(name)")
                #expect(option.value == "URL", "\(name)")
            }
        }
        let expected: Set = [
            "serve", "login", "feed export", "content upload", "profile create", "purchase list",
            "intercept run", "doctor", "app list", "password reset",
        ]
        #expect(expected.subtracting(names) == [])
    }

    @Test(arguments: [
        FeedExportCommand.spec, Login.spec, AppList.spec, ServeCommand.spec,
    ])
    func `the address comes from the arguments, the variable or the file, in this order`(
        _ spec: CommandSpec
    ) throws {
        let file = try folder.write("openstore.conf", "store = https://file.example/\n").path
        func address(_ words: [String], _ environment: [String: String]) throws -> String? {
            let required = spec.options.filter(\.isRequired).flatMap { ["--\($0.name)", "x"] }
            let places = spec.arguments.map(\.name) + required
            return try StoreAddress.named(
                ParsedArguments(words + places, for: spec, environment: environment, file: file))
        }
        let environment = ["OPENSTORE_URL": "https://variable.example"]
        let argument = try address(["--store", "https://argument.example/"], environment)
        #expect(argument == "https://argument.example")
        #expect(try address([], environment) == "https://variable.example")
        #expect(try address([], [:]) == "https://file.example")
        #expect(throws: UsageError.self) { try address(["--store", "store.example"], [:]) }
    }

    @Test func `doctor asks the store of this machine unless its arguments say otherwise`() throws {
        let environment = ["OPENSTORE_URL": "https://shop.example.com"]
        func asked(_ words: [String]) throws -> String? {
            try StoreAddress.given(
                ParsedArguments(words, for: DoctorCommand.spec, environment: environment))
        }
        #expect(try asked([]) == nil)
        #expect(try asked(["--store", "http://127.0.0.1:9"]) == "http://127.0.0.1:9")
    }
}
