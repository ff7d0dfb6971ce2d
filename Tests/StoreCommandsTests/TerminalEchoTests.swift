import Foundation
import Synchronization
import Testing

@testable import StoreCommands

/// One after the other: the effect of a signal is the process's.
@Suite(.serialized) struct TerminalEchoTests {
    /// A terminal that nobody sits at, as its program sees it.
    private func withTerminal(_ body: (Int32) throws -> Void) throws {
        var (master, terminal): (Int32, Int32) = (-1, -1)
        try #require(openpty(&master, &terminal, nil, nil, nil) == 0)
        defer {
            close(terminal)
            close(master)
        }
        try body(terminal)
    }

    private func hasEcho(_ terminal: Int32) -> Bool {
        var settings = termios()
        tcgetattr(terminal, &settings)
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }

    @Test func `a password is not shown, and what follows is`() throws {
        try withTerminal { terminal in
            #expect(hasEcho(terminal))
            TerminalEcho.without(terminal) { #expect(!hasEcho(terminal)) }
            #expect(hasEcho(terminal))
        }
    }

    @Test func `a signal finds the terminal as it was, and has its effect`() throws {
        try withTerminal { terminal in
            // Stands for Ctrl-C, whose effect would end the tests.
            let number = SIGUSR2
            Self.came.store(0)
            signal(number) { _ in TerminalEchoTests.came.add() }
            // Threads that tests run on take no signals.
            var (set, blocked) = (sigset_t(), sigset_t())
            sigemptyset(&set)
            sigaddset(&set, number)
            pthread_sigmask(SIG_UNBLOCK, &set, &blocked)
            defer {
                pthread_sigmask(SIG_SETMASK, &blocked, nil)
                signal(number, SIG_DFL)
            }
            TerminalEcho.without(terminal, signals: [number]) {
                #expect(!hasEcho(terminal))
                raise(number)
                #expect(hasEcho(terminal))
                #expect(Self.came.value == 1)
            }
            raise(number)
            #expect(Self.came.value == 2)
        }
    }

    /// How often the signal came.
    private static let came = Count()

    private final class Count: Sendable {
        private let cell = Atomic(0)
        var value: Int { cell.load(ordering: .relaxed) }
        func store(_ value: Int) { cell.store(value, ordering: .relaxed) }
        func add() { cell.add(1, ordering: .relaxed) }
    }
}
