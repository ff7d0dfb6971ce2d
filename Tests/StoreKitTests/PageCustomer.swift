import Foundation
import FoundationNetworking
@testable import StoreKit
import StoreTestSupport
import Synchronization
import Testing

/// A customer who answers whatever page the sheet opens, in a browser of their own.
final class PageCustomer: Sendable {
    typealias Decision = @Sendable (PageBrowser.Page) -> (answer: String, fields: [String: String])

    let browser: PageBrowser
    private let answers: Bool
    private let overdue: @Sendable () async throws -> Void
    private let lost: @Sendable () -> Void
    private let decision: Mutex<Decision>
    private let device = Mutex<StoreDevice?>(nil)
    private let seen = Mutex<(urls: [String], pages: [PageBrowser.Page])>(([], []))

    /// - Parameters:
    ///   - answers: whether pages are looked at, at all.
    ///   - overdue: returns when a page has been open for too long.
    ///   - lost: hears that the sheet has opened what is no page, or one with nothing to answer.
    init(
        _ store: TestStore, answers: Bool = true,
        overdue: @escaping @Sendable () async throws -> Void = {
            try await Task.sleep(for: .seconds(3600))
        }, lost: @escaping @Sendable () -> Void = {}, decide: @escaping Decision
    ) {
        browser = PageBrowser(port: store.server.port)
        self.answers = answers
        self.overdue = overdue
        self.lost = lost
        decision = Mutex(decide)
    }

    /// The sheet whose pages are answered, for the device that is served.
    var sheet: OpenStoreBrowserSheet {
        OpenStoreBrowserSheet(
            opening: { url in self.open(url) },
            device: { try #require(self.device.withLock { $0 }) },
            retry: RetryPolicy(
                attempts: 4, longDelay: .milliseconds(1),
                sleep: { [overdue] duration in
                    // What the sheet waits a quarter of an hour for, a test says.
                    guard duration < .seconds(60) else { return try await overdue() }
                    await Task.yield()
                },
                idle: {},
                jitter: { 0 }))
    }

    func serve(_ device: StoreDevice) { self.device.withLock { $0 = device } }
    func decide(_ decide: @escaping Decision) { decision.withLock { $0 = decide } }

    var urls: [String] { seen.withLock { $0.urls } }
    /// The headings of the pages that were opened.
    var titles: [String] {
        seen.withLock { seen in
            seen.pages.map { page in
                page.text.firstMatch(of: /<h1>([^<]*)<\/h1>/).map { String($0.1) } ?? ""
            }
        }
    }
    var passwordFields: [Bool] {
        seen.withLock { $0.pages.map { $0.fields["password"] != nil } }
    }
    var words: String { seen.withLock { $0.pages.map(\.words).joined() } }

    /// Waits until so many pages were to be opened.
    func untilAsked(_ count: Int) async throws { try await until { urls.count >= count } }

    private func open(_ url: URL) {
        seen.withLock { $0.urls.append(url.absoluteString) }
        guard answers else { return }
        // As a browser does it: beside the app, which waits.
        Task {
            guard var page = try? await browser.open(url.absoluteString), !page.buttons.isEmpty
            else { return lost() }
            seen.withLock { $0.pages.append(page) }
            var isOld = false
            repeat {
                let (answer, fields) = decision.withLock { $0 }(page)
                page = try await browser.submit(page, answer, fields)
                // What happens on another page of the browser meanwhile can make a form old.
                isOld = page.status >= 400 && page.status != 422
                if isOld { page = try await browser.open(url.absoluteString) }
                if page.buttons.isEmpty, isOld { return lost() }
                // What an item's page shows after buying is a page with buttons too.
            } while page.status == 422 || page.buttons.contains("done") || isOld
        }
    }
}

extension TestStore {
    /// Waits until a sheet waits for what its customer does on a page.
    func untilPrompted() async throws {
        try await until { store.services.promptWaiters.count > 0 }
    }
}
