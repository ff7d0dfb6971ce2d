import Foundation

/// Something that `openstore` does.
protocol Command: Sendable {
    static var spec: CommandSpec { get }
    /// Does it.
    ///
    /// - Throws: `UsageError` for a wrong command line, anything else for a failure.
    static func run(_ arguments: ParsedArguments, output: Output) async throws
}

/// Calls the command that the words on the command line name.
package enum CommandRunner {
    static let version = "0.1.0"

    /// Runs the command and gives the exit code (`ExitCode`).
    package static func run(_ words: [String]) async -> Int32 {
        if DemoScenario.isRequested(words) { return await DemoScenario.run(words) }
        let output = Output.standard
        let code = await run(words, output)
        guard code == .success, let reason = Output.failure else { return code.rawValue }
        output.error(
            "standard output can't be written (\(reason)): the command has done what it does, but "
                + "what it shows is not complete")
        return ExitCode.notWritten.rawValue
    }

    private static func run(_ words: [String], _ output: Output) async -> ExitCode {
        do {
            switch try CommandTree.find(words) {
            case .version: output.line("openstore \(version)")
            case .overview: output.write(CommandTree.overview)
            case .help(let text): output.write(text)
            case .incomplete(let help):
                output.help(help)
                return .usage
            case .command(let command, let arguments):
                try await run(command, arguments, output)
            }
            return .success
        } catch let failure as ReportedFailure {
            return failure.exitCode
        } catch {
            output.error(sentence(error))
            return (error as? any ExitCoded)?.exitCode ?? .failure
        }
    }

    private static func run(
        _ command: any Command.Type, _ words: [String], _ output: Output
    ) async throws {
        let arguments = try ParsedArguments(
            words, for: command.spec, environment: ProcessInfo.processInfo.environment,
            file: Settings.standardFile, ask: TerminalQuestion.ask)
        if arguments.has("help") { return output.write(command.spec.help) }
        do {
            try await command.run(arguments, output: output)
        } catch let error as UsageError {
            throw arguments.located(error)
        }
    }

    private static func sentence(_ error: any Error) -> String {
        guard let error = error as? CocoaError else { return String(describing: error) }
        // Foundation's sentences name no file.
        let path = error.userInfo[NSFilePathErrorKey] as? String
        return (path.map { "\($0): " } ?? "") + error.localizedDescription
    }
}
