import Foundation
import StoreModel
import Synchronization

/// Pages as they were last made, good for as long as the storefront's generation stays.
///
/// It keeps a bounded number of bytes: pages that were asked for again lately stay, others
/// go.
final class PageCache: Sendable {
    /// What a page depends on beside the generation.
    struct Key: Hashable, Sendable {
        let environment: StoreEnvironment
        /// Scheme and host, which stand in the page's links for programs.
        let origin: String
        let path: String
        /// The parts of the query that the page looks at, and what of the header it does.
        let variant: [String]
    }

    /// A page with what goes with it.
    struct Page: Sendable {
        let template: PageTemplate
        let status: Int
        let generation: Int64
        /// Of the page for customers whom nobody knows.
        let tag: String
    }

    private struct Shelf {
        var pages: [Key: Page] = [:]
        var size = 0
    }

    private struct Kept {
        /// What was asked for lately.
        var young = Shelf()
        /// What was asked for before, and goes next.
        var old = Shelf()
    }

    private let kept = Mutex(Kept())
    private let sizeLimit: Int

    /// - Parameter sizeLimit: the most bytes that it keeps, about.
    init(sizeLimit: Int = 64 << 20) {
        self.sizeLimit = sizeLimit
    }

    /// The page of a generation; nil where it has to be made.
    func page(_ key: Key, generation: Int64) -> Page? {
        kept.withLock { kept in
            if let page = kept.young.pages[key] {
                return page.generation == generation ? page : nil
            }
            guard let page = kept.old.pages[key], page.generation == generation else {
                return nil
            }
            add(page, key, to: &kept)
            return page
        }
    }

    func keep(_ page: Page, for key: Key) {
        guard page.template.size <= sizeLimit / 16 else { return }
        kept.withLock { add(page, key, to: &$0) }
    }

    /// Bytes that are kept, about.
    var size: Int { kept.withLock { $0.young.size + $0.old.size } }

    private func add(_ page: Page, _ key: Key, to kept: inout Kept) {
        let before = kept.young.pages.updateValue(page, forKey: key)?.template.size ?? 0
        kept.young.size += page.template.size - before
        guard kept.young.size > sizeLimit / 2 else { return }
        kept.old = kept.young
        kept.young = Shelf()
    }
}
