import StoreKit

/// A magazine on a terminal. `Magazine` knows what the reader has subscribed to; this is the part
/// that the reader sees.
@main
final class Subscriptions {
    private static let help = """
        Subscriptions sells a magazine by subscription, on two levels.

        Usage: Subscriptions [--help]

        It looks for its store in embedded.storeprofile beside the program, or in the file that
        OPENSTORE_PROFILE names.

        """
    private static let issues = [
        "The Fog Bell. For a week nobody in the harbour sees the lamp, and everybody hears it.",
        "Oil and Wick. What a keeper writes down at four in the morning, and why.",
        "The Last Keeper. He switches the light over to a clock, and stays to watch the clock.",
    ]

    private let magazine = Magazine()
    /// What the reader saw last.
    private var shown = ""
    private var isAnswering = false

    static func main() async {
        switch Array(CommandLine.arguments.dropFirst()) {
        case []: await Subscriptions().run()
        case ["--help"], ["-h"]: Terminal.write(help)
        case let words:
            Terminal.fail("I don't know \(words.joined(separator: " ")); see --help.", code: 64)
        }
    }

    private func run() async {
        do {
            try await magazine.open()
        } catch StoreKitError.systemError(let error as SKError) where error.code == .clientInvalid {
            // A program without a usable profile has no store, and that does not get better.
            Terminal.fail(error.localizedDescription, code: 1)
        } catch {
            // What was paid for can be read all the same.
            Terminal.write("Nothing can be bought now: \(error.localizedDescription)\n")
        }
        if !AppStore.canMakePayments {
            Terminal.write("Purchases are switched off on this device.\n")
        }
        magazine.onChange = { [unowned self] in
            // What the reader's own choice has changed is shown behind its answer.
            if !isAnswering, page != shown { show() }
        }
        while true {
            show()
            guard let line = await Terminal.line(), line != "q" else { return }
            isAnswering = true
            defer { isAnswering = false }
            do {
                Terminal.write(try await answer(line) + "\n")
            } catch {
                Terminal.write("That did not work: \(error.localizedDescription)\n")
            }
        }
    }

    /// Does what the reader has chosen.
    ///
    /// - Returns: what to tell them.
    private func answer(_ line: String) async throws -> String {
        switch line {
        case "i":
            guard magazine.level >= .newestIssue else { return "Subscribers read it." }
            return Self.issues.last ?? ""
        case "a":
            guard magazine.level >= .archive else { return "Patrons read the archive." }
            return Self.issues.joined(separator: "\n")
        case "m": return try await manage()
        case "f": return try await askForRefund()
        case "r":
            try await AppStore.sync()
            await magazine.look()
            return "That is what your account has."
        default:
            guard let number = Int(line), magazine.products.indices.contains(number - 1) else {
                return ""
            }
            return try await magazine.subscribe(to: magazine.products[number - 1])
        }
    }

    /// The page on which a reader cancels, resumes, or chooses another level.
    private func manage() async throws -> String {
        #if os(Linux)
            try await AppStore.openStoreShowManageSubscriptions()
            await magazine.look()
            return ""
        #else
            return "Open the App Store, your account, Subscriptions."
        #endif
    }

    private func askForRefund() async throws -> String {
        guard let period = magazine.period else { return "You pay for nothing." }
        #if os(Linux)
            Terminal.write("Why? 1 not meant to buy, 2 not as expected, Return goes back: ")
            let reasons: [String: OpenStoreRefundReason] = ["1": .unintended, "2": .unsatisfied]
            guard let reason = reasons[await Terminal.line() ?? ""] else { return "" }
            return switch try await period.openStoreBeginRefundRequest(reason: reason) {
            case .success: "The store has your request, and decides."
            case .userCancelled: "Nothing was asked for."
            @unknown default: ""
            }
        #else
            return "Open reportaproblem.apple.com."
        #endif
    }

    // MARK: What the reader sees

    private func show() {
        shown = page
        Terminal.write(shown)
    }

    private var page: String {
        let levels = magazine.products.enumerated().map { number, product in
            let period = product.subscription?.subscriptionPeriod
                .formatted(product.subscriptionPeriodFormatStyle)
            return "  \(number + 1)  \(product.displayName)  \(product.displayPrice) for "
                + "\(period ?? "ever")  \(Terminal.dim(product.description))\n"
        }
        let subscribing = levels.isEmpty ? "" : "A number subscribes, "
        return """

            \(Terminal.bold("The Lamp Room"))  \(standing)

            \(levels.joined())
            \(subscribing)i reads the issue, a the archive, m manages, f asks for a refund,
            r restores, q quits: \("")
            """
    }

    /// How the subscription stands, in a sentence.
    private var standing: String {
        guard let status = magazine.status, case .verified(let renewal) = status.renewalInfo,
            case .verified(let transaction) = status.transaction
        else { return "You don't subscribe." }
        let name = magazine.name(of: renewal.currentProductID)
        let end = text(transaction.expirationDate)
        switch status.state {
        case .subscribed:
            guard renewal.willAutoRenew else { return "\(name) until \(end). Then it ends." }
            let next = renewal.autoRenewPreference ?? renewal.currentProductID
            return next == renewal.currentProductID
                ? "\(name). Renews on \(end)."
                : "\(name) until \(end), then \(magazine.name(of: next))."
        case .inGracePeriod:
            return "\(name). A payment has failed; you can read until "
                + "\(text(renewal.gracePeriodExpirationDate))."
        case .inBillingRetryPeriod: return "A payment for \(name) has failed; m shows what to do."
        case .revoked: return "\(name) was paid back."
        default: return "\(name) has ended."
        }
    }

    private func text(_ date: Date?) -> String {
        date?.formatted(date: .abbreviated, time: .shortened) ?? "an unknown date"
    }
}
