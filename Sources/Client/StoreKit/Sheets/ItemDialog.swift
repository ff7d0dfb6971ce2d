import FoundationNetworking
import StoreDelivery
import StoreModel
import StoreTexts
import StoreWire
import Synchronization

/// Shows an item on a terminal, and does what its customer chooses there: reads its reviews, buys
/// and downloads it, reviews it, shows another item.
struct ItemDialog: Sendable {
    let device: StoreDevice
    /// Opens the terminal.
    let place: @Sendable () -> Int32
    /// Opens a page in the browser.
    let open: @Sendable (URL) throws -> Void
    let texts: Texts
    var retry = RetryPolicy.standard

    private var isSandbox: Bool { device.profile.payload.environment == .sandbox }

    /// Shows the item until the customer is done.
    ///
    /// - Throws: what keeps the item from being shown. What goes wrong later is told to the
    ///   customer.
    func run(_ first: OpenStoreItem) async throws {
        var path: [(item: Int64, title: String)] = [(first.identifier, first.title)]
        var notice: String?
        while let current = path.last {
            let visit = ItemVisit(
                device: device, item: current.item,
                referral: path.count == 1 ? first.referral : ItemReferral(), retry: retry)
            let page: ItemPageAnswer
            do { page = try await visit.page() } catch {
                try Task.checkCancellation()
                guard path.count > 1 else { throw error }
                // Where another one can't be shown, the one before is.
                notice = sentence(error)
                path.removeLast()
                continue
            }
            path[path.count - 1].title = page.item.title
            let screen = ItemScreen(
                page: page, isSandbox: isSandbox,
                previous: path.count > 1 ? path[path.count - 2].title : nil, texts: texts)
            switch try await stay(on: screen, visit, notice) {
            case .done: return
            case .back: path.removeLast()
            case .item(let id): path.append((id, ""))
            case .again(let sentence):
                notice = sentence
                continue
            }
            notice = nil
        }
    }

    /// How somebody leaves what is shown.
    private enum Leaving: Sendable {
        case done, back
        case item(Int64)
        /// Something about it has changed, and this is to be said.
        case again(String)
    }

    /// Shows a page until something else is to be shown.
    private func stay(
        on screen: ItemScreen, _ visit: ItemVisit, _ notice: String?
    ) async throws -> Leaving {
        var isNew = true
        var notice = notice
        while true {
            let (showsPage, said) = (isNew, notice)
            (isNew, notice) = (false, nil)
            let choice = try await onTerminal { terminal in
                if showsPage { terminal.write(screen.text(columns: terminal.columns)) }
                if let said { terminal.write(said + "\n") }
                terminal.write(screen.menu)
                while let answer = terminal.ask(texts.chooseOnItem) {
                    if let choice = screen.choice(answer) { return choice }
                }
                return .done
            }
            do {
                switch choice {
                case .done: return .done
                case .back: return .back
                case .item(let id): return .item(id)
                case .description, .versions:
                    try await onTerminal { terminal in
                        terminal.write(screen.wholeText(choice, columns: terminal.columns))
                    }
                case .support: notice = try opened(screen.page.supportUrl)
                case .page: notice = try opened(screen.page.url)
                case .reviews: try await readReviews(screen.page.item.title, visit)
                case .download: notice = try await download(screen.page.customer?.file, visit)
                case .buy: return .again(try await buy(visit))
                case .writeReview: return .again(try await writeReview(visit))
                case .removeReview: return .again(try await removeReview(visit))
                }
            } catch {
                try Task.checkCancellation()
                return .again(sentence(error))
            }
        }
    }

    // MARK: What is chosen

    private func opened(_ address: String?) throws -> String? {
        guard let url = ItemScreen.address(address) else { return nil }
        try open(url)
        return texts.openedInBrowser(address: url.absoluteString)
    }

    /// Asks whether to buy, in the name of an account, and buys.
    ///
    /// - Returns: what is to be said.
    private func buy(_ visit: ItemVisit) async throws -> String {
        guard visit.mayBuy else { return texts.purchasesRestricted }
        let account = try await device.signedIn().email
        // Whoever has signed in now may have it, or buy elsewhere at another price.
        let page = try await visit.page()
        if page.customer?.isOwned == true { return texts.itemIsYours }
        if page.customer?.needsApproval == true { return texts.approvalHere }
        if page.obstacle != nil { return texts.obstacle(of: page) ?? "" }
        guard let price = page.item.price else { return texts.productNotSold }
        guard try await confirms(page, price, account) else { return texts.nothingBought }
        try await visit.buy(for: price, as: account)
        return texts.nowYours
    }

    private func confirms(
        _ page: ItemPageAnswer, _ price: Money, _ account: String
    ) async throws -> Bool {
        let storefront = StoreModel.Storefront.named(page.storefront) ?? .unitedStates
        let isFree = price.thousandths == 0
        let amount =
            isFree
            ? texts.freePrice
            : price.formatted(locale: texts.language.locale(in: storefront.locale))
        return try await onTerminal { terminal in
            var frame = SheetFrame(
                isFree ? texts.confirmFree : texts.confirmItem, columns: terminal.columns)
            frame.add([
                (texts.product, page.item.title), (texts.price, amount), (texts.account, account),
            ])
            if isSandbox { frame.add(texts.sandboxMark) }
            terminal.write(frame.text)
            return terminal.agrees(isFree ? texts.askGet : texts.askBuy, in: texts)
        }
    }

