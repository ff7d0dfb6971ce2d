/// Options that many commands take: explained once, in `openstore help options`.
enum SharedOptions {
    static let all: [CommandSpec.Option] =
        ConnectOptions.all + ContentOptions.options + [Settings.fileOption, .help]
}

extension CommandSpec.Option {
    static let json: CommandSpec.Option = .flag("json", "Write JSON for programs.").asShared
    static let quiet: CommandSpec.Option = .flag("quiet", "Write identifiers only.").asShared
    static let help: CommandSpec.Option = .flag("help", "Show this help.").asShared
}
