import Foundation
@testable import StoreKit
import StoreTestSupport
import Testing

/// A customer at a terminal, who answers each question as it was agreed on before.
final class TypingCustomer: Sendable {
    /// A question, or the end of one, and what is typed then, without Return.
    typealias Answer = (question: String, typed: String)

    private let terminal: Int32
    private let customer: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        (terminal, customer) = (ends[0], ends[1])
    }

    deinit { close(customer) }

    /// Opens the terminal.
    var place: @Sendable () -> Int32 { { [terminal] in fcntl(terminal, F_DUPFD_CLOEXEC, 3) } }

    /// Answers while something is done that asks.
    ///
    /// - Returns: everything that was shown, at each answer and behind the last one.
    func answers(
        _ answers: [Answer], isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Void
    ) async throws -> [String] {
        async let screens = onThread { [self] in read(answers) }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        // Whoever still waits for a question reads the end.
        shutdown(terminal, Int32(SHUT_RDWR))
        let seen = try await screens
        close(terminal)
        try result.get()
        #expect(seen.count == answers.count + 1, "\(seen.last ?? "")")
        return seen
    }

    private func read(_ answers: [Answer]) -> [String] {
        var screens: [String] = []
        var screen: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        func more() -> Bool {
            let count = Glibc.read(customer, &buffer, buffer.count)
            guard count > 0 else { return false }
            screen += buffer[..<count]
            return true
        }
        for (question, typed) in answers {
            // A question is what nothing follows, for it waits.
            while !screen.suffix(question.utf8.count).elementsEqual(question.utf8) {
                guard more() else { return screens + [String(decoding: screen, as: UTF8.self)] }
            }
            screens.append(String(decoding: screen, as: UTF8.self))
            screen = []
            let line = Array((typed + "\n").utf8)
            _ = line.withUnsafeBytes { write(customer, $0.baseAddress, $0.count) }
        }
        while more() {}
        return screens + [String(decoding: screen, as: UTF8.self)]
    }
}
