import Foundation

/// When a certificate is to be renewed.
enum RenewalRule {
    /// Clocks of devices differ a little from the store's.
    static let backdating: TimeInterval = 3600
    private static let day: TimeInterval = 86_400

    /// Whether less than a third of its life is left, and a new one would be valid for longer:
    /// at the end of the root's life nothing is.
    ///
    /// - Parameters:
    ///   - end: of the certificate, or of one above it that ends before.
    ///   - days: how long one is valid.
    ///   - ceiling: when the issuer's certificate ends.
    static func isDue(end: Date, days: Int, ceiling: Date, at date: Date) -> Bool {
        let life = TimeInterval(days) * day
        let attainable = min(date.addingTimeInterval(life - backdating), ceiling)
        return end.timeIntervalSince(date) < life / 3
            && attainable.timeIntervalSince(end) > day
    }
}
