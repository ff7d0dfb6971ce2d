import StoreCore
import StoreKit

extension SKTestSession {
    /// How fast time passes for subscriptions.
    ///
    /// With ``realTime`` periods are as long as the calendar has them, and the session's clock
    /// stands: a test moves it with ``SKTestSession/openStoreAdvance(by:)``. With every other rate periods
    /// take as long as Apple's table says, and the clock runs.
    public enum TimeRate: Int, Sendable {
        /// Periods as the calendar has them.
        case realTime = 0
        /// A day takes an hour.
        case oneHourIsOneDay = 1
        /// A day takes half an hour.
        case thirtyMinutesIsOneDay = 2
        /// A day takes five minutes.
        case fiveMinutesIsOneDay = 3
        /// A day takes a minute.
        case oneMinuteIsOneDay = 4
        /// A day takes half a minute.
        case thirtySecondsIsOneDay = 5
        /// A day takes a second.
        case oneSecondIsOneDay = 6
        /// A month takes an hour, and a week fifteen minutes.
        case monthlyRenewalEveryHour = 10
        /// A month takes half an hour, and a week ten minutes.
        case monthlyRenewalEveryThirtyMinutes = 11
        /// A month takes fifteen minutes, and a week five.
        case monthlyRenewalEveryFifteenMinutes = 12
        /// A month takes five minutes, and a week three.
        case monthlyRenewalEveryFiveMinutes = 13
        /// A month takes half a minute, and a week ten seconds.
        case monthlyRenewalEveryThirtySeconds = 15
        /// Every period takes fifteen minutes.
        case oneRenewalEveryFifteenMinutes = 1000
        /// Every period takes five minutes.
        case oneRenewalEveryFiveMinutes = 1001
        /// Every period takes a minute.
        case oneRenewalEveryMinute = 1002
        /// Every period takes half a minute.
        case oneRenewalEveryThirtySeconds = 1003
        /// Every period takes ten seconds.
        case oneRenewalEveryTenSeconds = 1004
        /// Every period takes two seconds.
        case oneRenewalEveryTwoSeconds = 1005
    }
}

extension SKTestSession.TimeRate {
    private static let minute: TimeInterval = 60
    private static let hour: TimeInterval = 3600

    /// How long periods last at the rate.
    var schedule: RenewalSchedule {
        switch self {
        case .realTime: .calendar
        case .oneHourIsOneDay: Self.day(Self.hour)
        case .thirtyMinutesIsOneDay: Self.day(30 * Self.minute)
        case .fiveMinutesIsOneDay: Self.day(5 * Self.minute)
        case .oneMinuteIsOneDay: Self.day(Self.minute)
        case .thirtySecondsIsOneDay: Self.day(30)
        case .oneSecondIsOneDay: Self.day(1)
        case .monthlyRenewalEveryHour: Self.month(Self.hour, week: 15 * Self.minute)
        case .monthlyRenewalEveryThirtyMinutes:
            Self.month(30 * Self.minute, week: 10 * Self.minute)
        case .monthlyRenewalEveryFifteenMinutes:
            Self.month(15 * Self.minute, week: 5 * Self.minute)
        case .monthlyRenewalEveryFiveMinutes: Self.month(5 * Self.minute, week: 3 * Self.minute)
        case .monthlyRenewalEveryThirtySeconds: Self.month(30, week: 10)
        case .oneRenewalEveryFifteenMinutes: Self.each(15 * Self.minute)
        case .oneRenewalEveryFiveMinutes: Self.each(5 * Self.minute)
        case .oneRenewalEveryMinute: Self.each(Self.minute)
        case .oneRenewalEveryThirtySeconds: Self.each(30)
        case .oneRenewalEveryTenSeconds: Self.each(10)
        case .oneRenewalEveryTwoSeconds: Self.each(2)
        }
    }

    private static func day(_ length: TimeInterval) -> RenewalSchedule {
        .stated(StatedPeriods(week: 7 * length, month: 30 * length, year: 365 * length))
    }

    private static func month(_ length: TimeInterval, week: TimeInterval) -> RenewalSchedule {
        .stated(StatedPeriods(week: week, month: length, year: 12 * length))
    }

    private static func each(_ length: TimeInterval) -> RenewalSchedule {
        .stated(StatedPeriods(each: length))
    }
}