    private func readReviews(_ title: String, _ visit: ItemVisit) async throws {
        let orders = ItemReviewsAnswer.orders
        var (order, page) = (0, 1)
        var notice: String?
        while true {
            let answer = try await visit.reviews(sort: orders[order], page: page)
            let screen = ReviewsScreen(
                title: title, answer: answer, order: orders[order], texts: texts)
            let said = notice
            notice = nil
            let choice = try await onTerminal { terminal -> ReviewsScreen.Choice in
                terminal.write(screen.text(columns: terminal.columns))
                if let said { terminal.write(said + "\n") }
                terminal.write(screen.menu)
                while let typed = terminal.ask(texts.chooseOnReviews) {
                    if let choice = screen.choice(typed) { return choice }
                }
                return .done
            }
            switch choice {
            case .done: return
            case .next: page = answer.page + 1
            case .previous: page = answer.page - 1
            case .order: (order, page) = ((order + 1) % orders.count, 1)
            case .helps(let review):
                do {
                    try await visit.vote(true, on: review)
                    notice = texts.voteCounted
                } catch {
                    try Task.checkCancellation()
                    notice = sentence(error)
                }
            }
        }
    }

    private func writeReview(_ visit: ItemVisit) async throws -> String {
        try await device.signedIn()
        let page = try await visit.page()
        let own = page.customer?.review
        guard own != nil || page.customer?.mayReview == true else { return texts.gotItFirst }
        let before = own.map {
            ReviewRequest(
                rating: $0.rating, title: $0.title, body: $0.body, nickname: $0.nickname)
        }
        let review = try await onTerminal { terminal in
            var frame = SheetFrame(page.item.title, columns: terminal.columns)
            frame.add(own == nil ? texts.writeReview : texts.changeReview)
            if let own {
                frame.add([(Texts.stars(own.rating), own.title)])
                frame.add(lines: frame.wrapped(own.body))
                if own.state == "REJECTED" { frame.add(texts.reviewHidden) }
            }
            terminal.write(frame.text)
            return ReviewDialog(terminal: terminal, texts: texts).ask(changing: before)
        }
        guard let review else { return "" }
        return texts.saved(try await visit.write(review))
    }

    private func removeReview(_ visit: ItemVisit) async throws -> String {
        let agrees = try await onTerminal { $0.agrees(texts.askRemoveReview, in: texts) }
        guard agrees else { return "" }
        try await visit.removeReview()
        return texts.reviewGone
    }

    // MARK: Downloading

    /// Downloads the file while its progress is shown; Return stops it.
    private func download(_ file: WireItemFile?, _ visit: ItemVisit) async throws -> String? {
        guard let file else { return texts.nothingToFetch }
        let state = DownloadState()
        let task = Task {
            defer { state.end() }
            return try await ItemFileDownload(
                device: device, item: visit.item, file: file, retry: retry
            ).run { state.note($0) }
        }
        let total = texts.bytes(file.size)
        return try await withTaskCancellationHandler {
            let isStopped = try await onTerminal { terminal in
                terminal.follow {
                    let percent = state.percent(of: file.size)
                    return percent.map {
                        texts.downloadingFile(
                            file: file.name.terminalText(), done: "\($0) %", size: total)
                    }
                }
            }
            if isStopped { task.cancel() }
            do {
                let place = try await task.value
                return texts.downloadSaved(path: place.path)
            } catch {
                guard isStopped, !Task.isCancelled else { throw error }
                return texts.downloadStopped
            }
        } onCancel: {
            task.cancel()
        }
    }

    // MARK: Parts

    private func onTerminal<Answer: Sendable>(
        _ body: @escaping @Sendable (Terminal) -> Answer
    ) async throws -> Answer {
        try await Terminal.exclusiveUnlessCancelled(at: place, body)
    }

    /// What a customer reads of an error.
    private func sentence(_ error: any Error) -> String {
        switch error {
        case let error as WireError: error.sentence(in: texts)
        case let error as SKError: error.localizedDescription
        case DeliveryError.diskFull: texts.diskFull
        case is DeliveryError: texts.downloadDamaged
        case let error as NSError where error.domain == NSPOSIXErrorDomain:
            error.localizedDescription
        case is URLError: texts.storeAway
        case let error as CocoaError where error.code == .fileLocking: texts.downloadBusy
        default: error.localizedDescription
        }
    }
}

extension Texts {
    /// What is said when a review was written.
    func saved(_ review: WireReview) -> String {
        switch review.state {
        case "HELD": self.reviewHeld
        case "REJECTED": self.reviewHidden
        default: self.reviewSaved
        }
    }
}

/// How far a download is, for who looks at it from another thread.
private final class DownloadState: Sendable {
    private let state = Mutex<(bytes: Int64, isOver: Bool)>((0, false))

    func note(_ bytes: Int64) { state.withLock { $0.bytes = bytes } }
    func end() { state.withLock { $0.isOver = true } }

    /// Nil at the end.
    func percent(of size: Int64) -> Int? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            return size > 0 ? Int(clamping: Double(state.bytes) / Double(size) * 100) : 100
        }
    }
}
