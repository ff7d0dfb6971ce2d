import Foundation
import StoreCore
import StoreDatabase
import StoreKernel
import StoreTestSupport
import Testing

struct ClosedDatabaseTests {
    @Test(arguments: StoreDriver.all)
    func `a closed database refuses whatever is asked`(driver: StoreDriver) async throws {
        let database = try driver.install().open()
        database.close()
        func isRefused(_ body: () async throws -> Void) async -> Bool {
            do { try await body() } catch { return (error as? SQLError)?.code == .closed }
            return false
        }
        #expect(await isRefused { try await database.read { _ in } })
        #expect(await isRefused { try await database.write { _ in } })
    }

    @Test func `what reads a closed file is refused, and keeps nothing of it open`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("store.sqlite")
        let database = try SQLiteDatabase(path: file.path)
        try await database.read { _ in }
        #expect(Self.descriptors(below: folder.url.path) > 0)
        database.close()
        #expect(Self.descriptors(below: folder.url.path) == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names == ["store.sqlite"], "the log went into the one file")
        #expect(throws: SQLError.self) { try database.lookUp { _ in } }
        #expect(throws: SQLError.self) { try database.changes() }
        #expect(database.knownCatalogGeneration() == nil)
        await #expect(throws: SQLError.self) { try await database.catalogGeneration() }
        #expect(Self.descriptors(below: folder.url.path) == 0)
    }

    @Test func `closing waits for whoever reads`() async throws {
        let folder = try TemporaryFolder()
        let database = try SQLiteDatabase(path: folder.file("store.sqlite").path)
        let (begun, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let pool = BlockingPool("closed-database-tests", threads: 2)
        async let read: Void? = pool.run {
            try database.lookUp { _ in
                begun.signal()
                goesOn.wait()
            }
        }
        try await pool.run { begun.wait() }
        async let left: Int = pool.run {
            database.close()
            return Self.descriptors(below: folder.url.path)
        }
        // New readers are refused while the first one still reads.
        while (try? database.lookUp { _ in }) != nil { await Task.yield() }
        #expect(Self.descriptors(below: folder.url.path) > 0)
        goesOn.signal()
        #expect(try await read != nil)
        #expect(try await left == 0)
    }

    /// How many files below a folder this process has open.
    private static func descriptors(below folder: String) -> Int {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return all.filter { number in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(number)")
            return target?.hasPrefix(folder + "/") ?? false
        }.count
    }
}
