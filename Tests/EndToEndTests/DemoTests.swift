import Foundation
import StoreTestSupport
import Testing

struct Demo {
    @Test func `the demo sells a chapter from end to end`() async throws {
        let result = try await Program.run("openstore", ["demo", "--yes"])
        #expect(result.code == 0, "\(result.errors)")
        let wanted = [
            "Storefront USA", "$1.99", "Storefront JPN", "¥240", "did you mean",
            "[Environment: Sandbox]", "Purchased 1 ×", "Downloading", "Installed version 1.0",
            "chapter.txt", "Purchased 3 ×", "$2.97", "Restored com.example.bookshop.chapter1",
            "nothing was downloaded", "verified by the app",
        ]
        for text in wanted { #expect(result.output.contains(text), "\(text) is missing") }
        #expect(!result.output.contains("\u{1b}"), "colour is for terminals")
        #expect(!result.output.contains("no\n"), "everything was finished")
    }

    @Test func `the store stays when it is asked to`() async throws {
        let demo = try await Program("openstore", ["demo", "--yes", "--serve"])
        let customers = try await told(by: demo, "customers sign in here")
        #expect(customers.contains("usa1@readers.example"))
        let testers = try await told(by: demo, "testers sign in here")
        #expect(testers.contains("ada@example.com"))
        let line = try await told(by: demo, "data  ")
        let data: String = try #require(Self.words(line).last)
        #expect(FileManager.default.fileExists(atPath: "\(data)/store.sqlite"))
        let address = try await told(by: demo, "/connect/")
        let sentence = try await told(by: demo, "the password is ")
        let digits = address.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\/connect\//)?.1
        let port = try #require(digits.flatMap { UInt16($0) })
        let password: String = try #require(Self.words(sentence).last)
        let reviewer = try await told(by: demo, "Reviewer")
        let email: String = try #require(Self.words(reviewer).first)
        let queue = try await reviewQueue(port: port, email: email, password: password)
        #expect(queue.contains("Bookshop"), "\(queue)")
        demo.send(SIGTERM)
        let end = await demo.end()
        #expect(end.code == 0)
        let folder = URL(fileURLWithPath: data).deletingLastPathComponent()
        #expect(!FileManager.default.fileExists(atPath: folder.path), "\(end.errors)")
    }

    private static func words(_ line: String) -> [String] {
        line.split(separator: " ").map(String.init)
    }

    private func told(by demo: Program, _ text: String) async throws -> String {
        try #require(await demo.line(with: text))
    }

    /// What a reviewer reads in the portal.
    private func reviewQueue(port: UInt16, email: String, password: String) async throws -> String {
        let browser = PageBrowser(port: port)
        let portal = "http://127.0.0.1:\(port)/connect"
        let signInPage = try await browser.open("\(portal)/sign-in")
        _ = try await browser.submit(
            signInPage, "", ["email": email, "password": password],
            headers: ["Sec-Fetch-Site": "same-origin", "Origin": nil])
        return try await browser.open("\(portal)/review").words
    }
}
