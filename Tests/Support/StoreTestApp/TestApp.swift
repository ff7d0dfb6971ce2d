import Foundation
import FoundationNetworking
import StoreKit

/// An app for tests: buys, downloads, installs and finishes, and says what it sees, one
/// line for each event. It can be made to kill itself with SIGKILL at a chosen point.
///
///     StoreTestApp --expect N [--buy PRODUCT:QUANTITY]... [--restore]
///         [--install DIR [--keep-failed]]
///     StoreTestApp --customer --expect N [--buy PRODUCT:QUANTITY]...
///     StoreTestApp --items | --receipt | --invalid-receipt | --agent
///
/// With `--customer` it asks as any app asks its customer, and `--items` shows items of the store: both
/// need a terminal.
///
/// It ends when N transactions have left the queue; with `--keep-failed`, also when a
/// download fails, with the code 3 and its transaction still there; and with the code 4 when
/// nothing could be restored that is still waited for. Environment: `TEST_EMAIL`,
/// `TEST_PASSWORD`, `TEST_ATTEMPTS`, and `TEST_FAULT` (see `Fault`).
@main
struct TestApp {
    static func main() async throws {
        var buys: [(String, Int)] = []
        var expected = 0
        var restores = false
        var keepsFailed = false
        var asksCustomer = false
        var install: URL?
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            switch word {
            case "--buy":
                let parts = words.popFirst()!.split(separator: ":")
                buys.append((String(parts[0]), Int(parts[1])!))
            case "--restore": restores = true
            case "--keep-failed": keepsFailed = true
            case "--expect": expected = Int(words.popFirst()!)!
            case "--customer": asksCustomer = true
            case "--items": return try await ItemBrowsing.run()
            case "--agent": return try await runAgent()
            case "--receipt": return try await ReceiptCheck.run()
            case "--invalid-receipt": SKTerminateForInvalidReceipt()
            case "--install": install = URL(fileURLWithPath: words.popFirst()!)
            default: fatalError("unknown argument \(word)")
            }
        }
        let fault = Fault(ProcessInfo.processInfo.environment["TEST_FAULT"] ?? "")
        let queue = asksCustomer ? .default() : try makeQueue(fault)
        let observer = TestObserver(queue: queue, install: install, keepsFailed: keepsFailed)
        queue.add(observer)
        for (product, quantity) in buys {
            let payment = SKMutablePayment()
            payment.productIdentifier = product
            payment.quantity = quantity
            queue.add(payment)
        }
        if restores { queue.restoreCompletedTransactions() }
        var removed = 0
        for await count in observer.removals {
            removed += count
            if removed >= expected || observer.hasFailed || observer.hasRestoredNothing { break }
        }
        say("received \(fault.total)")
        if observer.hasFailed { exit(3) }
        if removed < expected { exit(4) }
        say("done")
    }
}

/// The process's queue where `OPENSTORE_SHEET` says who is asked, as in any app; else one
/// that confirms everything and dies where `TEST_FAULT` says.
private func makeQueue(_ fault: Fault) throws -> SKPaymentQueue {
    let environment = ProcessInfo.processInfo.environment
    guard environment["OPENSTORE_SHEET"] == nil else { return .default() }
    let device = try StoreDevice(
        profile: try DeviceProfile.current(), transport: FaultyTransport(fault: fault),
        sheet: TestSheet(fault: fault))
    let policy = RetryPolicy(
        // A store that was killed comes back; nobody knows how soon.
        attempts: environment["TEST_ATTEMPTS"].flatMap { Int($0) } ?? 1_000_000,
        longDelay: .milliseconds(100),
        sleep: { duration in
            // So long only the queue waits, for a store that is slow to hear of an end: tests look
            // at what it has heard, however slow it is.
            try await Task.sleep(for: duration < .seconds(1) ? duration : .seconds(3600))
        },
        idle: { try await Task.sleep(for: .milliseconds(200)) }, jitter: { 0.02 })
    return SKPaymentQueue(engine: PaymentEngine(retry: policy) { device })
}

/// The download agent, which dies where `TEST_FAULT` says, and gives up soon: none outlives a test
/// for long that was killed.
private func runAgent() async throws {
    let environment = ProcessInfo.processInfo.environment
    let policy = RetryPolicy(
        attempts: 6, longDelay: .seconds(1), sleep: { try await Task.sleep(for: $0) },
        idle: { try await Task.sleep(for: .seconds(1)) }, jitter: { 0.02 })
    let agent = DownloadAgent(
        environment: environment,
        times: DownloadAgent.Times(idle: .seconds(2), patience: .seconds(20)),
        transport: FaultyTransport(fault: Fault(environment["TEST_FAULT"] ?? "")), retry: policy
    ) { say("agent \($0)") }
    try await agent?.run(listener: nil)
}

/// One line of the protocol between the app and its test.
func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

/// Confirms everything, and knows its account.
struct TestSheet: OpenStoreSheet {
    let fault: Fault

    func confirm(_ question: OpenStorePurchaseQuestion) async throws -> Bool {
        say("confirm \(question.productIdentifier) \(question.quantity) \(question.price)")
        fault.reach("confirm")
        return true
    }

    func signIn(_ question: OpenStoreSignInQuestion) async throws -> OpenStoreCredentials? {
        let environment = ProcessInfo.processInfo.environment
        return OpenStoreCredentials(
            email: environment["TEST_EMAIL"] ?? "", password: environment["TEST_PASSWORD"] ?? "")
    }
}
