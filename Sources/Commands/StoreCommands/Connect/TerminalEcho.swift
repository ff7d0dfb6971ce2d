import Foundation

/// Whether a terminal shows what is typed.
enum TerminalEcho {
    /// What ends a program at a prompt.
    private static let endings = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Does something while the terminal shows nothing of what is typed. Signals that end the
    /// program meanwhile find the terminal as it was before, and have the effect that they had.
    ///
    /// Only once at a time: signals know one terminal.
    static func without<Result>(
        _ terminal: Int32, signals: [Int32] = endings, _ body: () throws -> Result
    ) rethrows -> Result {
        var shown = termios()
        guard tcgetattr(terminal, &shown) == 0 else { return try body() }
        echoing = Echoing(terminal: terminal, settings: shown)
        let earlier = signals.map { number in
            var action = sigaction()
            action.__sigaction_handler.sa_handler = showAgain
            // It comes again with the effect that it had, once the terminal is as it was.
            action.sa_flags = Int32(bitPattern: UInt32(SA_NODEFER))
            var before = sigaction()
            sigaction(number, &action, &before)
            return (number: number, before: before)
        }
        effects = earlier
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(terminal, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(terminal, TCSAFLUSH, &shown)
            for var effect in earlier { sigaction(effect.number, &effect.before, nil) }
        }
        return try body()
    }

    private struct Echoing {
        var terminal: Int32
        var settings: termios
    }

    // Written before the signals are asked for, and only read by what they call.
    nonisolated(unsafe) private static var echoing: Echoing?
    nonisolated(unsafe) private static var effects: [(number: Int32, before: sigaction)] = []

    /// Nothing but calls that signals may make (signal-safety(7)).
    private static let showAgain: @convention(c) (Int32) -> Void = { number in
        if var echoing = TerminalEcho.echoing {
            tcsetattr(echoing.terminal, TCSANOW, &echoing.settings)
        }
        for var effect in TerminalEcho.effects where effect.number == number {
            sigaction(number, &effect.before, nil)
        }
        raise(number)
    }
}
