import Foundation
import StoreWire

/// Waits for an attempt that was asked for.
enum NotificationAttempt {
    static let noWait: CommandSpec.Option = .flag(
        "no-wait", "Don't wait until it was sent; up to 35 seconds otherwise.")

    /// An attempt takes thirty seconds at most, and begins a second or so after it was asked for.
    private static let patience = 35
    private static let pause: Duration = .milliseconds(250)

    /// How often a notification was sent.
    static func count(of id: String, _ connect: ConnectContext) async throws -> Int {
        try await connect.api.list("\(NotificationCommands.path)/\(id)/attempts").count
    }

    /// Tells of the attempt, once there is one more than before.
    ///
    /// - Parameters:
    ///   - known: as many attempts as there were.
    ///   - asked: what is shown where nobody waits.
    /// - Throws: `ReportedFailure` where it did not arrive.
    static func report(
        on id: String, behind known: Int, asked: JSONValue, _ sentence: String,
        _ connect: ConnectContext
    ) async throws {
        guard !connect.arguments.has("no-wait") else { return connect.show.done(asked, sentence) }
        let end = ContinuousClock.now.advanced(by: .seconds(patience))
        while ContinuousClock.now < end {
            let attempts = try await connect.api.list(
                "\(NotificationCommands.path)/\(id)/attempts")
            if attempts.count > known, let attempt = attempts.last {
                let result = attempt.attribute("result")
                let words = [
                    result, attempt.attribute("status"), attempt.attribute("detail"),
                ].filter { !$0.isEmpty }
                connect.show.done(
                    attempt,
                    "\(sentence) \(attempt.attribute("url")): \(words.joined(separator: ", "))")
                if result != "SUCCESS" { throw ReportedFailure() }
                return
            }
            try await Task.sleep(for: pause)
        }
        throw CommandFailure(
            description: "the notification was not sent within \(patience) seconds; "
                + "openstore notification show \(id) tells when it is")
    }
}
