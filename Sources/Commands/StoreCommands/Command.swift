import Foundation

/// Something that `openstore` does.
protocol Command: Sendable {
    static var spec: CommandSpec { get }
    /// Does it.
    ///
    /// - Throws: `UsageError` for a wrong command line, anything else for a failure.
    static func run(_ arguments: ParsedArguments, output: Output) async throws
}

/// A failure that the command has told about itself, in the form that was asked for.
struct ReportedFailure: Error {
    var exitCode: Int32 = 1
}

/// Calls the command that the words on the command line name.
package enum CommandRunner {
    static let commands: [any Command.Type] = [
        onTheMachine, PeopleCommands.all, AppCommands.all, ProductCommands.all,
        ReviewCommands.all, SecretCommands.all, TesterCommands.all, ItemCommands.all,
        NotificationCommands.all,
    ].flatMap { $0 }

    private static let onTheMachine: [any Command.Type] = [
        ServeCommand.self,
        InterceptRun.self,
        InterceptEnvironment.self,
        DemoCommand.self,
        CatalogImport.self,
        ItemImportCommand.self,
        ProductExportCommand.self,
        ProductImportCommand.self,
        ContentInit.self,
        ContentBuild.self,
        ContentValidate.self,
        ContentInspect.self,
        ContentUnpack.self,
        ContentUpload.self,
        ContentHost.self,
        ContentUnhost.self,
        ContentSubmit.self,
        ContentReview.self,
        ContentApprove.self,
        ContentReject.self,
        ContentStatus.self,
        ContentCollection.self,
        APIKeyCreate.self,
        APIKeyList.self,
        APIKeyRevoke.self,
        DatabaseCopyCommand.self,
        BackupCommand.self,
        RestoreCommand.self,
        DoctorCommand.self,
        ConfigurationCommand.self,
        KeysList.self,
        KeysRotate.self,
        KeysRevoke.self,
        ReceiptVerify.self,
        ProfileCreate.self,
        TesterCreate.self,
        TesterChange.self,
        CustomerCreate.self,
        PasswordResetCommand.self,
        AccountSignIn.self,
        AccountSignOut.self,
        AccountShow.self,
        PurchaseList.self,
        PurchaseApprove.self,
        PurchaseDecline.self,
        PurchaseRevoke.self,
        RefundAsk.self,
        RefundList.self,
        RefundGrant.self,
        RefundDecline.self,
        RefundReverse.self,
        MessageList.self,
        MessageApprove.self,
        MessageReject.self,
        SubscriptionList.self,
        SubscriptionCancel.self,
        SubscriptionResume.self,
        SubscriptionChangeProduct.self,
        FamilyAdd.self,
        FamilyRemove.self,
        FamilyList.self,
        PurchasePromote.self,
        OfferCodeCreate.self,
        PriceConsentAsk.self,
        FeedExportCommand.self,
        FeedPartnerCreate.self,
        FeedPartnerList.self,
        FeedPartnerChange.self,
        FeedPartnerPassword.self,
    ]

    /// Runs the command and gives the exit code: 0 for success, 1 for a failure, 64 for a
    /// wrong command line, 74 where what it shows can't be written; what a store answers has
    /// codes of its own (`ConnectFailure`).
    package static func run(_ words: [String]) async -> Int32 {
        let output = Output.standard
        let code = await run(words, output)
        guard code == 0, let reason = Output.failure else { return code }
        output.error(
            "standard output can't be written (\(reason)): the command has done what it does, but "
                + "what it shows is not complete")
        return 74
    }

    private static func run(_ words: [String], _ output: Output) async -> Int32 {
        do {
            if DemoScene.isRequested(words) { return await DemoScene.run(words) }
            if words.first == "--version" {
                output.line("openstore \(version)")
                return 0
            }
            guard let first = words.first, !["help", "--help", "-h"].contains(first) else {
                output.write(overview)
                return 0
            }
            guard let command = command(for: words) else {
                throw UsageError(description: unknown(words))
            }
            let spec = command.spec
            let arguments = try ParsedArguments(
                Array(words.dropFirst(spec.words.count)), for: spec,
                environment: ProcessInfo.processInfo.environment, file: Settings.standardFile)
            if arguments.has("help") {
                output.write(spec.help)
                return 0
            }
            do {
                try await command.run(arguments, output: output)
            } catch let error as UsageError {
                throw UsageError(description: arguments.located(error))
            }
            return 0
        } catch let error as UsageError {
            output.error(error.description)
            return 64
        } catch let failure as ReportedFailure {
            return failure.exitCode
        } catch let error as any ExitCoded {
            output.error(String(describing: error))
            return error.exitCode
        } catch let error as CocoaError {
            // Foundation's sentences name no file.
            let path = error.userInfo[NSFilePathErrorKey] as? String
            output.error((path.map { "\($0): " } ?? "") + error.localizedDescription)
            return 1
        } catch {
            output.error(String(describing: error))
            return 1
        }
    }

    static let version = "0.1.0"

    private static func command(for words: [String]) -> (any Command.Type)? {
        commands.first { words.starts(with: $0.spec.words) }
    }

    private static func unknown(_ words: [String]) -> String {
        let known = commands.map { $0.spec.words }
        let depth = words.indices.last { index in
            known.contains { $0.starts(with: words[...index]) }
        }
        guard let depth else {
            return "unknown command \"\(words[0])\"; openstore --help lists them"
        }
        var next: [String] = []
        for command in known where command.starts(with: words[...depth]) {
            guard let word = command.dropFirst(depth + 1).first, !next.contains(word) else {
                continue
            }
            next.append(word)
        }
        return "\(words[...depth].joined(separator: " ")) needs one of: "
            + next.joined(separator: ", ")
    }

    private static var overview: String {
        let rows = commands.map { ($0.spec.words.joined(separator: " "), $0.spec.summary) }
        let width = rows.map(\.0.count).max() ?? 0
        let list = rows.map { words, summary in
            "  \(words.padding(toLength: width, withPad: " ", startingAt: 0))  \(summary)\n"
        }
        return """
            openstore is a store for in-app purchases: apps written for StoreKit buy from it.

            Usage: openstore COMMAND [OPTIONS]

            \(list.joined())
            openstore COMMAND --help says more. openstore --version tells the version.

            """
    }
}
