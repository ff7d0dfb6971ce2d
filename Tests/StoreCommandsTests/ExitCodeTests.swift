import StorePackage
import StoreMetadata
import Testing

@testable import StoreCommands

/// How the program ends.
@Suite struct ExitCodeTests {
    @Test func `help explains each exit code`() {
        let text = HelpTopic.exitCodes.text
        for code in ExitCode.allCases {
            #expect(text.contains("\n  \(code.rawValue) "), "\(code)")
            #expect(code.meaning.hasSuffix("."))
        }
    }

    @Test(
        arguments: [
            (UsageError(description: "x"), 64), (CommandFailure(description: "x"), 1),
            (ReportedFailure(), 1), (ConnectFailure.notFound("x"), 66),
            (ConnectFailure.unreachable("x", "y"), 69),
            (PackageError(.readable, "x"), 65), (MarkupError(line: 1, "x"), 65),
            (UsageError(description: "x", exitCode: .configuration), 78),
            (CommandNotStarted(command: "x", code: 2), 127),
            (CommandNotStarted(command: "x", code: 13), 126),
        ] as [(any ExitCoded, Int32)])
    func `each kind of failure has its code`(_ error: any ExitCoded, _ code: Int32) {
        #expect(error.exitCode.rawValue == code)
    }
}
