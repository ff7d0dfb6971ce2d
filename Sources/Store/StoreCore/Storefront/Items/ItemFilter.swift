import Foundation
import StoreModel

/// Which items a publisher wants to see.
package struct ItemFilter: Sendable, Hashable {
    package var kinds: Set<ItemKind>
    package var states: Set<ItemState>
    /// A part of a title, in any case.
    package var search: String?

    package init(kinds: Set<ItemKind> = [], states: Set<ItemState> = [], search: String? = nil) {
        self.kinds = kinds
        self.states = states
        self.search = search
    }
}
