import Foundation

/// Lines that the customer types, while somebody listens to them.
final class Keyboard {
    /// Gets each line; nil at the end of input.
    var onLine: (String?) -> Void = { _ in }
    private let source = DispatchSource.makeReadSource(
        fileDescriptor: STDIN_FILENO, queue: .main)
    private var rest = ""

    init() {
        source.setEventHandler { [unowned self] in
            MainActor.assumeIsolated { read() }
        }
    }

    /// Off at first. What is typed while nobody listens stays with the terminal.
    var isListening = false {
        didSet {
            guard isListening != oldValue else { return }
            if isListening { source.resume() } else { source.suspend() }
        }
    }

    private func read() {
        // The handler may have been on its way already when listening ended.
        guard isListening else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
        guard count > 0 else { return onLine(nil) }
        rest += String(decoding: buffer[..<count], as: UTF8.self)
        while isListening, let end = rest.firstIndex(of: "\n") {
            let line = String(rest[..<end])
            rest = String(rest[rest.index(after: end)...])
            onLine(line)
        }
    }
}
