import Foundation
@testable import StoreCore
import StoreServer
import StoreTestSupport
import Testing

@testable import StoreCommands

/// What `openstore item import` needs to know.
@Suite struct ItemImportCommandTests {
    @Test func `where there are several teams, the option that names one is asked for`()
        async throws
    {
        let folder = try TemporaryFolder()
        let data = folder.file("store")
        try PreparedDatabase.install(into: data)
        try await PreparedKeys.install(into: data, clock: SystemClock())
        let store = try Store(directory: data, vault: OpenSSLVault.forTests, log: .silent)
        defer { store.close() }
        for name in ["First", "Second"] {
            _ = try await store.database.write {
                try $0.catalog.save(TeamDraft(name: name, hasPaidAgreement: true))
            }
        }
        let items = try folder.write(
            "items.jsonl", #"{"kind":"ebook","trackName":"A","state":"DRAFT"}"#)
        func run(_ words: [String]) async throws {
            let arguments = try ParsedArguments(
                [items.path, "--data", data.path] + words, for: ItemImportCommand.spec)
            try await ItemImportCommand.run(arguments, output: .standard)
        }
        let error = await #expect(throws: UsageError.self) { try await run([]) }
        #expect(error?.description.hasPrefix("--team: ") == true)
        try await run(["--team", "Second"])
    }
}
