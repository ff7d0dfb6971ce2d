import Foundation

/// Another program in the place of this one: with its standard streams, its process number and
/// whoever waits for it. So signals reach it, and its end is told, by nobody in between.
enum ReplacedProcess {
    /// - Parameters:
    ///   - line: the program, looked for on the search path, and its arguments.
    ///   - variables: beside the environment that there is.
    /// - Throws: `CommandNotStarted`; returns never otherwise.
    static func start(
        _ line: [String], variables: [(name: String, value: String)]
    ) throws -> Never {
        for (name, value) in variables { setenv(name, value, 1) }
        // The threads that run tasks block signals, and programs inherit that.
        var mask = sigset_t()
        sigemptyset(&mask)
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        // They inherit what is ignored as well (`StandardStreams`).
        signal(SIGPIPE, SIG_DFL)
        let words = line.map { strdup($0) } + [nil]
        execvp(line[0], words)
        throw CommandNotStarted(command: line[0], code: errno)
    }
}

/// A command that can't be started; the exit codes are those of env(1).
struct CommandNotStarted: ExitCoded, CustomStringConvertible {
    let command: String
    let code: Int32

    var exitCode: ExitCode { code == ENOENT ? .noProgram : .notExecutable }

    var description: String {
        "\(command) can't be started: \(String(cString: strerror(code)))"
    }
}
