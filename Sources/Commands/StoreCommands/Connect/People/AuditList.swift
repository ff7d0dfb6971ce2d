import StoreWire

/// `openstore audit list`
enum AuditList: ConnectCommand {
    static let spec = CommandSpec.connect(
        ["audit", "list"], summary: "Tell who changed what, the newest first.",
        options: [.team, .limit])

    static func run(_ connect: ConnectContext) async throws {
        let entries = try await connect.api.list(
            "/openstore/v1/auditEntries", connect.teamFilter(), limit: connect.limit())
        connect.show.list(
            entries,
            [
                .attribute("DATE", "date"), .attribute("WHO", "actor"),
                .attribute("WHAT", "action"), .attribute("ON", "subject"),
                .attribute("BEFORE", "before"), .attribute("AFTER", "after"),
            ], empty: "Nothing was changed yet.")
    }
}
