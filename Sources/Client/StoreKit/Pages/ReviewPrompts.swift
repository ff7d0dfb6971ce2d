/// Decides when the customer is asked for a review, and asks.
///
/// Production: three times in 365 days at most for each version of the app. Sandbox: always.
struct ReviewPrompts: Sendable {
    let device: StoreDevice
    /// Of the app, as its customers know it.
    let version: String
    let now: @Sendable () -> Date

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

    /// Shows the store's page of the app, at the place where reviews are written, unless the
    /// customer was asked often enough. What stands in the way goes to the log.
    func request() async {
        do {
            guard try isAllowed(record.read()) else { return refuse() }
            let page = try await StorePageLookup(device: device).ownPage()
            guard let time = try claim() else { return refuse() }
            do { try await device.sheet.show(page.forReview) } catch {
                try withdraw(time)
                throw error
            }
        } catch {
            device.log("No review was asked for: \(error.localizedDescription)")
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
    fileprivate var forReview: OpenStorePage {
        let query = URLQueryItem(name: "action", value: "write-review")
        return OpenStorePage(title: "Rate “\(title)”", url: url.appending(queryItems: [query]))
    }
}
