import StoreKit
import StoreModel

/// The demo's app. It sells book chapters and credits, and it uses nothing but the public
/// API of StoreKit.
struct BookshopApp {
    private static let chapter = "com.example.bookshop.chapter1"
    private static let credits = "com.example.bookshop.credits5"
    private static let misspelled = "com.example.bookshop.chaptre1"
    private static let identifiers: Set<String> = [
        chapter, "com.example.bookshop.chapter2", credits, "com.example.bookshop.credits10",
    ]

    private let settings: DemoSettings
    private let output: Output
    private let events = BookshopEvents()

    init(settings: DemoSettings, output: Output) {
        self.settings = settings
        self.output = output
        OpenStore.sheet = BookshopSheet(settings: settings, output: output)
        // The scenarios show the reasons themselves.
        OpenStore.log = { _ in }
    }

    // MARK: Scenarios

    /// Shows what is for sale, and what happens with a misspelled identifier.
    func browse() async throws {
        let storefront = try await OpenStore.signIn()
        output.line("  Storefront \(storefront.countryCode) (\(storefront.identifier))")
        let response = try await products(Self.identifiers.union([Self.misspelled]))
        var table = Table(["TITLE", "DESCRIPTION", "PRICE", "DOWNLOAD"], rightAligned: [2, 3])
        for product in response.products {
            let size = product.downloadContentLengths.first?.int64Value
            table.rows.append([
                product.localizedTitle, product.localizedDescription, price(of: product),
                size.map(formattedBytes) ?? "-",
            ])
        }
        output.write(table.text(on: output, indent: "  "))
        for invalid in response.openStoreInvalidProducts {
            output.line(
                "  " + output.styled("invalid", .yellow)
                    + "  \(invalid.productIdentifier) (\(invalid.reason))")
            output.line("           \(invalid.message)")
        }
    }

    /// Buys a chapter, downloads and installs it, and buys credits.
    func buy() async throws {
        SKPaymentQueue.default().add(events)
        let response = try await products([Self.chapter, Self.credits])
        var reports: [DemoReport] = []
        for (identifier, quantity) in [(Self.chapter, 1), (Self.credits, 3)] {
            guard
                let product = response.products.first(where: { $0.productIdentifier == identifier })
            else { throw DemoFailure(description: "\(identifier) is not for sale") }
            let payment = SKMutablePayment(product: product)
            payment.quantity = quantity
            SKPaymentQueue.default().add(payment)
            if let report = try await deliver(payment, title: product.localizedTitle) {
                reports.append(report)
            }
        }
        try JSONEncoder().encode(reports).write(to: URL(fileURLWithPath: settings.report))
    }

    /// Restores on a device that has nothing.
    func restore() async throws {
        SKPaymentQueue.default().add(events)
        SKPaymentQueue.default().restoreCompletedTransactions()
        var restored: [SKPaymentTransaction] = []
        for await event in events.stream {
            switch event {
            case .updated(let transactions):
                restored += transactions.filter { $0.state == .restored }.map(\.transaction)
            case .restoreFailed(let error):
                throw error
            case .restored:
                for transaction in restored {
                    output.line(
                        "  Restored \(transaction.payment.productIdentifier), first bought as "
                            + "\(transaction.original?.transactionIdentifier ?? "?")")
                    let sizes = transaction.downloads.map {
                        formattedBytes($0.expectedContentLength)
                    }
                    output.line(
                        "  Its content (\(sizes.joined(separator: ", "))) can be fetched whenever the "
                            + "reader opens it; nothing was downloaded.")
                    SKPaymentQueue.default().finishTransaction(transaction)
                }
                if restored.isEmpty { output.line("  There is nothing to restore.") }
                try await removal(of: restored.count)
                return
            default: continue
            }
        }
    }

    // MARK: Steps

    private func products(_ identifiers: Set<String>) async throws -> SKProductsResponse {
        let request = SKProductsRequest(productIdentifiers: identifiers)
        request.delegate = events
        request.start()
        for await event in events.stream {
            switch event {
            case .products(let response): return response
            case .requestFailed(let error): throw error
            default: continue
            }
        }
        throw CancellationError()
    }

    /// Sees a payment through to its end; nil where the customer declined.
    private func deliver(_ payment: SKPayment, title: String) async throws -> DemoReport? {
        var report: DemoReport?
        let bar = ProgressBar("  Downloading", output: output)
        for await event in events.stream {
            switch event {
            case .updated(let transactions):
                for told in transactions
                where told.transaction.payment.productIdentifier == payment.productIdentifier {
                    let transaction = told.transaction
                    switch told.state {
                    case .purchased:
                        output.line(
                            "  Purchased \(transaction.payment.quantity) × \(title), transaction "
                                + (transaction.transactionIdentifier ?? "?"))
                        report = transaction.openStoreSignature.map { signature in
                            DemoReport(
                                transactionIdentifier: transaction.transactionIdentifier ?? "",
                                jws: signature.jws,
                                signedDate: signature.signedDate.formatted(.iso8601),
                                rootFingerprint: signature.rootFingerprint)
                        }
                        if transaction.downloads.isEmpty {
                            SKPaymentQueue.default().finishTransaction(transaction)
                        } else {
                            SKPaymentQueue.default().start(transaction.downloads)
                        }
                    case .failed:
                        if (transaction.error as? SKError)?.code != .paymentCancelled {
                            throw transaction.error ?? SKError(.unknown)
                        }
                        output.line("  Declined; nothing was charged.")
                        SKPaymentQueue.default().finishTransaction(transaction)
                    default: continue
                    }
                }
            case .downloads(let downloads):
                for told in downloads {
                    let download = told.download
                    let length = download.expectedContentLength
                    switch told.state {
                    case .active:
                        bar.show(
                            Int64(Double(length) * Double(told.progress)), of: length,
                            remaining: told.timeRemaining)
                    case .finished:
                        bar.finish(length)
                        try install(download)
                        SKPaymentQueue.default().finishTransaction(download.transaction)
                    case .failed: throw download.error ?? SKError(.unknown)
                    default: continue
                    }
                }
            case .removed:
                return report
            default: continue
            }
        }
        throw CancellationError()
    }

    /// Moves the content to a place of the app's own, and shows how it begins.
    private func install(_ download: SKDownload) throws {
        guard let source = download.contentURL?.appendingPathComponent("Contents") else { return }
        let target = URL(fileURLWithPath: settings.library)
            .appendingPathComponent(download.contentIdentifier)
            .appendingPathComponent(download.contentVersion)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.moveItem(at: source, to: target)
        output.line("  Installed version \(download.contentVersion) in \(target.path)")
        for name in try FileManager.default.contentsOfDirectory(atPath: target.path).sorted() {
            let file = target.appendingPathComponent(name)
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int64
            output.line("    \(name)  \(formattedBytes(size ?? 0))")
        }
        let text = try String(
            contentsOf: target.appendingPathComponent("chapter.txt"), encoding: .utf8)
        let lines = text.split(scalar: "\n", omittingEmptySubsequences: true).prefix(4)
        for line in lines { output.line(output.styled("    │ \(line)", .cyan)) }
    }

    /// Waits until so many transactions have left the queue.
    private func removal(of count: Int) async throws {
        var left = count
        guard left > 0 else { return }
        for await event in events.stream {
            if case .removed(let transactions) = event { left -= transactions.count }
            if left <= 0 { return }
        }
    }

    private func price(of product: SKProduct) -> String {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = product.priceLocale
        return formatter.string(from: product.price) ?? "\(product.price)"
    }
}
