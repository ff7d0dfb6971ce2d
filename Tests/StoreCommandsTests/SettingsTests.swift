import Foundation
import StoreTestSupport
import Testing

@testable import StoreCommands

/// What the environment and a file say about options.
@Suite struct SettingsTests {
    private static let serve = ServeCommand.spec

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func file(_ text: String) throws -> String {
        try folder.write("openstore.conf", text).path
    }

    @Test func `arguments come before the environment, and that before the file`() throws {
        let path = try file("listen = 127.0.0.1:1\nreferral-days=1\ndata = /file\n")
        let parsed = try ParsedArguments(
            ["--listen", "127.0.0.1:3"], for: Self.serve,
            environment: [
                "OPENSTORE_LISTEN": "127.0.0.1:2", "OPENSTORE_REFERRAL_DAYS": "2",
                "OPENSTORE_CONFIG": path,
            ], file: "/nowhere")
        #expect(parsed["listen"] == "127.0.0.1:3")
        #expect(parsed["referral-days"] == "2")
        #expect(parsed["data"] == "/file")
        #expect(parsed["store"] == nil)
        #expect(parsed.origin(of: "listen") == "--listen")
        #expect(parsed.origin(of: "referral-days") == "$OPENSTORE_REFERRAL_DAYS")
        #expect(parsed.origin(of: "data") == "\(path):3")
        #expect(parsed.origin(of: "store") == nil)
    }

    @Test func `the file is named by argument, environment, or stands in its place`() throws {
        let named = try file("data = /named")
        let standard = try folder.write("standard.conf", "data = /standard").path
        func data(_ words: [String], _ environment: [String: String]) throws -> String? {
            try ParsedArguments(
                words, for: Self.serve, environment: environment, file: standard)["data"]
        }
        #expect(try data([], [:]) == "/standard")
        #expect(try data([], ["OPENSTORE_CONFIG": ""]) == "/standard")
        #expect(try data([], ["OPENSTORE_CONFIG": named]) == "/named")
        #expect(try data(["--config", named], ["OPENSTORE_CONFIG": standard]) == "/named")
        #expect(try data(["--config", "/dev/null"], [:]) == nil)
        #expect(throws: UsageError.self) { try data(["--config", "/nowhere"], [:]) }
    }

