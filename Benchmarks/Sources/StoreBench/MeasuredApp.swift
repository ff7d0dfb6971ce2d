import Foundation

/// A program that was started, and what it says line by line.
///
/// Started with `posix_spawn` and nothing around it: Foundation's `Process` takes longer than
/// some of what is measured.
final class MeasuredApp {
    let process: pid_t
    private let start: ContinuousClock.Instant
    private let output: Int32
    private var received: [UInt8] = []
    private var isReaped = false

    init(_ program: String, _ arguments: [String] = [], environment: [String: String]) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchFailure("no pipe: errno \(errno)") }
        // Only the copy that becomes its standard output is the app's.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var words = ([program] + arguments).map { strdup($0) }
        var settings = environment.map { strdup("\($0.key)=\($0.value)") }
        words.append(nil)
        settings.append(nil)
        defer { for word in words + settings { free(word) } }
        var process: pid_t = 0
        start = .now
        let result = posix_spawn(&process, program, &actions, nil, words, settings)
        close(ends[1])
        output = ends[0]
        guard result == 0 else { throw BenchFailure("\(program) can't be started: \(result)") }
        self.process = process
    }

    deinit {
        close(output)
        if !isReaped {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
    }

    /// The number in the next line, which has to begin with a word.
    ///
    /// - Returns: with it the milliseconds from the start of the process to the line.
    func number(after word: String) throws -> (number: Int, milliseconds: Double) {
        let (line, milliseconds) = try line()
        guard line.hasPrefix(word + " "), let number = Int(line.dropFirst(word.count + 1)) else {
            throw BenchFailure("an app said \"\(line)\", not \(word)")
        }
        return (number, milliseconds)
    }

    /// Since the start of the process.
    var milliseconds: Double { (ContinuousClock.now - start) / .microseconds(1) / 1000 }

    /// Waits for the end, which has to be a good one.
    ///
    /// - Returns: milliseconds of processor time, and the peak of resident memory in MiB.
    func finish() throws -> (processor: Double, peak: Double) {
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(process, &status, 0, &usage) == process else {
            throw BenchFailure("an app can't be waited for: errno \(errno)")
        }
        isReaped = true
        guard status == 0 else { throw BenchFailure("an app ended with status \(status)") }
        func milliseconds(_ time: timeval) -> Double {
            Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
        }
        return (
            milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
            Double(usage.ru_maxrss) / 1024
        )
    }

    /// The next line.
    ///
    /// - Returns: with it the milliseconds from the start of the process.
    func line() throws -> (text: String, milliseconds: Double) {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeSubrange(...end) }
                return (String(decoding: received[..<end], as: UTF8.self), milliseconds)
            }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { throw BenchFailure("an app has ended without a word") }
            received += buffer[..<count]
        }
    }
}
