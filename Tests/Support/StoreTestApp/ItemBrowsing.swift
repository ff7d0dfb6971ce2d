import Foundation
import FoundationNetworking
import StoreKit

/// What an app does that shows items of the store, with nothing but public API: asks at the terminal
/// what to search for, shows the item that is chosen, and is there again when the customer is done.
@MainActor enum ItemBrowsing {
    static func run() async throws {
        let delegate = Delegate()
        while let words = ask("Search: "), !words.isEmpty {
            for item in try await search(words) { say("\(item.trackId) \(item.trackName)") }
            guard let number = ask("Apple ID: ").flatMap({ Int64($0) }) else { continue }
            let controller = SKStoreProductViewController()
            controller.delegate = delegate
            do {
                try await controller.loadProduct(withParameters: [
                    SKStoreProductParameterITunesItemIdentifier: NSNumber(value: number)
                ])
                try await controller.openStorePresent()
            } catch {
                say("error \(error.localizedDescription)")
            }
        }
        say("done")
    }

    private static func ask(_ question: String) -> String? {
        FileHandle.standardOutput.write(Data(question.utf8))
        return readLine()
    }

    private struct Item: Decodable {
        let trackId: Int64
        let trackName: String
    }

    private static func search(_ words: String) async throws -> [Item] {
        struct Answer: Decodable { let results: [Item] }
        let address = try OpenStore.address().appending(path: "search").appending(queryItems: [
            URLQueryItem(name: "term", value: words), URLQueryItem(name: "media", value: "ebook"),
        ])
        let (data, _) = try await URLSession.shared.data(from: address)
        return try JSONDecoder().decode(Answer.self, from: data).results
    }

    private final class Delegate: NSObject, SKStoreProductViewControllerDelegate {
        func productViewControllerDidFinish(_ viewController: SKStoreProductViewController) {
            say("back in the app")
        }
    }
}
