import StoreModel

/// How long a copy of an HTTP answer may be used without asking, by RFC 9111.
///
/// A value: time comes in. There is no guessing where the server says nothing: such a copy
/// is asked about each time.
struct HTTPFreshness: Codable, Sendable, Hashable {
    /// The fields of the answer that decide, as they came.
    var cacheControl: String?
    var expires: String?
    var date: String?
    var age: String?
    var vary: String?
    /// When the request left and when the answer was there, by the device's clock.
    var requestTime: Date
    var responseTime: Date

    /// Whether the answer must not be kept.
    var forbidsStorage: Bool { directives.keys.contains("no-store") }

    /// Whether an old copy must not be used even when the server can't be reached.
    var forbidsStaleUse: Bool {
        directives.keys.contains("must-revalidate") || directives.keys.contains("no-cache")
    }

    /// Whether the copy can be used without asking.
    func isFresh(at now: Date) -> Bool {
        guard now >= responseTime else { return false }  // The clock was set back.
        guard !directives.keys.contains("no-cache"), vary?.contains(scalar: "*") != true else {
            return false
        }
        return lifetime > currentAge(at: now)
    }

    /// Seconds that the answer is good for since it was made (section 4.2.1).
    private var lifetime: TimeInterval {
        if let maxAge = directives["max-age"] {
            // A value that can't be read means stale (section 4.2.1).
            return Self.seconds(maxAge) ?? 0
        }
        guard let expires, let end = HTTPDate.parse(expires) else { return 0 }
        return end.timeIntervalSince(date.flatMap(HTTPDate.parse) ?? responseTime)
    }

    /// Seconds since the answer was made (section 4.2.3).
    private func currentAge(at now: Date) -> TimeInterval {
        let made = date.flatMap(HTTPDate.parse) ?? responseTime
        let apparent = max(0, responseTime.timeIntervalSince(made))
        let corrected =
            (age.flatMap(Self.seconds) ?? 0) + max(0, responseTime.timeIntervalSince(requestTime))
        return max(apparent, corrected) + now.timeIntervalSince(responseTime)
    }

    /// The directives of `Cache-Control` by their lower-case names; the first of a name counts.
    private var directives: [String: String] {
        var found: [String: String] = [:]
        for part in (cacheControl ?? "").split(scalar: ",") {
            let pair = part.split(scalar: "=", maxSplits: 1)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard let name = pair.first?.lowercased(), found[name] == nil else { continue }
            found[name] = pair.count == 2 ? pair[1] : ""
        }
        return found
    }

    /// Delta seconds, at most a year; nil for anything else than digits, which may be quoted.
    private static func seconds(_ text: String) -> TimeInterval? {
        let digits = text.trimmingCharacters(in: .whitespaces.union(["\""]))
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        // More digits than fit mean "for ever".
        return min(Int(digits).map(TimeInterval.init) ?? .infinity, 31_536_000)
    }
}
