import Foundation
import StoreModel

/// Messages to subscribers, what they show, and where the next one is asked for.
package protocol RetentionRepository {
    func image(_ id: RetentionID, of scope: ServerScope) throws -> RetentionImage?
    /// The oldest first.
    func images(of scope: ServerScope) throws -> [RetentionImage]
    func imageCount(of scope: ServerScope) throws -> Int
    func insert(_ image: RetentionImage, of scope: ServerScope) throws
    func deleteImage(_ id: RetentionID, of scope: ServerScope) throws
    /// Whether a message shows an image.
    func isImageInUse(_ id: RetentionID, of scope: ServerScope) throws -> Bool

    func message(_ id: RetentionID, of scope: ServerScope) throws -> RetentionMessage?
    /// The oldest first.
    func messages(of scope: ServerScope) throws -> [RetentionMessage]
    func messageCount(of scope: ServerScope) throws -> Int
    /// Adds a message; the schema refuses one whose images there are not.
    func insert(_ message: RetentionMessage, of scope: ServerScope) throws
    /// Deletes a message; where it was the default, there is none any more.
    func deleteMessage(_ id: RetentionID, of scope: ServerScope) throws

    /// What waits for the store's staff, the oldest first.
    func submissions(limit: Int) throws -> [RetentionSubmission]
    /// A message or an image, whatever its state.
    func submission(_ number: RetentionNumber) throws -> RetentionSubmission?
    func set(_ state: RetentionState, of number: RetentionNumber) throws

    func defaultMessage(
        for product: ProductID, _ locale: ConnectLocale, of scope: ServerScope
    ) throws -> RetentionID?
    func setDefaultMessage(
        _ id: RetentionID, for product: ProductID, _ locale: ConnectLocale, of scope: ServerScope
    ) throws
    /// - Returns: false where there was none.
    func deleteDefaultMessage(
        for product: ProductID, _ locale: ConnectLocale, of scope: ServerScope
    ) throws -> Bool

    func realtimeURL(of scope: ServerScope) throws -> String?
    /// - Parameter url: nil takes it away.
    func setRealtimeURL(_ url: String?, of scope: ServerScope, at date: Date) throws

    func insert(_ test: PerformanceTest) throws
    func performanceTest(_ id: String, of scope: ServerScope) throws -> PerformanceTest?
    /// Whether one of an app is not at its end.
    func isTestRunning(of scope: ServerScope) throws -> Bool
    func hasPassedTest(_ app: AppID) throws -> Bool
    /// The oldest test that is not at its end, and that nobody runs.
    func waitingTest(at date: Date) throws -> PerformanceTest?
    /// Keeps a test from being run by somebody else for a while.
    func take(_ test: PerformanceTest, until: Date) throws
    /// Records how many requests were sent, and how a test ended.
    ///
    /// - Returns: whether it still runs, and was taken until that date by nobody else since.
    func update(_ test: PerformanceTest, takenUntil end: Date) throws -> Bool
}
