/// How `openstore` ends: one code for each kind of failure.
///
/// Those from 64 on are of `sysexits.h`, those from 126 on are a shell's.
enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    case failure = 1
    case unsound = 2
    case usage = 64
    case refused = 65
    case notFound = 66
    case unreachable = 69
    case storeFailed = 70
    case notCreated = 73
    case notWritten = 74
    case later = 75
    case notAllowed = 77
    case configuration = 78
    case notExecutable = 126
    case noProgram = 127
    case interrupted = 130
    case invalidReceipt = 173

    /// One sentence for people.
    var meaning: String {
        switch self {
        case .success: "The command has done what it does."
        case .failure: "It has failed, in a way that has no code of its own."
        case .unsound: "Something in the store is broken (openstore doctor)."
        case .usage: "The command line is wrong."
        case .refused: "The rules of the store don't allow it, or a file breaks them."
        case .notFound: "There is nothing of that name or number."
        case .unreachable: "The store can't be reached."
        case .storeFailed: "The store has failed."
        case .notCreated: "A file that the command makes can't be made."
        case .notWritten: "Standard output can't be written."
        case .later: "The store has too much to do; try again later."
        case .notAllowed: "Who asks is not signed in, or may not do this."
        case .configuration: "The file with the settings is wrong."
        case .notExecutable: "The program to run can't be run (intercept run, test)."
        case .noProgram: "The program to run does not exist (intercept run, test)."
        case .interrupted: "Control-C has ended it."
        case .invalidReceipt: "The receipt does not count (openstore receipt verify)."
        }
    }
}

/// Something that decides the exit code of the program.
protocol ExitCoded: Error {
    var exitCode: ExitCode { get }
}

/// A failure that the command has told about itself, in the form that was asked for.
struct ReportedFailure: ExitCoded {
    var exitCode: ExitCode = .failure
}

/// What could not be done, in a sentence for people.
struct CommandFailure: ExitCoded, CustomStringConvertible {
    let description: String
    var exitCode: ExitCode = .failure
}
