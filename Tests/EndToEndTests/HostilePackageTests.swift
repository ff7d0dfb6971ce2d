import Foundation
import StorePackage
import StorePackageSamples
import StoreTestSupport
import Testing

/// What hostile packages cost the program that checks them.
@Suite("Cost of hostile packages", .serialized)
struct HostilePackageTests {
    /// How one run of the program ended.
    private struct Run: Decodable {
        let name: String
        let code: Int
        /// The processor's time, which other programs on the machine don't lengthen.
        let seconds: Double
        let kilobytes: Int
    }

    /// Runs the program once for each file, and tells of each what the kernel says of it.
    ///
    /// The kernel counts to a process what its parent held when it was made. So a small
    /// interpreter starts the program, and not this process.
    private static let script = """
        import json, os, sys
        program, *files = sys.argv[1:]
        for file in files:
            pid = os.posix_spawn(
                program, [program, "content", "validate", file, "--json"], os.environ,
                file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
            _, status, usage = os.wait4(pid, 0)
            print(json.dumps({
                "name": os.path.basename(file), "code": os.waitstatus_to_exitcode(status),
                "seconds": usage.ru_utime + usage.ru_stime, "kilobytes": usage.ru_maxrss}))
        """

    private func run(on files: [URL], in folder: TemporaryFolder) async throws -> [Run] {
        let python = try #require(CommandLineTool("python3"))
        let script = try folder.write("measure.py", Self.script)
        let result = try await python.run(
            [script.path, Program.path("openstore")] + files.map(\.path), in: folder.url)
        #expect(result.status == 0, "\(result.output)")
        let decoder = JSONDecoder()
        return try result.output.split(separator: "\n").map {
            try decoder.decode(Run.self, from: Data($0.utf8))
        }
    }

    /// As many entries as are allowed, with as long paths as are allowed.
    private func largest(in folder: TemporaryFolder) throws -> URL {
        let limits = PackageLimits.store
        let length = limits.allPathBytes / limits.entries - 10
        let files = (0..<limits.entries - 2).map { number in
            HandmadePackage.file(
                String(number).padding(toLength: length, withPad: "é", startingAt: 0)
                    .prefix(length / 2).description)
        }
        return try folder.write("full.pkg", HandmadePackage(contents: files).encoded())
    }

    @Test func `each costs less time than the largest that is taken, and at most 24 MiB`()
        async throws
    {
        let folder = try TemporaryFolder()
        // What the program takes by itself grows with its code, and is no package's fault.
        let empty = try #require(
            try await run(on: [try folder.write("empty.pkg", Data())], in: folder).first)
        #expect(empty.code == 65)
        let most = empty.kilobytes + (24 << 10)
        let full = try #require(
            try await run(on: [try largest(in: folder)], in: folder).first)
        #expect(full.code == 0)
        #expect(full.kilobytes <= most)
        let files = try HostilePackage.all.enumerated().map { number, package in
            try folder.write(
                "\(number) \(package.name.filter { $0.isLetter || $0 == " " }).pkg",
                package.encoded())
        }
        let runs = try await run(on: files, in: folder)
        #expect(runs.count == HostilePackage.all.count)
        for (file, run) in zip(files, runs) {
            #expect(run.code == 65, "\(run.name)")
            #expect(run.kilobytes <= most, "\(run.name)")
            // Whoever shares a processor's caches lengthens its time, too: the least time counts.
            var seconds = run.seconds
            if seconds >= full.seconds {
                let again = try await self.run(on: Array(repeating: file, count: 5), in: folder)
                seconds = again.map(\.seconds).reduce(seconds) { min($0, $1) }
            }
            #expect(seconds < full.seconds, "\(run.name)")
        }
        if let slowest = runs.max(by: { $0.seconds < $1.seconds }),
            let largest = runs.max(by: { $0.kilobytes < $1.kilobytes })
        {
            print("empty: \(empty), full: \(full), slowest: \(slowest), largest: \(largest)")
        }
    }
}
