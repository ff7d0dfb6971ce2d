import FoundationNetworking
import StoreSecurity
import StoreTexts

@testable import StoreKit
@testable import StoreModel
@testable import StoreWire

private let folder = scratchFolder("device")
private let session = SampleAnswers.session
private let key = SampleAnswers.key

/// Reads an answer of the store as a device does, and looks at what an app sees of it. The first
/// byte says what was asked for, the second and third ones are the answer's status and header, the
/// others its body; see `FuzzStore`. Where the first byte is `t`, they are a transaction's payload.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDevice(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = Input(bytes, count)
    let question = input.byte()
    let answers = input
    wait {
        do { try await ask(question, answers) } catch {
            demand(!visibleError(error).localizedDescription.isEmpty, "an error says nothing")
        }
    }
    return 0
}

/// One device for all inputs: what is made anew with each is the client.
private let shared: StoreDevice = must { try makeDevice(in: folder, FuzzStore(Input(Data()))) }

private func ask(_ question: UInt8, _ answers: Input) async throws {
    let client = StoreClient(
        profile: profile, deviceID: shared.client.deviceID, transport: FuzzStore(answers))
    switch question {
    case UInt8(ascii: "s"):
        let session = try await client.signIn(email: "a", password: "b")
        try shared.sessions.save(session)
        demand(shared.sessions.session == session, "a session changed")
        _ = SKStorefront(countryCode: session.storefront, identifier: session.storefrontId)
    case UInt8(ascii: "p"):
        if let reply = try await client.products(["a"], session: session, unless: "b") {
            Glance.products(reply.answer)
            demand((0...86_400).contains(reply.lifetime), "an answer is good for too long")
        }
    case UInt8(ascii: "b"):
        let order = PurchaseRequest(
            purchaseKey: key, productId: "a", quantity: 1,
            confirmedPrice: Money(thousandths: 990, currency: "USD"), applicationUsername: nil)
        if case .sold(let answer) = try await client.purchase(order, session: session) {
            try show(answer, client)
        }
    case UInt8(ascii: "q"):
        let answer = try await client.quote(QuoteRequest(productId: "a"), session: session)
        let charge = Texts.english.sentence(of: answer.notice, in: "en_US", "USD")
        Glance.frame("Confirm", [("Charge", charge ?? answer.charge.rawValue)])
        if let product = answer.product {
            Glance.products(
                ProductsAnswer(
                    storefront: "USA", storefrontId: "143441", products: [product], invalid: []))
        }
    case UInt8(ascii: "u"):
        try walk(try await client.unfinished(after: nil, session: session), client)
    case UInt8(ascii: "o"):
        let request = RestoreRequest(restoreKey: key, applicationUsername: nil)
        try walk(try await client.restore(request, session: session), client)
    case UInt8(ascii: "e"):
        let answer = try await client.events(after: 5, wait: 0, session: session)
        let news = try UnseenEvents(answer, after: 5)
        for event in news.events {
            _ = PurchaseKey(
                storePayment: event.id,
                deviceDigest: SHA256Digest.hex(Data(client.deviceID.utf8)))
        }
        for consent in news.consents {
            Glance.frame(
                consent.title,
                [
                    ("Price now", consent.currentPrice.formatted(locale: consent.locale)),
                    ("New price", consent.newPrice.formatted(locale: consent.locale)),
                ])
        }
    case UInt8(ascii: "h"):
        var walk = HistoryWalk()
        var hasMore = true
        while hasMore {
            let answer = try await client.history(after: walk.revision, session: session)
            let verifier = statements(revoked: answer.revokedCertificates?.serials ?? [])
            let page = answer.transactions.compactMap { signed in
                verifier.transaction(signed).map { (signed: signed, result: $0) }
            }
            hasMore = try walk.take(answer, page)
            for item in page { Glance.transaction(item.result) }
        }
    case UInt8(ascii: "g"):
        let answer = try await client.subscriptions(session: session)
        let verifier = statements(revoked: [])
        for item in answer.groups.flatMap(\.items) { Glance.status(item, verifier) }
    case UInt8(ascii: "x"):
        let answer = try await client.appTransaction(session: session)
        Glance.app(statements(revoked: []).appTransaction(answer.signedAppTransaction))
    case UInt8(ascii: "f"):
        let wanted = DeviceRefundRequest(reason: nil, comment: nil)
        try await client.requestRefund(
            of: TransactionID(number: 2_000_000_001), wanted, session: session)
    case UInt8(ascii: "r"):
        let request = RedemptionRequest(purchaseKey: key, code: "CODE")
        try show(try await client.redeem(request, session: session), client)
    case UInt8(ascii: "c"):
        try await shared.receiptFile.refresh(nil) {
            try await client.receipt($0, session: session)
        }
        _ = try OpenStoreReceipt.current(on: shared)
    case UInt8(ascii: "d"):
        let wanted = DownloadRequest(
            contentIdentifier: SampleAnswers.product, version: ContentVersion("1.0")!)
        let id = TransactionID(number: 2_000_000_001)
        let answer = try await client.download(wanted, of: id, session: session)
        let delivery = try client.verified(answer.signedDelivery, for: id, wanted)
        demand(delivery.downloadLength + delivery.manifestLength > 0, "lengths overflow")
    case UInt8(ascii: "a"):
        let prompt = try await client.ask(.redeem, session: session)
        if let url = URL(string: prompt.url) { _ = client.isPage(url) }
        _ = Date(milliseconds: prompt.expiresDate).milliseconds
        let answer = try await client.answer(to: prompt)
        Glance.frame(answer.code ?? "", [("State", answer.state.rawValue)])
        try await client.abandon(prompt)
    case UInt8(ascii: "i"):
        let device = try makeDevice(in: folder, FuzzStore(answers))
        let lookup = StorePageLookup(device: device)
        Glance.item(try await lookup.item(42, in: .unitedStates, referral: ItemReferral()))
        _ = try await lookup.ownPage()
    case UInt8(ascii: "v"):
        let page = try await client.itemPage(42, storefront: "USA", session: session)
        Glance.page(page)
        let reviews = try await client.itemReviews(42, sort: "a", page: 1, session: session)
        Glance.reviews(reviews)
        let review = ReviewRequest(rating: 5, title: "a", body: "b", nickname: "c")
        Glance.reviews(
            ItemReviewsAnswer(
                reviews: [try await client.writeReview(review, on: 42, session: session)],
                page: 1, pages: 1))
    default:
        var payload = answers
        let statement = try authority.signer.sign(payload.all())
        try show(TransactionAnswer(signedTransaction: statement, contents: []), client)
    }
}

private func statements(revoked: Set<String>) -> StatementVerifier {
    StatementVerifier(profile: profile, deviceID: shared.client.deviceID) { certificate in
        certificate.serial.map { revoked.contains($0.text) } ?? false
    }
}

private func walk(_ answer: TransactionsAnswer, _ client: StoreClient) throws {
    var walk = PageWalk()
    var seen: [TransactionID] = []
    for answer in answer.transactions {
        if let verified = try? client.verified(answer) {
            seen.append(verified.payload.transactionId)
            try show(answer, client)
        }
    }
    _ = try walk.take(seen, next: answer.next)
}

private let engine = PaymentEngine(callbacks: OpenStoreCallbackExecutor { $0() }) { shared }

private func show(_ answer: TransactionAnswer, _ client: StoreClient) throws {
    let verified = try client.verified(answer)
    let payload = verified.payload
    let entry = JournalEntry(
        key: JournalEntry.key(recovered: payload.transactionId),
        payment: JournaledPayment(payload), stage: .purchased(answer))
    demand(entry.isAnswered(by: payload), "a transaction is no answer to itself")
    let transaction = engine.transaction(entry, verified, shared)
    Glance.transaction(transaction)
}
