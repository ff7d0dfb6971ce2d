import Foundation
import StoreModel

/// Hears that a prompt has ended, to wake whoever waits for it in this process.
package protocol PromptSignal: Sendable {
    func ended(_ id: PromptID)
}
