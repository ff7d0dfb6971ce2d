import Foundation

/// What the customer types: lines, single keys, or nothing while somebody else is asked.
final class Keyboard {
    enum Mode {
        case off
        case lines
        case keys
    }

    /// Gets each line; nil at the end of input.
    var onLine: (String?) -> Void = { _ in }
    /// Gets each key; nil at the end of input.
    var onKey: (Character?) -> Void = { _ in }

    private let source = DispatchSource.makeReadSource(
        fileDescriptor: STDIN_FILENO, queue: .main)
    private let interrupts = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
    private let normal: termios?
    private var rest = ""

    init() {
        var settings = termios()
        normal = tcgetattr(STDIN_FILENO, &settings) == 0 ? settings : nil
        source.setEventHandler { [unowned self] in MainActor.assumeIsolated { read() } }
        // Control-C must not leave a terminal behind that does not show what is typed.
        signal(SIGINT, SIG_IGN)
        interrupts.setEventHandler { [unowned self] in
            MainActor.assumeIsolated {
                mode = .off
                exit(128 + SIGINT)
            }
        }
        interrupts.resume()
    }

    /// Off at first. What is typed while nobody listens stays with the terminal.
    var mode = Mode.off {
        didSet {
            guard mode != oldValue else { return }
            if oldValue == .keys || mode == .keys { setTerminal(forKeys: mode == .keys) }
            if mode == .off { source.suspend() }
            if oldValue == .off { source.resume() }
        }
    }

    private func setTerminal(forKeys: Bool) {
        guard var settings = normal else { return }
        if forKeys { settings.c_lflag &= ~tcflag_t(ICANON | ECHO) }
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }

    private func read() {
        // The handler may have been on its way already when listening ended.
        guard mode != .off else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
        guard count > 0 else { return mode == .keys ? onKey(nil) : onLine(nil) }
        rest += String(decoding: buffer[..<count], as: UTF8.self)
        while mode == .keys, !rest.isEmpty { onKey(rest.removeFirst()) }
        while mode == .lines, let end = rest.firstIndex(of: "\n") {
            let line = String(rest[..<end])
            rest = String(rest[rest.index(after: end)...])
            onLine(line)
        }
    }
}
