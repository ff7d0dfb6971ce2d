import Foundation
import StoreKernel
import StoreModel
import StoreServer

/// `openstore doctor`
enum DoctorCommand: Command {
    static let spec = CommandSpec(
        words: ["doctor"], summary: "Look whether a store is sound.",
        discussion: """
            Looks at the database and how its server writes, the ledger, rows that the store can't
            deal with, content by its digests, keys and certificates, permissions, space, the clock,
            and whether the store answers; changes nothing but with --after-failover and
            --clock-is-right, while the store runs or not. Ends with 0 for a sound store, with 2 where something is broken, and with
            --strict with 1 where there are warnings.
            """,
        options: [
            .flag("quick", "Don't read the bytes of content."),
            .flag("answer", "Only look whether the store answers, and whether it is this one."),
            .flag("strict", "Take warnings seriously."),
            StoreAddress.option(asArgument: "where the store of the folder runs"),
            .flag(
                "after-failover",
                "First move all numbers on, because the database has lost its last changes: a standby "
                    + "that lagged took over, or it was recovered to a point in time."),
            .flag(
                "clock-is-right",
                "First write down that the clock is right, so that a store goes by it at once that was "
                    + "stopped for long, or whose clock was behind."),
            .json, StoreOpening.option, StoreOpening.database,
        ] + ContentOptions.options)

    private struct Result: Encodable {
        let isSound: Bool
        let findings: [DiagnosticsReport.Finding]
        let checks: [DiagnosticsReport.Check]
    }

    static func run(_ arguments: ParsedArguments, output: Output) async throws {
        let address = try StoreAddress.given(arguments)
        let paths = try StoreOpening.paths(arguments)
        // A folder without a store is a finding, unless a store elsewhere is meant.
        try StoreOpening.expectStore(arguments, in: paths.directory, begins: true)
        let (isJSON, isQuick) = (arguments.has("json"), arguments.has("quick"))
        let isAnswerOnly = arguments.has("answer")
        if arguments.has("after-failover") {
            try await BlockingPool.commands.run { try paths.moveNumbersOn(now: Date()) }
        }
        if arguments.has("clock-is-right") { try await paths.believe(SystemClock()) }
        var report = try await BlockingPool.commands.run {
            guard !isAnswerOnly else { return DiagnosticsReport() }
            let line = BackupLine(output: output, isQuiet: isJSON)
            defer { line.clear() }
            return StoreDiagnostics(paths, isQuick: isQuick, now: Date()).run { done, all in
                line.show("content", done, of: all, unit: formattedBytes)
            }
        }
        let certificate = arguments.setting("tls-certificate").map(ParsedArguments.url)
        if let certificate, !isAnswerOnly {
            report.checkServerCertificate(in: certificate, at: Date())
        }
        let listening = arguments.setting("listen") ?? ServeCommand.defaultListenAddress
        let running = ServingNote.read(in: paths.directory)?.addresses.first
        let place =
            try address ?? running
            ?? StoreAnswerCheck.address(listening: listening, isSecure: certificate != nil)
        do {
            await StoreAnswerCheck(root: try paths.fingerprint()).look(
                at: place, mustAnswer: address != nil || running != nil || isAnswerOnly, &report)
        } catch {
            report.add(
                .broken, "answer", "whether what answers is this store can't be told: \(error)",
                at: paths.directory.path, "run this as the user of the store, with its folder")
        }
        if isJSON {
            try output.json(
                Result(
                    isSound: !report.has(.broken), findings: report.findings,
                    checks: report.checks))
        } else {
            show(report, output)
        }
        if report.has(.broken) { throw ReportedFailure(exitCode: .unsound) }
        if arguments.has("strict"), report.has(.warning) { throw ReportedFailure() }
    }

    private static func show(_ report: DiagnosticsReport, _ output: Output) {
        var table = Table(["CHECKED", "WHAT"])
        table.rows = report.checks.map { [$0.name, $0.extent] }
        output.write(table.text(on: output))
        for finding in report.findings {
            let style: Output.Style =
                switch finding.severity {
                case .note: .dim
                case .warning: .yellow
                case .broken: .bold
                }
            output.line("")
            output.line(
                output.styled("\(finding.severity.rawValue): ", style)
                    + "\(finding.check): \(finding.what)".terminalText())
            output.line("  at \(finding.place)".terminalText())
            output.line("  do \(finding.advice)".terminalText())
        }
        let (broken, warnings) = (
            report.findings.count { $0.severity == .broken },
            report.findings.count { $0.severity == .warning }
        )
        output.line("")
        output.line(
            broken == 0
                ? "The store is sound" + (warnings > 0 ? ", with \(warnings) warnings." : ".")
                : "The store is not sound: \(broken) things are broken.")
    }
}
