import Foundation
import StoreTestSupport
import Testing

/// A device whose cache is on a small file system, which the kernel makes for the test.
@Suite(
    .enabled("this user may not mount file systems of their own") { await isMountable.value })
struct FullDisks {
    private static let noise = 4_000_000

    /// Runs a script in which `app` is the app and `$CACHE` a file system of 3 MB.
    private func run(_ script: String) async throws -> (Program.Result, installed: URL, Shop) {
        let shop = try await Shop(noiseBytes: Self.noise)
        let (server, address) = try await shop.serve()
        let environment = try await shop.device("phone", address: address)
        let cache = try #require(environment["XDG_CACHE_HOME"])
        let installed = shop.folder.file("installed")
        let whole = """
            set -u
            CACHE='\(cache)'
            mkdir -p "$CACHE" && mount -t tmpfs -o size=3m none "$CACHE"
            app() {
                '\(Program.path("StoreTestApp"))' --expect 1 --keep-failed \
                    --install '\(installed.path)' "$@"
                echo "code $?"
            }
            \(script)
            find "$CACHE" -type f | sed 's/^/left /'
            umount "$CACHE"
            """
        let file = try shop.folder.write("script.sh", whole)
        let result = try await Program.run(
            URL(fileURLWithPath: "/usr/bin/unshare"), ["-rm", "sh", file.path],
            environment: environment)
        server.send(SIGTERM)
        _ = await server.end()
        return (result, installed, shop)
    }

    @Test func `what does not fit is not begun, and goes on with room`() async throws {
        let (result, installed, shop) = try await run(
            """
            app --buy \(SampleShop.chapter):1
            mount -o remount,size=30m "$CACHE"
            app
            """)
        let lines = result.output.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("code ") } == ["code 3", "code 0"], "\(result)")
        let sentence = lines.first { $0.hasPrefix("error ") }
        #expect(sentence?.contains("more bytes on disk") == true, "\(result)")
        // Nothing but the table of the blob.
        let received = lines.first { $0.hasPrefix("received ") }.flatMap { Int($0.dropFirst(9)) }
        #expect(try #require(received) < 20_000)
        #expect(!lines.contains { $0.hasPrefix("left ") }, "\(result)")
        try shop.expectSameContent(installed)
    }

    @Test func `a disk that fills up on the way fails the download, which goes on later`()
        async throws
    {
        let (result, installed, shop) = try await run(
            """
            mount -o remount,size=6m "$CACHE"
            LOG="$CACHE/../log"
            : > "$LOG"
            (
                until grep -q -e waiting -e '^code ' "$LOG"; do sleep 0.05; done
                dd if=/dev/zero of="$CACHE/filler" bs=64k 2>/dev/null
                echo go
            ) | TEST_FAULT=wait:500000 app --buy \(SampleShop.chapter):1 | tee "$LOG"
            rm "$CACHE/filler"
            app
            """)
        let lines = result.output.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("code ") } == ["code 3", "code 0"], "\(result)")
        let sentence = lines.first { $0.hasPrefix("error ") }
        #expect(sentence?.contains("more bytes on disk") == true, "\(result)")
        #expect(!lines.contains { $0.hasPrefix("left ") }, "\(result)")
        // What had arrived before was not fetched again.
        let received = lines.compactMap { $0.hasPrefix("received ") ? Int($0.dropFirst(9)) : nil }
        try #require(received.count == 2)
        #expect(received[0] >= 500_000)
        #expect(received.reduce(0, +) < Self.noise + 20_000 + 8 * 132_096)
        try shop.expectSameContent(installed)
    }
}

/// Whether a mount in a name space of its own is allowed here.
let isMountable: Task<Bool, Never> = Task {
    let words = ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]
    return (try? await ChildProgram.run("/usr/bin/unshare", words))?.status == 0
}
