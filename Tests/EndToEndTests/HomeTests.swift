import Foundation
import StoreTestSupport
import Testing

/// The folders of an app, which others use or which take nothing more.
struct Homes {
    private static let credits = SampleShop.credits

    @Test func `of two processes of one app the first has the queue until it ends`() async throws {
        let shop = try await Shop(noiseBytes: 5_000_000)
        let (server, address) = try await shop.serve()
        let installed = shop.folder.file("installed")
        let first = try await Program(
            "StoreTestApp",
            ["--expect", "1", "--buy", "\(SampleShop.chapter):1", "--install", installed.path],
            environment: try await shop.device("phone", address: address, fault: "wait:1000000"))
        #expect(await first.line(with: "waiting") != nil)
        let environment = try await shop.device("phone", address: address)
        let buy = ["--expect", "1", "--buy", "\(Self.credits):2"]
        let second = try await Program.run("StoreTestApp", buy, environment: environment)
        #expect(second.output.contains("error Another process of this app uses the store"))
        #expect(!second.output.contains("confirm") && second.code == 0, "\(second)")
        first.type("go on")
        #expect(await first.end().code == 0)
        let third = try await Program.run("StoreTestApp", buy, environment: environment)
        #expect(third.output.contains("\(Self.credits) purchased"), "\(third)")
        let sold = try await shop.ledger().map(\.entry.details.productID.text)
        #expect(sold == [SampleShop.chapter, Self.credits])
        server.send(SIGTERM)
        _ = await server.end()
    }

    @Test(.enabled("this user may not mount file systems") { await isMountable.value })
    func `where nothing can be written nothing is bought, and with room it is`() async throws {
        let shop = try await Shop()
        let (server, address) = try await shop.serve()
        let script = """
            set -u
            mkdir -p "$HOME" && mount -t tmpfs -o size=1m none "$HOME"
            app() {
                '\(Program.path("StoreTestApp"))' --expect 1 --buy "\(Self.credits):$1"
                echo "code $?"
            }
            app 1
            dd if=/dev/zero of="$HOME/filler" bs=4k 2>/dev/null
            OUTPUT='\(shop.folder.file("output").path)'
            : > "$OUTPUT"
            app 2 > "$OUTPUT" &
            until grep -q -e '^error' -e '^confirm' -e '^code' "$OUTPUT"; do sleep 0.05; done
            rm "$HOME/filler"
            wait
            cat "$OUTPUT"
            app 3
            mount -o remount,ro "$HOME"
            OPENSTORE_SHEET=terminal app 4
            umount "$HOME"
            """
        let file = try shop.folder.write("script.sh", script)
        let result = try await Program.run(
            URL(fileURLWithPath: "/usr/bin/unshare"), ["-rm", "sh", file.path],
            environment: try await shop.device("phone", address: address))
        let lines = result.output.split(separator: "\n")
        #expect(lines.count { $0 == "code 0" } == 4, "\(result)")
        #expect(lines.contains { $0.hasPrefix("error") && $0.contains("Read-only") }, "\(result)")
        // What was sold was shown, and the other way round.
        let sold = try await shop.ledger()
        #expect(lines.count { $0.contains(" purchased ") } == sold.count, "\(result)")
        #expect(sold.count >= 2 && sold.allSatisfy(\.isFinished))
        server.send(SIGTERM)
        _ = await server.end()
    }
}
