import Foundation
import StoreModel
import Synchronization

/// How much of the disk a team takes in a day with pictures, sounds and films that are of no use: what
/// it replaces, deletes or sends in vain lies there until it is collected.
///
/// Each process counts by itself, for where the disk is the limit there is one. What a team keeps is
/// not counted.
package final class MediaShare: Sendable {
    private static let day: TimeInterval = 86_400

    private struct Waste {
        var day: Date
        var bytes: Int64 = 0
    }

    private let rules: UploadRules
    private let free: @Sendable () throws -> Int64
    private let teams = Mutex<[Int64: Waste]>([:])

    /// - Parameter free: bytes of the disk.
    package init(
        rules: UploadRules = .store, free: @escaping @Sendable () throws -> Int64
    ) {
        self.rules = rules
        self.free = free
    }

    /// - Parameter team: nil for the store's own people, who are not counted.
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
        let day = Self.day(of: now)
        teams.withLock { teams in
            var waste = teams[team] ?? Waste(day: day)
            if waste.day != day { waste = Waste(day: day) }
            waste.bytes = waste.bytes.clampedSum(bytes)
            teams[team] = waste
        }
    }

    private func waste(of team: Int64, at now: Date) -> Int64 {
        teams.withLock { $0[team].flatMap { $0.day == Self.day(of: now) ? $0.bytes : nil } ?? 0 }
    }

    private static func day(of now: Date) -> Date {
        Date(timeIntervalSince1970: (now.timeIntervalSince1970 / day).rounded(.down) * day)
    }
}
