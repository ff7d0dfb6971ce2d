import Foundation
import StoreKitTest
import Testing

/// How many are begun and ended; `nil` in a process that has other sessions, whose descriptors and
/// memory would count as well.
private let sessionCount = ProcessInfo.processInfo.environment["TEST_SESSIONS"].flatMap { Int($0) }

extension SessionTests {
    @Suite(.enabled(if: sessionCount != nil)) struct `Sessions one after another` {

        private static var descriptors: Int {
            get throws {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
        }

        private static var folders: Int {
            get throws {
                let place = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/dev/shm"
                return try FileManager.default.contentsOfDirectory(atPath: place)
                    .count { $0.hasPrefix("openstore-test-") }
            }
        }

        /// Megabytes that only this process has in memory, and uses.
        private static var memory: Int {
            get throws {
                try giveBack()
                let text = try String(contentsOfFile: "/proc/self/smaps_rollup", encoding: .utf8)
                let line = try #require(
                    text.split(separator: "\n").first { $0.hasPrefix("Private_Dirty:") })
                return try #require(Int(line.filter { $0.isNumber })) / 1024
            }
        }

        /// Has the allocator give what nobody uses back to the system, as threads of the past don't.
        private static func giveBack() throws {
            let symbol = try #require(dlsym(nil, "malloc_trim"))
            typealias Trim = @convention(c) (Int) -> Int32
            _ = unsafeBitCast(symbol, to: Trim.self)(0)
        }

        private func session() async throws {
            try await SKTestSession.openStoreWithSession(
                configurationFileNamed: "Shop"
            ) { session in
                session.disableDialogs = true
                let updates = Updates()
                try await Shop.buy(Shop.badge)
                try await session.buyProduct(identifier: Shop.monthly)
                #expect(try await updates.next().productID == Shop.monthly)
                try await session.openStoreAdvance(by: 62 * 86_400)
            }
        }

        @Test func `no file, descriptor or memory is left behind`() async throws {
            // What a process makes once.
            for _ in 0..<5 { try await session() }
            let (descriptors, folders) = (try Self.descriptors, try Self.folders)
            let memory = try Self.memory
            let count = try #require(sessionCount)
            for _ in 0..<count { try await session() }
            // Threads of the last stores wait for work for half a minute, with their connections.
            #expect(try Self.descriptors <= descriptors + 60)
            #expect(try Self.folders <= folders)
            let growth = try Self.memory - memory
            print("sessions: \(count), \(growth) MB more, \(try Self.descriptors) descriptors")
            #expect(growth <= 64 + count / 20)
        }
    }
}
