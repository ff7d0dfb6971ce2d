import FoundationNetworking
import StoreSecurity

@testable import StoreKit
@testable import StoreModel
@testable import StoreWire

private let folder = scratchFolder("launch")

/// Launches an app whose store answers anything: products, a payment, a restore, a code, downloads,
/// a page, the account's history. The first byte says what the app begins with, the others are the store's answers one
/// after the other; see `FuzzStore`. Nothing waits and nothing listens.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLaunch(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = Input(bytes, count)
    let start = input.byte()
    let answers = input
    try? FileManager.default.removeItem(at: folder.appendingPathComponent(".cache"))
    let journal = MemoryJournal(Data())
    wait { await launch(start, answers, journal) }
    return 0
}

private func launch(_ start: UInt8, _ answers: Input, _ journal: MemoryJournal) async {
    let device = must {
        try makeDevice(in: folder, FuzzStore(answers), journal: { journal })
    }
    let isSignedIn = start & 1 == 0
    if isSignedIn {
        must { try device.sessions.save(SampleAnswers.session) }
    } else {
        device.sessions.clear(device.sessions.session)
    }
    let callbacks = DispatchQueue(label: "fuzz")
    let waits = Waits(30)
    let engine = makeEngine(device, callbacks, waits)
    let queue = SKPaymentQueue(engine: engine)
    let observer = FuzzObserver()
    queue.add(observer)
    let steps: [() async -> Void] = [
        {
            if let answer = try? await device.products(["a", SampleAnswers.product]) {
                Glance.products(answer)
            }
        },
        {
            let payment = SKMutablePayment()
            payment.productIdentifier = SampleAnswers.product
            queue.add(payment)
        },
        { queue.restoreCompletedTransactions() },
        {
            await PaymentEngine.$ofTask.withValue(engine) {
                for await result in Transaction.all { Glance.transaction(result) }
                Glance.app(try? await AppTransaction.shared)
                for await group in Product.SubscriptionInfo.Status.all {
                    for status in group.statuses { Glance.transaction(status.transaction) }
                }
            }
        },
        { queue.presentCodeRedemptionSheet() },
        { queue.showPriceConsentIfNeeded() },
        {
            let lookup = StorePageLookup(device: device)
            _ = try? await lookup.item(42, in: .unitedStates, referral: ItemReferral())
        },
    ]
    for number in steps.indices { await steps[(number + Int(start >> 1)) % steps.count]() }
    await engine.jobs.end()
    await engine.state.withLock { $0.listening }?.value
    await engine.jobs.end()
    callbacks.sync {}
    for transaction in queue.transactions {
        Glance.transaction(transaction)
        for download in transaction.downloads.prefix(2) {
            try? await fetch(download, of: transaction, device, engine)
        }
    }
    for transaction in queue.transactions
    where ![.purchasing, .deferred].contains(transaction.transactionState) {
        if let key = PurchaseKey(transaction.key) { await engine.finish(transaction, key: key) }
    }
    await engine.close()
    waits.end()
    await engine.jobs.end()
    callbacks.sync {}
    withExtendedLifetime(observer) {}
    let ids = queue.transactions.compactMap(\.transactionIdentifier)
    demand(Set(ids).count == ids.count, "a transaction is shown twice")
    // The next launch reads what this one has written.
    _ = must { try DeviceJournal(storage: journal, log: { fail("a journal of ours: \($0)") }) }
}

private func fetch(
    _ download: SKDownload, of transaction: SKPaymentTransaction, _ device: StoreDevice,
    _ engine: PaymentEngine
) async throws {
    guard let wire = download.wire, let content = ProductID(download.contentIdentifier),
        let id = TransactionID(transaction.transactionIdentifier ?? "")
    else { return }
    let fetcher = ContentFetcher(
        folder: DownloadFolder(transaction: id, content: content, device: device),
        client: device.client, grants: DownloadGrants(wire, of: id, device: device),
        libraries: InstalledContent.libraries(device), retry: Waits(6).policy, log: device.log,
        report: { _, _ in })
    try await fetcher.run()
}