    @Test(
        arguments: [
            ("listen = a:1\nlisten = b:2", ":2: listen stands in", "openstore.conf:1 already"),
            (
                "# first\n\nlisen = a:1", ":3: there is no setting \"lisen\"",
                "openstore configuration"
            ),
            ("listen", ":1: there is no \"=\"", "name = value"),
            ("listen =", ":1: listen has no value", "leave the line out"),
            ("hold-reviews = perhaps", ":1: hold-reviews: \"perhaps\"", "neither true nor false"),
            ("help = true", ":1: there is no setting \"help\"", "openstore configuration"),
            ("config = other", ":1: there is no setting \"config\"", "openstore configuration"),
        ] as [(String, String, String)])
    func `what is wrong with a file is said with file and line`(
        _ text: String, _ problem: String, _ more: String
    ) throws {
        let path = try file(text)
        let error = #expect(throws: UsageError.self) {
            try ParsedArguments(["--config", path], for: Self.serve)
        }
        let description = error?.description ?? ""
        #expect(description.hasPrefix(path + problem), "\(description)")
        #expect(description.contains(more), "\(description)")
    }

    @Test func `a wrong value is told with where it stands`() throws {
        let path = try file("\nlisten = nonsense")
        let parsed = try ParsedArguments(["--config", path], for: Self.serve)
        let error = #expect(throws: UsageError.self) {
            try ServeCommand.listening(parsed["listen"] ?? "")
        }
        let shown = parsed.located(try #require(error))
        #expect(shown.exitCode == .configuration)
        #expect(shown.description.hasPrefix("\(path):2: listen: \"nonsense\" is not HOST:PORT"))
        let given = try ParsedArguments(["--listen", "nonsense"], for: Self.serve)
        let line = given.located(try #require(error))
        #expect(line.exitCode == .usage)
        #expect(line.description.hasPrefix("--listen: \"nonsense\""))
    }

    @Test func `a flag is on or off, and what comes first decides`() throws {
        let path = try file("hold-reviews = true\nno-request-log = on")
        func has(_ words: [String], _ environment: [String: String] = [:]) throws -> Bool {
            try ParsedArguments(
                words + ["--config", path], for: Self.serve, environment: environment
            ).has("hold-reviews")
        }
        #expect(try has([]))
        #expect(try !has([], ["OPENSTORE_HOLD_REVIEWS": "false"]))
        #expect(try has(["--hold-reviews"], ["OPENSTORE_HOLD_REVIEWS": "0"]))
        #expect(try !has(["--hold-reviews=false"], ["OPENSTORE_HOLD_REVIEWS": "1"]))
        #expect(throws: UsageError.self) { try has([], ["OPENSTORE_HOLD_REVIEWS": "maybe"]) }
        #expect(throws: UsageError.self) { try has(["--hold-reviews=maybe"]) }
    }

    @Test func `what may be given several times has as many lines`() throws {
        let spec: [CommandSpec.Option] = [
            .value("proxy", "ADDRESS", "One.", isRepeatable: true).asSetting
        ]
        let path = try file("proxy = 10.0.0.1\nproxy = \"10.0.0.2\"\n")
        func proxies(_ environment: [String: String]) throws -> [String]? {
            try Settings(
                file: path, environment: environment, standardFile: nil, options: spec
            ).values(of: "proxy")?.texts
        }
        #expect(try proxies([:]) == ["10.0.0.1", "10.0.0.2"])
        #expect(try proxies(["OPENSTORE_PROXY": "a  b"]) == ["a", "b"])
        let command = CommandSpec(words: ["x"], summary: "X.", options: spec)
        let parsed = try ParsedArguments(["--proxy", "c", "--proxy=d"], for: command)
        #expect(parsed.all("proxy") == ["c", "d"])
    }

    @Test func `an option that means something else is left alone`() throws {
        // --content of catalog import is a folder, and the store's content a setting.
        let parsed = try ParsedArguments(
            ["shop.storekit", "--content", "folder"], for: CatalogImport.spec,
            environment: ["OPENSTORE_CONTENT": "s3://bucket"])
        #expect(parsed["content"] == "folder")
        #expect(parsed.setting("content") == "s3://bucket")
        let without = try ParsedArguments(
            ["shop.storekit", "--content", "folder"], for: CatalogImport.spec)
        #expect(without.setting("content") == nil)
        #expect(try ContentOptions.storage(without) == nil)
    }

    @Test func `everything that serve takes can be set, and stands in the reference`() throws {
        let reference = ConfigurationCommand.reference
        for option in Self.serve.options {
            #expect(option.isSetting, "\(option.name)")
            #expect(reference.contains("\n#\(option.name) = "), "\(option.name)")
            #expect(reference.contains("$\(option.variable)"), "\(option.name)")
        }
        // As it is printed it is a file that sets nothing.
        #expect(try Settings.parse(reference, named: "reference", Settings.all).isEmpty)
        let names = Set(Self.serve.options.map(\.name))
        let lines = reference.split(separator: "\n").compactMap { line -> String? in
            guard line.hasPrefix("#"), !line.hasPrefix("# ") else { return nil }
            return String(line.dropFirst())
        }
        let set = try Settings.parse(
            lines.joined(separator: "\n"), named: "reference", Settings.all)
        #expect(Set(set.keys) == names)
        #expect(lines.count == names.count)
    }

    @Test(
        arguments: [
            ("postgres://shop:hush@db/shop", "postgres://shop:***@db/shop"),
            ("postgres://shop:hu/sh@db:5432/shop", "postgres://shop:***@db:5432/shop"),
            ("postgres://db/shop?user=u&password=hush", "postgres://db/shop?user=u&password=***"),
            ("postgres://shop@db/shop", "postgres://shop@db/shop"),
            ("s3://b/p?endpoint=https://o.example&region=x", nil), ("/srv/shop", nil),
            ("https://h/?access_token=hush&x=1", "https://h/?access_token=***&x=1"),
            ("postgres://shop:\u{301}hush@\u{301}db/shop", "postgres://shop:***@\u{301}db/shop"),
            ("https://h/?token=\u{301}hush", "https://h/?token=***"),
        ] as [(String, String?)])
    func `passwords in addresses are not shown`(_ text: String, _ shown: String?) {
        #expect(HiddenSecrets.text(text) == shown ?? text)
        #expect(!HiddenSecrets.text(text).contains("hush"))
    }
}
