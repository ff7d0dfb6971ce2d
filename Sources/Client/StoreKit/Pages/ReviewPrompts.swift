/// Decides when the customer is asked for a review, and asks.
///
/// Production: three times in 365 days at most, as at Apple. Sandbox: always.
struct ReviewPrompts: Sendable {
    let device: StoreDevice
    let now: @Sendable () -> Date

    /// How often the customer may be asked.
    private static let limit = 3
    private static let window: TimeInterval = 365 * 24 * 60 * 60

    /// When the customer was asked, seconds since 1970.
    private struct History: Codable {
        var prompts: [TimeInterval]
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
            "No review was asked for: the customer was asked \(Self.limit) times in 365 days.")
    }

    private func isAllowed(_ history: History?) -> Bool {
        device.profile.payload.environment == .sandbox
            || recent(history).count < Self.limit
    }

    private func recent(_ history: History?) -> [TimeInterval] {
        let first = now().timeIntervalSince1970 - Self.window
        return (history?.prompts ?? []).filter { $0 > first }
    }

    /// Takes one of the prompts that are left; nil where none is.
    private func claim() throws -> TimeInterval? {
        let time = now().timeIntervalSince1970
        return try record.update { history in
            guard isAllowed(history) else { return nil }
            history = History(prompts: recent(history) + [time])
            return time
        }
    }

    /// Gives a prompt back that nobody saw.
    private func withdraw(_ time: TimeInterval) throws {
        try record.update { history in
            if let index = history?.prompts.lastIndex(of: time) {
                history?.prompts.remove(at: index)
            }
        }
    }
}

extension OpenStorePage {
    /// The page with the query that Apple's pages open the review form with.
    fileprivate var forReview: OpenStorePage {
        let query = URLQueryItem(name: "action", value: "write-review")
        return OpenStorePage(title: title, url: url.appending(queryItems: [query]))
    }
}
