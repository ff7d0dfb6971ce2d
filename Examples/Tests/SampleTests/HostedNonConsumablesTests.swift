import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct HostedNonConsumables {
    private static let noise = 6_000_000

    /// Where the sample keeps what is installed on a device.
    private static func library(_ shop: Shop, _ device: String) -> URL {
        shop.home(device).appendingPathComponent(".local/share/HostedNonConsumables")
    }

    private static func installed(_ shop: Shop, _ device: String, version: String) -> URL {
        library(shop, device).appendingPathComponent("Chapters/\(Shop.chapter)/\(version)")
    }

    /// The version of the first chapter that the record says is the current one.
    private static func current(_ shop: Shop, _ device: String) throws -> String? {
        struct Record: Decodable { let current: [String: String] }
        let file = library(shop, device).appendingPathComponent("library.json")
        return try JSONDecoder().decode(Record.self, from: Data(contentsOf: file))
            .current[Shop.chapter]
    }

    @Test func `a chapter is bought, paused, resumed, installed and read`() async throws {
        let shop = try await Shop(noiseBytes: Self.noise)
        let customer = try Customer("HostedNonConsumables", environment: shop.device("phone"))
        try await customer.sees("  $1.99  ")
        try await customer.answers("quits: ", "1\n")
        shop.line.hold(after: 2_000_000)
        try await customer.signsInAndConfirms(Shop.american)
        try await customer.answers("p pauses", "p")
        try await customer.sees("paused")
        let before = shop.line.count
        shop.line.open()
        try await customer.answers("r resumes", "r")
        try await customer.sees("Version 1.0 is installed.")
        try await customer.sees("installed 1.0")
        try await customer.answers("quits: ", "1\n")
        try await customer.sees("The Clock in the Biscuit Tin\r\n\r\nThe light on Farrow Rock")
        try await customer.answers("quits: ", "q\n")
        #expect(await customer.end() == 0)
        #expect(shop.line.count > before)
        try Self.expectSameContent(shop, "phone", version: "1.0")
        let tag = Self.library(shop, "phone").appendingPathComponent("Chapters/CACHEDIR.TAG")
        #expect(
            try String(contentsOf: tag, encoding: .utf8)
                .hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
    }

    @Test func `a download is cancelled, and the chapter is owned`() async throws {
        let shop = try await Shop(noiseBytes: Self.noise)
        let customer = try Customer("HostedNonConsumables", environment: shop.device("phone"))
        try await customer.answers("quits: ", "1\n")
        shop.line.hold(after: 2_000_000)
        try await customer.signsInAndConfirms(Shop.american)
        try await customer.answers("c cancels", "c")
        try await customer.sees("The download is cancelled.")
        try await customer.sees("yours")
        shop.line.open()
        try await customer.answers("quits: ", "q\n")
        #expect(await customer.end() == 0)
    }

    @Test func `a killed download goes on where it was at the next start`() async throws {
        let shop = try await Shop(noiseBytes: Self.noise)
        let customer = try Customer("HostedNonConsumables", environment: shop.device("phone"))
        try await customer.answers("quits: ", "1\n")
        shop.line.hold(after: 3_000_000)
        try await customer.signsInAndConfirms(Shop.american)
        await shop.line.held()
        try await until {
            Self.partialFile(shop, "phone").map { Self.written($0) } ?? 0 > 2_000_000
        }
        let partial = try #require(Self.partialFile(shop, "phone"))
        await customer.killsIt()
        let arrived = Self.written(partial)
        #expect(
            !FileManager.default.fileExists(
                atPath: Self.installed(shop, "phone", version: "1.0").path))

        shop.line.open()
        // What was on its way to the killed program is not counted.
        try await until { shop.line.connections == 0 }
        let before = shop.line.count
        let again = try Customer("HostedNonConsumables", environment: shop.device("phone"))
        try await again.sees("Version 1.0 is installed.")
        try await again.answers("quits: ", "q\n")
        #expect(await again.end() == 0)
        try Self.expectSameContent(shop, "phone", version: "1.0")
        // What had arrived did not come again, but for a chunk on each of four connections;
        // 100 kB are for everything else, and what blocks are larger than what they hold.
        let whole = Self.noise + 1_430_000
        #expect(shop.line.count - before < whole - arrived + 4 * 65_536 + 100_000)
        #expect(!again.screen.contains("Buy?"), "it was paid for")
    }

    @Test func `a new version is installed beside the old one`() async throws {
        let shop = try await Shop(noiseBytes: 100_000)
        let customer = try Customer("HostedNonConsumables", environment: shop.device("phone"))
        try await customer.answers("quits: ", "1\n")
        try await customer.signsInAndConfirms(Shop.american)
        try await customer.sees("Version 1.0 is installed.")
        try await customer.answers("quits: ", "q\n")
        _ = await customer.end()
        #expect(try Self.current(shop, "phone") == "1.0")
        #expect(!customer.screen.contains("u updates"))

        try await shop.publish(version: "1.1", noiseBytes: 200_000)
        let again = try Customer("HostedNonConsumables", environment: shop.device("phone"))
        try await again.sees("1.0 → 1.1")
        try await again.answers("u updates", "u\n")
        try await again.sees("Version 1.1 is installed.")
        try await again.answers("quits: ", "q\n")
        #expect(await again.end() == 0)
        #expect(try Self.current(shop, "phone") == "1.1")
        try Self.expectSameContent(shop, "phone", version: "1.0")
        try Self.expectSameContent(shop, "phone", version: "1.1")
        #expect(!again.screen.contains("Buy?"), "updates are free")

        // Everything is finished: nothing comes back.
        let third = try Customer("HostedNonConsumables", environment: shop.device("phone"))
        try await third.answers("quits: ", "q\n")
        _ = await third.end()
        #expect(!third.screen.contains("updates") && !third.screen.contains("%"))
    }

    @Test func `restoring on another device downloads nothing that is not wanted`() async throws {
        let shop = try await Shop(noiseBytes: 100_000)
        let customer = try Customer("HostedNonConsumables", environment: shop.device("phone"))
        try await customer.answers("quits: ", "1\n")
        try await customer.signsInAndConfirms(Shop.american)
        try await customer.sees("Version 1.0 is installed.")
        try await customer.answers("quits: ", "q\n")
        _ = await customer.end()

        let other = try Customer("HostedNonConsumables", environment: shop.device("tablet"))
        try await other.answers("quits: ", "r\n")
        try await other.answers("Email: ", "\(Shop.american)\n")
        try await other.answers("Password: ", "\(Shop.password)\n")
        try await other.sees("Chapters that are yours: 1")
        try await other.sees("yours")
        try await other.sees("quits: ")
        #expect(
            !FileManager.default.fileExists(
                atPath: Self.installed(shop, "tablet", version: "1.0").path))
        try other.types("1\n")
        try await other.sees("Version 1.0 is installed.")
        try await other.answers("quits: ", "q\n")
        #expect(await other.end() == 0)
        #expect(!other.screen.contains("Buy?"))
        try Self.expectSameContent(shop, "tablet", version: "1.0")
    }

    @Test func `a terminal that can show pictures gets the picture`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let customer = try Customer(
            "HostedNonConsumables", environment: shop.device("phone", ["TERM": "xterm-kitty"]))
        try await customer.answers("quits: ", "1\n")
        try await customer.signsInAndConfirms(Shop.american)
        try await customer.sees("Version 1.0 is installed.")
        try await customer.answers("quits: ", "1\n")
        try await customer.sees("The light on Farrow Rock")
        try await customer.answers("quits: ", "q\n")
        _ = await customer.end()
        let pieces = customer.screen.components(separatedBy: "\u{1b}_G").dropFirst().map { piece in
            piece.components(separatedBy: "\u{1b}\\")[0].split(separator: ";").last ?? ""
        }
        let picture = try Data(
            contentsOf: shop.content(version: "1.0").appendingPathComponent("picture.png"))
        #expect(Data(base64Encoded: pieces.joined()) == picture)
    }

    // MARK: Files

    /// The installed folder holds what the publisher handed in, byte by byte.
    private static func expectSameContent(
        _ shop: Shop, _ device: String, version: String
    ) throws {
        let source = shop.content(version: version)
        let target = installed(shop, device, version: version)
        let files = FileManager.default
        let names = try files.contentsOfDirectory(atPath: source.path).sorted()
        #expect(names == ["chapter.txt", "noise.bin", "picture.png"])
        #expect(try files.contentsOfDirectory(atPath: target.path).sorted() == names)
        for name in names {
            #expect(
                files.contentsEqual(
                    atPath: source.appendingPathComponent(name).path,
                    andPath: target.appendingPathComponent(name).path), "\(name)")
        }
    }

    /// The largest of the files that the framework fills with what arrives.
    private static func partialFile(_ shop: Shop, _ device: String) -> URL? {
        let cache = shop.home(device).appendingPathComponent(".cache")
        let files = FileManager.default.enumerator(at: cache, includingPropertiesForKeys: nil)
        return files?.compactMap { $0 as? URL }.filter { $0.path.contains("/partial/Contents/") }
            .max { status($0).st_size < status($1).st_size }
    }

    /// Bytes that a file has on disk: it has its size from the beginning on.
    private static func written(_ file: URL) -> Int { Int(status(file).st_blocks) * 512 }

    private static func status(_ file: URL) -> stat {
        var status = stat()
        _ = lstat(file.path, &status)
        return status
    }
}
