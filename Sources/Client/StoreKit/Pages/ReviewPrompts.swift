import StoreTexts
import StoreWire

/// Decides when the customer is asked for a review, and asks.
///
/// Production: three times in 365 days at most for each version of the app. Sandbox: always.
struct ReviewPrompts: Sendable {
    let device: StoreDevice
    /// Of the app, as its customers know it.
    let version: String
    let now: @Sendable () -> Date
    var texts = Texts.device
    var retry = RetryPolicy.standard

    /// How often the customer may be asked.
    private static let limit = 3
    private static let window: TimeInterval = 365 * 24 * 60 * 60

    /// When the customer was asked, seconds since 1970.
    private struct History: Codable {
        /// Without a version, as the framework wrote it before it counted by version: these
        /// count for all.
        var prompts: [TimeInterval]?
        var byVersion: [String: [TimeInterval]]?
    }

    private var record: DeviceRecord<History> { DeviceRecord("reviews", of: device) }

    /// So often an answer that the store does not take is asked for anew.
    private static let answers = 3

    /// Asks the customer for a review, and writes it, unless they were asked often enough. What
    /// stands in the way goes to the log.
    func request() async {
        do {
            guard try isAllowed(record.read()) else { return refuse() }
            let (item, page) = try await StorePageLookup(device: device).ownPage()
            let visit = ItemVisit(device: device, item: item, retry: retry)
            var question = OpenStoreReviewQuestion(
                isSandbox: device.profile.payload.environment == .sandbox, title: page.title,
                itemIdentifier: item, page: page.forReview(texts))
            // Whoever is signed in has perhaps written one, which is changed then.
            if device.noticeSession() != nil {
                question.before = try await visit.page().customer?.review.map {
                    ReviewRequest(
                        rating: $0.rating, title: $0.title, body: $0.body, nickname: $0.nickname)
                }
            }
            guard let time = try claim() else { return refuse() }
            let review: OpenStoreReview?
            do { review = try await device.sheet.review(question) } catch {
                try withdraw(time)
                throw error
            }
            try await write(review, visit, question)
        } catch {
            device.log("No review was asked for: \(error.localizedDescription)")
        }
    }

    /// Writes what the customer answered; asks again where the store does not take it.
    private func write(
        _ review: OpenStoreReview?, _ visit: ItemVisit, _ question: OpenStoreReviewQuestion
    ) async throws {
        var (review, question) = (review, question)
        for attempt in 1...Self.answers {
            guard let answer = review else { return }
            let request = ReviewRequest(
                rating: answer.stars, title: answer.title, body: answer.text,
                nickname: answer.nickname)
            do {
                try await visit.write(request)
                return
            } catch let error as WireError
                where error.code == .reviewMalformed || error.code == .itemNotOwned
            {
                guard attempt < Self.answers else { throw error }
                question.problem =
                    error.code == .itemNotOwned ? texts.gotItFirst : error.sentence(in: texts)
                question.before = request
                review = try await device.sheet.review(question)
            }
        }
    }

    private func refuse() {
        device.log(
            "No review was asked for: the customer was asked \(Self.limit) times in 365 days "
                + "about the version \(version).")
    }

    private func isAllowed(_ history: History?) -> Bool {
        device.profile.payload.environment == .sandbox
            || recent(history?.byVersion?[version]).count + recent(history?.prompts).count
                < Self.limit
    }

    private func recent(_ times: [TimeInterval]?) -> [TimeInterval] {
        let first = now().timeIntervalSince1970 - Self.window
        return (times ?? []).filter { $0 > first }
    }

    /// Takes one of the prompts that are left; nil where none is.
    private func claim() throws -> TimeInterval? {
        let time = now().timeIntervalSince1970
        return try record.update { history in
            guard isAllowed(history) else { return nil }
            let undated = recent(history?.prompts)
            var byVersion = (history?.byVersion ?? [:]).mapValues(recent)
                .filter { !$0.value.isEmpty }
            byVersion[version, default: []].append(time)
            history = History(prompts: undated.isEmpty ? nil : undated, byVersion: byVersion)
            return time
        }
    }

    /// Gives a prompt back that nobody saw.
    private func withdraw(_ time: TimeInterval) throws {
        try record.update { history in
            if let index = history?.byVersion?[version]?.lastIndex(of: time) {
                history?.byVersion?[version]?.remove(at: index)
            }
        }
    }
}

extension OpenStorePage {
    /// The page with the query that Apple's pages open the review form with.
    fileprivate func forReview(_ texts: Texts) -> OpenStorePage {
        let query = URLQueryItem(name: "action", value: "write-review")
        return OpenStorePage(
            title: texts.rateApp(app: title), url: url.appending(queryItems: [query]))
    }
}
