import Foundation
import StoreModel

/// Questions to customers, and the browsers that answered some.
package protocol PromptRepository {
    func prompt(_ id: PromptID) throws -> Prompt?
    func prompt(_ id: PromptID, secretDigest: Data) throws -> Prompt?
    func prompt(pageDigest: Data) throws -> Prompt?
    func insert(_ prompt: PromptDraft, pageDigest: Data, secretDigest: Data) throws -> Prompt
    /// Counts a password that is tried, and gives how many there were with it.
    func countAttempt(of id: PromptID) throws -> Int
    /// Records how a prompt ended. The schema refuses a second time.
    func record(_ ending: Prompt.Ending, of id: PromptID, at date: Date) throws
    /// Records when the page of an item counts as closed; nil where nothing speaks for that.
    func recordAbsence(from date: Date?, of id: PromptID) throws
    /// Records that the device gets its session.
    ///
    /// - Returns: whether it was the first time.
    func recordCollection(of id: PromptID, at date: Date) throws -> Bool
    /// Deletes prompts whose time was over before a date.
    func deletePrompts(endedBefore date: Date) throws

    func insertPageSession(tokenDigest: Data, account: AccountID, start: Date, end: Date) throws
    /// The account of a browser's session that has not ended.
    func pageSession(tokenDigest: Data, at date: Date) throws -> Account?
    func deletePageSession(tokenDigest: Data) throws
}

/// Hears that a prompt has ended, to wake whoever waits for it in this process.
package protocol PromptSignal: Sendable {
    func ended(_ id: PromptID)
}
