import Foundation
import StoreKit
import StoreWire

/// The reference model: what an app may see, over all launches on one device. Values only;
/// it knows nothing of the engine but what observers are told.
final class AppView {
    /// A call of an observer.
    enum Call: Equatable, CustomStringConvertible {
        case updated([SKPaymentTransaction])
        case removed([SKPaymentTransaction])
        case restoreEnded
        case restoreFailed
        case offered(String)
        case revoked([String])

        var description: String {
            switch self {
            case .updated(let all): "updated \(all.map { ObservedTransaction($0).description })"
            case .removed(let all): "removed \(all.map { ObservedTransaction($0).description })"
            case .restoreEnded: "restored"
            case .restoreFailed: "restoring failed"
            case .offered(let product): "offered \(product)"
            case .revoked(let products): "revoked \(products)"
            }
        }
    }

    /// What the app knows of a payment that it has added.
    struct Payment {
        let product: String
        let quantity: Int
        /// Where it was seen last, in any launch; nil before it was seen, and after the
        /// journal was lost.
        var state: SKPaymentTransactionState?
        /// The transactions that it was seen to end in; more than one is a fault.
        var transactions: Set<String> = []
        /// The transaction that came after an interruption was settled.
        var resolutions: Set<String> = []
        /// The app has asked to finish it; after a crash it may come back all the same.
        var isAsked = false
        /// It has left the queue, for good.
        var isRemoved = false
        var hasFailed = false
        /// StoreKit 2 has begun it: what fails of it leaves by itself.
        var isFromProduct = false
        /// The store has lost what it had sold for it, which the app has all the same.
        var hasLostSale = false
        /// The store has lost that it had refused it, and may sell it to a late copy of the order.
        var hasLostRefusal = false
    }

    /// A transaction of this launch.
    struct Shown {
        let transaction: SKPaymentTransaction
        var sight: ObservedTransaction
        var isFinishing = false
        var isRemoved = false
    }

    /// By the tag that the app put into `applicationUsername`.
    var payments: [String: Payment] = [:]
    /// Transactions that have left the queue because the app had finished them.
    var finished: Set<String> = []
    /// Transactions that the app has asked to finish.
    var asked: Set<String> = []
    /// Of the finished ones, such that may return: the journal was lost before the store had heard,
    /// or the app has asked to restore since.
    var mayReturn: Set<String> = []
    /// Everything that was restored before the app's eyes: each restore brings the same.
    var restored: Set<String> = []
    /// Everything that was purchased or restored before the app's eyes.
    var delivered: Set<String> = []
    /// What the app has seen and not finished, and this launch has yet to show.
    var owed: [ObservedTransaction] = []
    /// What the last launch could not write down, of payments that the app has no name for: they may come
    /// back in an earlier state, beside others that look alike.
    var unwritten: [ObservedTransaction] = []
    var shown: [Shown] = []
    /// How often this launch has asked to restore, and heard that it was over. What is asked
    /// for while one is under way is ignored.
    private var restores = (asked: 0, ended: 0)
    /// What StoreKit 2 has said.
    var updates = Updates()
    private(set) var hasLostJournal = false
    /// Whether an older backup has taken the store's place.
    private(set) var hasGoneBack = false
    /// Transactions that the store has lost; their identifiers name nothing any more.
    private(set) var lost: Set<String> = []
    /// A failure that could not be written down is one for this launch only.
    var hasFullDisk = false
    private(set) var violations: [String] = []
    let note: (String) -> Void
    private var expected: [Watcher] = []
    private var heard: [Watcher] = []
    private var call: Call?

    /// - Parameter note: gets what the app hears, for the report of a failure.
    init(note: @escaping (String) -> Void) {
        self.note = note
    }

    func violate(_ sentence: String) { violations.append(sentence) }

    // MARK: Launches

    /// What the app has asked to finish may come back, or not.
    ///
    /// - Parameter failed: the payments that have failed by what the device has on its disk, also where
    ///   the launch ended before the app heard of it.
    func endLaunch(failed: Set<String>) {
        func isForgotten(_ sight: ObservedTransaction) -> Bool {
            self.isForgotten(sight, failed: failed)
        }
        owed += shown.filter {
            !$0.isFinishing && !mayBeUnwritten($0.sight) && !isForgotten($0.sight)
        }.map(\.sight)
        unwritten = shown.map(\.sight).filter { $0.tag == nil && mayBeUnwritten($0) }
        for item in shown where mayBeUnwritten(item.sight) {
            guard let tag = item.sight.tag else { continue }
            payments[tag]?.state = nil
            payments[tag]?.hasFailed = false
        }
        for item in shown where isForgotten(item.sight) {
            if let tag = item.sight.tag { payments[tag]?.state = nil }
        }
        updates.returned = []
        updates.open = []
        updates.finished = []
        shown = []
        restores = (0, 0)
    }

