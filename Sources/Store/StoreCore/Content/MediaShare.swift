import Foundation
import StoreKernel
import StoreModel

/// How much of the disk a team takes in a day with pictures, sounds and films that are of no use: what
/// it replaces, deletes or sends in vain lies there until it is collected.
///
/// Each process counts by itself, for where the disk is the limit there is one. What a team keeps is
/// not counted.
package final class MediaShare: Sendable {
    private static let day: TimeInterval = 86_400

    private struct Waste: Sendable {
        var day: Date
        var bytes: Int64
    }

    private let rules: UploadRules
    private let free: @Sendable () throws -> Int64
    private let teams = Cache<Int64, Waste>(limit: 4096)

    /// - Parameter free: bytes of the disk.
    package init(rules: UploadRules = .store, free: @escaping @Sendable () throws -> Int64) {
        self.rules = rules
        self.free = free
    }

    /// - Parameter team: nil for the store's operators, who have no limit.
    /// - Throws: `ConnectRefusal` with the rule `mediaShare` where the team has used up its share.
    func check(_ team: Int64?, at now: Date) throws {
        guard let team, case let bytes = waste(of: team, at: now), bytes > 0 else { return }
        let share = rules.share(of: try free().clampedSum(bytes))
        guard bytes >= share else { return }
        throw ConnectRefusal(
            .tooMany, rule: "mediaShare",
            "The team has replaced, deleted or sent in vain \(bytes) bytes of pictures, sounds and "
                + "films today, which still lie on the store's disk.",
            help: "Send the rest tomorrow.")
    }

    /// Counts bytes that are of no use any more.
    func add(_ bytes: Int64, of team: Int64?, at now: Date) {
        guard let team, bytes > 0 else { return }
        let sum = waste(of: team, at: now).clampedSum(bytes)
        teams.insert(Waste(day: Self.day(of: now), bytes: sum), for: team)
    }

    private func waste(of team: Int64, at now: Date) -> Int64 {
        guard let waste = teams.value(for: team), waste.day == Self.day(of: now) else { return 0 }
        return waste.bytes
    }

    private static func day(of now: Date) -> Date {
        Date(timeIntervalSince1970: (now.timeIntervalSince1970 / day).rounded(.down) * day)
    }
}
