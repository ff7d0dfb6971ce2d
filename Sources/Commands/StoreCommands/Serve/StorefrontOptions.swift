import Foundation
import StoreCore

/// How `openstore serve` is told to treat links and reviews.
enum StorefrontOptions {
    static let options: [CommandSpec.Option] = [
        .value(
            "referral-days", "N",
            "How long a browser remembers which affiliate sent its customer; 30 unless given, 0 "
                + "for the visit only.", standard: "30"),
        .flag("hold-reviews", "Show no review before a moderator has looked at it."),
        .value(
            "held-words", "FILE",
            "Reviews with one of these words, or phrases, wait for a moderator: one on each line, "
                + "# begins a comment."),
    ]

    /// The longest file of held words, bytes.
    private static let fileLimit = 4_000_000

    /// - Throws: `UsageError`.
    static func settings(_ arguments: ParsedArguments) throws -> StorefrontSettings {
        let days = try arguments.value(
            "referral-days",
            "a number of days from 0 to \(StorefrontSettings.referralDays.upperBound)"
        ) { text in
            Int(text).flatMap { StorefrontSettings.referralDays.contains($0) ? $0 : nil }
        }
        return StorefrontSettings(
            referralDuration: days.map { TimeInterval($0) * 86_400 }
                ?? StorefrontSettings.standardReferralDuration,
            holdsReviews: arguments.has("hold-reviews"),
            heldWords: try arguments["held-words"].map(words) ?? [])
    }

    private static func words(inFile path: String) throws -> [String] {
        let url = ParsedArguments.url(path)
        let data: Data
        do {
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            data = try file.read(upToCount: fileLimit + 1) ?? Data()
        } catch {
            throw UsageError(
                option: "held-words",
                "\(url.path) can't be read; give a file with one word on each line")
        }
        guard data.count <= fileLimit, let text = String(data: data, encoding: .utf8) else {
            throw UsageError(
                option: "held-words",
                "\(url.path) is no text of UTF-8 with at most "
                    + "\(fileLimit) bytes")
        }
        do {
            return try StorefrontSettings.heldWords(in: text)
        } catch let refusal as ModerationWordListRefusal {
            throw UsageError(option: "held-words", "\(refusal)")
        }
    }
}
