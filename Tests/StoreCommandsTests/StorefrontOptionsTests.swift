import Foundation
import StoreCore
import StoreTestSupport
import Testing

@testable import StoreCommands

/// How `openstore serve` is told to treat links and reviews.
@Suite struct StorefrontOptionsTests {
    private func settings(_ words: String...) throws -> StorefrontSettings {
        try StorefrontOptions.settings(ParsedArguments(words, for: ServeCommand.spec))
    }

    @Test func `nothing said is thirty days, and no rule`() throws {
        #expect(try settings() == StorefrontSettings())
        #expect(try settings().referralDuration == 30 * 86_400)
    }

    @Test func `days, holding and words are taken`() throws {
        let folder = try TemporaryFolder()
        try folder.write("words.txt", "# list\nscam\nfree money\n")
        let settings = try settings(
            "--referral-days", "7", "--hold-reviews", "--held-words",
            folder.file("words.txt").path)
        #expect(settings.referralDuration == 7 * 86_400)
        #expect(settings.holdsReviews)
        #expect(settings.heldWords == ["scam", "free money"])
        #expect(try self.settings("--referral-days", "0").referralDuration == 0)
    }

    @Test(arguments: ["-1", "401", "", "seven", "1.5", "99999999999999999999"])
    func `a wrong number of days is refused`(text: String) {
        let error = #expect(throws: UsageError.self) {
            try settings("--referral-days=\(text)")
        }
        #expect(error?.description.contains("referral-days") == true)
    }

    @Test func `a file that can't be read is refused with its path`() throws {
        let folder = try TemporaryFolder()
        try folder.write("bad.txt", "fine\na\u{7}b\n")
        try Data([0xFF, 0xFE, 0x00]).write(to: folder.file("binary"))
        for (name, text) in [
            ("missing", "can't be read"), ("bad.txt", "Line 2"), ("binary", "no text of UTF-8"),
            ("", "can't be read"),
        ] {
            let error = #expect(throws: UsageError.self) {
                try settings("--held-words", folder.file(name).path)
            }
            #expect(error?.description.contains(text) == true, "\(name)")
        }
    }

    @Test func `the options are explained`() {
        for option in ["--referral-days N", "--hold-reviews", "--held-words FILE"] {
            #expect(ServeCommand.spec.help.contains(option))
        }
    }
}
