import Foundation
@testable import StoreKit
import StoreTestSupport
import Synchronization
import Testing

/// What a terminal does while a customer is waited for.
struct TerminalTests {
    /// Both ends of a line that stands for the terminal's.
    private static func line() throws -> (terminal: Int32, customer: FileHandle) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        return (ends[0], FileHandle(fileDescriptor: ends[1], closeOnDealloc: true))
    }

    @Test func `nobody is waited for after the end`() async throws {
        let (descriptor, customer) = try Self.line()
        defer { close(descriptor) }
        let looks = Mutex(0)
        let terminal = Terminal(
            descriptor: descriptor,
            isOver: {
                looks.withLock { looks in
                    looks += 1
                    return looks > 2
                }
            })
        // Who asks blocks, and who reads what was asked.
        let (answer, shown) = try await onThread {
            (terminal.ask("Go on? "), customer.availableData)
        }
        #expect(answer == nil)
        let count = looks.withLock { $0 }
        #expect(count == 3)
        // The question stands on a line of its own, behind which the app goes on.
        #expect(String(decoding: shown, as: UTF8.self) == "Go on? \n")
    }

    @Test func `nothing that is written steers the terminal`() throws {
        let (descriptor, customer) = try Self.line()
        defer { close(descriptor) }
        Terminal(descriptor: descriptor).write("│ a\u{1b}[2J\u{9b}\u{202E}b\r │\n")
        let shown = String(decoding: customer.availableData, as: UTF8.self)
        #expect(shown == "│ a\u{FFFD}[2J\u{FFFD}b\u{FFFD} │\n")
    }

    @Test func `what was typed before the end counts`() async throws {
        let (descriptor, customer) = try Self.line()
        defer { close(descriptor) }
        try customer.write(contentsOf: Data("yes\n".utf8))
        let terminal = Terminal(descriptor: descriptor, isOver: { false })
        let answer = try await onThread { terminal.ask("Go on? ") }
        #expect(answer == "yes")
    }

    @Test func `without a terminal the error names what else can answer`() async throws {
        let sheet = OpenStoreTerminalSheet(at: { -1 }, opening: { _ in })
        let error = try await #require(throws: SKError.self) {
            _ = try await sheet.signIn(
                OpenStoreSignInQuestion(isSandbox: true, email: nil, problem: nil))
        }
        #expect(error.code == .paymentNotAllowed)
        let words = ["OPENSTORE_SHEET", "browser", "accept", "decline", "OpenStore.sheet"]
        let missing = words.filter { !error.localizedDescription.contains($0) }
        #expect(missing == [])
    }
}
