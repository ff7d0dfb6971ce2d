import Foundation
import StoreTestSupport
import Testing

/// Submitting, reviewing and taking from sale from the command line, over the API.
@Suite("Review commands")
struct ReviewCommandTests {
    @Test func `a product goes from its submission to its sale and off it`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let (server, address) = try await shop.serve()
        func run(_ words: String...) async throws -> Program.Result {
            try await Program.run(
                "openstore", words + ["--data", shop.data, "--store", address])
        }
        // Nobody has shown reviewers yet where the app offers it.
        let incomplete = try await run("submission", "create", "--product", SampleShop.badge)
        #expect(incomplete.code != 0)
        #expect(incomplete.errors.contains("screenshot"), "\(incomplete.errors)")
        let none = try await run("review", "list")
        #expect(none.output.contains("Nothing waits for review."), "\(none.errors)")

        let file = try shop.screenshot().path
        _ = try await run("product", "screenshot", SampleShop.chapter, file)
        let submitted = try await run("submission", "create", "--product", SampleShop.chapter)
        #expect(submitted.output.contains("openstore review claim"), "\(submitted.errors)")
        let queue = try await run("review", "list", "--quiet")
        let submission = queue.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(Int(submission) != nil, "\(queue.output) \(queue.errors)")
        let items = try await run("submission", "show", submission, "--quiet")
        let item = items.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let shown = try await run("review", "show", item)
        #expect(shown.output.contains("Title (en_US)"), "\(shown.errors)")

        let early = try await run("review", "approve", item)
        #expect(early.code != 0)
        #expect(early.errors.contains("Claim it first"), "\(early.errors)")
        #expect(try await run("review", "claim", submission).code == 0)
        #expect(try await run("review", "reject", item).code == 64)
        let approved = try await run("review", "approve", item)
        #expect(approved.code == 0, "\(approved.errors)")
        #expect(approved.output.contains("APPROVED"))
        let list = try await run("submission", "list", "--state", "COMPLETE", "--quiet")
        #expect(list.output.contains(submission))

        for (words, state) in [
            (["remove"], "DEVELOPER_REMOVED_FROM_SALE"), (["return"], "APPROVED"),
            (["take-down", "--reason", "A complaint."], "REMOVED_FROM_SALE"),
            (["reinstate"], "APPROVED"),
        ] {
            let changed = try await Program.run(
                "openstore",
                ["product", words[0], SampleShop.chapter] + words.dropFirst()
                    + ["--data", shop.data, "--store", address])
            #expect(changed.output.contains(state), "\(words): \(changed.errors)")
        }
        server.send(SIGTERM)
        _ = await server.end()
    }
}
