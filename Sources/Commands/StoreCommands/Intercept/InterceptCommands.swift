import Foundation

/// `openstore intercept run`
enum InterceptRun: Command {
    static let spec = CommandSpec(
        words: ["intercept", "run"],
        summary: "Run a command that talks to a store where it means Apple's servers.",
        discussion: """
            Sets HTTPS_PROXY and the variables by which programs find certificates that they trust,
            then becomes the command: streams, signals and exit code are the command's own. The
            store is one that runs on this machine with openstore serve --intercept, or the one
            that --store and --proxy name; its root comes over https, or is known by --fingerprint,
            and is good for Apple's names and the store's own, or else it is refused. Everything
            that is not exempted by NO_PROXY goes to the store, and nowhere else.
            """,
        rest: CommandSpec.Argument(name: "COMMAND ...", help: "The command with its arguments."),
        options: InterceptOptions.options)

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let variables = try await InterceptOptions.variables(arguments)
        let environment = ProcessInfo.processInfo.environment
        let program = SwiftProgram(arguments.rest[0], searchPath: environment["PATH"])
        if let advice = program?.advice(root: variables.root) { output.error(advice) }
        try ReplacedProcess.start(
            arguments.rest,
            variables: variables.values(over: environment))
    }
}

/// `openstore intercept env`
enum InterceptEnvironment: Command {
    static let spec = CommandSpec(
        words: ["intercept", "env"],
        summary: "Show the environment in which programs talk to a store.",
        discussion: """
            The variables that openstore intercept run sets, one NAME=VALUE on each line; with
            --shell as commands, for eval "$(openstore intercept env --shell)".
            """,
        options: InterceptOptions.options + [.flag("shell", "Show commands of the shell.")])

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let variables = try await InterceptOptions.variables(arguments)
        for (name, value) in variables.values(over: ProcessInfo.processInfo.environment) {
            output.line(
                arguments.has("shell")
                    ? "export \(name)=\(shellWord(value))"
                    : "\(name)=\(value)")
        }
    }
}
