import Synchronization

/// Tells observers of downloads that have changed.
///
/// A change waits for its turn on the callback executor. One call names all downloads that have
/// changed by then, each with one change: no state is passed over.
final class DownloadUpdates: Sendable {
    /// Changes what apps see of a download. False where observers do not hear of it.
    typealias Change = @Sendable (inout SKDownload.Status) -> Bool

    private struct Update: Sendable {
        let download: SKDownload
        let change: Change
    }

    private let waiting = Mutex<[Update]>([])
    /// Downloads that have changed when there was no observer.
    private let unheard = Mutex<[SKDownload]>([])
    private let list: ObserverList

    init(list: ObserverList) {
        self.list = list
    }

    /// Changes a download and tells observers.
    func tell(_ download: SKDownload, _ change: @escaping Change) {
        add(download, change)
        announce()
    }

    /// The same for a change that ``announce()`` makes and tells. It calls nothing of the app.
    func add(_ download: SKDownload, _ change: @escaping Change) {
        waiting.withLock { $0.append(Update(download: download, change: change)) }
    }

    /// Makes and tells what was added, after all that the executor was given before.
    func announce() { tell { [self] in change() } }

    /// Tells the first observer of downloads that have changed when there was none.
    func showUnheard() {
        tell { [self] in
            let changed = unheard.withLock { unheard in
                defer { unheard = [] }
                return unheard
            }
            return changed.isEmpty ? nil : changed
        }
    }

    /// No observer that comes later hears of a download whose transaction is finished.
    func forget(_ download: SKDownload) {
        list.notify(if: { [self] in
            unheard.withLock { $0.removeAll { $0 === download } }
            return false
        }) { _, _ in }
    }

    private func tell(_ change: @escaping @Sendable () -> [SKDownload]?) {
        list.notify(
            of: change,
            unheard: { [self] changed in
                unheard.withLock { unheard in
                    for download in changed where !unheard.contains(where: { $0 === download }) {
                        unheard.append(download)
                    }
                }
            }
        ) { changed, observer, queue in
            observer.paymentQueue(queue, updatedDownloads: changed)
        }
    }

    /// Makes the changes that wait, up to the second one of a download; the others have their turn
    /// after it.
    ///
    /// - Returns: the downloads of which observers hear, once each; nil where there are none.
    private func change() -> [SKDownload]? {
        let (next, isLast) = waiting.withLock { waiting in
            var taken: Set<ObjectIdentifier> = []
            let next = Array(
                waiting.prefix { taken.insert(ObjectIdentifier($0.download)).inserted })
            waiting.removeFirst(next.count)
            return (next, waiting.isEmpty)
        }
        if !isLast { announce() }
        let changed = next.filter { $0.download.update($0.change) }.map(\.download)
        return changed.isEmpty ? nil : changed
    }
}
