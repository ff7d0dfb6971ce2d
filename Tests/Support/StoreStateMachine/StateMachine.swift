import Foundation
import StoreKit

/// Drives queue, journal, store and network with random steps, and checks what must hold.
///
///     StoreStateMachine FIRST-SEED RUNS STEPS [FOLDER]
///
/// A run is the same each time for the same seed. A failed one is printed with its steps;
/// the exit code is then 1.
@main
struct StateMachine {
    /// So many runs share a store.
    private static let runsOfStore = 50

    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().prefix(3).compactMap(UInt64.init)
        guard numbers.count == 3 else {
            FileHandle.standardError.write(
                Data("usage: StoreStateMachine FIRST-SEED RUNS STEPS [FOLDER]\n".utf8))
            exit(64)
        }
        let base =
            CommandLine.arguments.dropFirst(4).first
            .map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
        let folder = base.appendingPathComponent("store-state-\(UUID().uuidString)")
        let pool = JobPool.shared
        pool.install()
        OpenStore.log = { _ in }
        var counts = RunCounts()
        var shop: Shop?
        var code: Int32 = 0
        for index in 0..<numbers[1] {
            if index % UInt64(runsOfStore) == 0 {
                shop?.close()
                shop = try Shop(folder: folder.appendingPathComponent("store-\(index)"), pool: pool)
            }
            guard let shop else { break }
            let seed = numbers[0] + index
            let run = try Run(
                seed: seed, shop: shop, folder: folder.appendingPathComponent("run-\(index)"))
            let violations = try run.violations(steps: Int(numbers[2]))
            counts += run.counts
            if !violations.isEmpty || numbers[1] == 1 { report(run, violations) }
            if !violations.isEmpty {
                code = 1
                break
            }
        }
        shop?.close()
        try? FileManager.default.removeItem(at: folder)
        print(
            "steps=\(counts.steps) launches=\(counts.launches) crashes=\(counts.crashes) "
                + "disconnections=\(counts.disconnections) transactions=\(counts.transactions)")
        exit(code)
    }

    private static func report(_ run: Run, _ violations: [String]) {
        for line in run.log { print("  \(line)") }
        for violation in violations { print("VIOLATION seed \(run.seed): \(violation)") }
    }
}