    /// Whether it need not come back: nobody waits any more for what StoreKit 2 had begun.
    private func isForgotten(_ sight: ObservedTransaction, failed: Set<String>) -> Bool {
        guard let tag = sight.tag, payments[tag]?.isFromProduct == true else { return false }
        return sight.state == .failed || sight.state == .purchasing || failed.contains(tag)
    }

    private func mayBeUnwritten(_ sight: ObservedTransaction) -> Bool {
        hasFullDisk && (sight.state == .failed || sight.state == .purchasing)
    }

    /// The journal is gone: what was not sold is forgotten, what was comes from the store.
    ///
    /// - Parameter unfinished: what the store lists.
    func loseJournal(unfinished: Set<String>) {
        owed = owed.filter { $0.identifier.map(unfinished.contains) ?? false }
        hasLostJournal = true
        mayReturn.formUnion(unfinished)
        for tag in payments.keys { payments[tag]?.state = nil }
    }

    /// The store has gone back to an older backup. What it has lost stays as the app was told; what
    /// was finished since is unfinished again, and what was refused since may be sold.
    ///
    /// - Parameter refused: the payments of which the store has lost that it had refused an order, be it
    ///   one before the last.
    func goBack(lost: Set<String>, refused: Set<String>, unfinished: Set<String>) {
        hasGoneBack = true
        self.lost.formUnion(lost)
        mayReturn.formUnion(unfinished)
        for (tag, before) in payments {
            var payment = before
            payment.state = nil
            if before.hasFailed || refused.contains(tag) { payment.hasLostRefusal = true }
            payment.hasFailed = false
            payment.isRemoved = false
            if !payment.transactions.isDisjoint(with: lost) { payment.hasLostSale = true }
            payment.transactions.subtract(lost)
            payment.resolutions.subtract(lost)
            payments[tag] = payment
        }
    }

    /// The app finishes what it sees.
    func ask(at index: Int) {
        shown[index].isFinishing = true
        let sight = shown[index].sight
        if let identifier = sight.identifier { asked.insert(identifier) }
        if let tag = sight.tag, !sight.isResolution { payments[tag]?.isAsked = true }
    }

    func askToRestore() {
        restores.asked += 1
        mayReturn.formUnion(restored)
    }

    /// Whether a restore may be under way, which brings what was restored before it began.
    var isRestoring: Bool { restores.asked > restores.ended }

    /// Nothing is under way any more.
    func rest() {
        if restores.asked > 0, restores.ended == 0 { violate("a restore never ends") }
        for tag in updates.open { violate("the purchase \(tag) never ends") }
        checkFailedCalls()
    }

    // MARK: Callbacks

    func beginCallback(_ watchers: [Watcher]) {
        expected = watchers
        heard = []
        call = nil
    }

    /// An observer is called.
    func hear(_ new: Call, by watcher: Watcher) {
        guard let first = call else {
            call = new
            heard = [watcher]
            note("   app: \(new)")
            take(new)
            return
        }
        heard.append(watcher)
        if new != first { violate("observers are told different things: \(first), \(new)") }
    }

    func endCallback(_ queue: SKPaymentQueue) {
        if call != nil, !heard.elementsEqual(expected, by: ===) {
            violate("\(heard.count) of \(expected.count) observers are called, or out of order")
        }
        let visible = shown.filter { !$0.isRemoved }.map(\.transaction)
        if !queue.transactions.elementsEqual(visible, by: ===) {
            violate("the queue has \(queue.transactions.count), the app saw \(visible.count)")
        }
        for item in shown where !item.isRemoved {
            let state = item.transaction.transactionState
            if state != item.sight.state {
                violate("\(item.sight) has become \(state.name) without a callback")
            }
        }
    }

    private func take(_ call: Call) {
        switch call {
        case .updated(let transactions):
            if transactions.isEmpty { violate("an update of nothing") }
            for transaction in transactions { update(transaction) }
        case .removed(let transactions):
            for transaction in transactions { remove(transaction) }
        case .restoreEnded, .restoreFailed:
            restores.ended += 1
            if restores.ended > restores.asked { violate("a restore ends that nobody asked for") }
        case .offered, .revoked: break
        }
    }
}
