import Foundation
import StoreCore
import Testing

extension ProductShop {
    /// Checks that something is refused by a rule, and that nothing changed by it.
    func expectRefusal(
        by rule: String, _ body: () async throws -> some Any,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = try await log()
        let generation = try await database.catalogGeneration()
        do {
            _ = try await body()
            Issue.record("was not refused", sourceLocation: sourceLocation)
        } catch let refusal as ConnectRefusal {
            #expect(refusal.rule == rule, sourceLocation: sourceLocation)
            #expect(refusal.help.hasSuffix("."), sourceLocation: sourceLocation)
        }
        #expect(try await log() == before, sourceLocation: sourceLocation)
        #expect(
            try await database.catalogGeneration() == generation, sourceLocation: sourceLocation)
    }
}
