import Foundation
import StoreAPI
import StoreHTTP
import StoreWire
import Testing

/// The operations and their descriptions belong together.
@Suite struct ConnectDescriptionTests {
    private func names(_ routes: [(method: HTTPMethod, path: String)]) -> Set<String> {
        Set(routes.map { "\($0.method.rawValue) \($0.path)" })
    }

    @Test func `what is described of App Store Connect is served, and nothing else`() {
        let described = names(APIDescription.appStoreConnect.routes)
        let served = names(
            ConnectRouteTable.operations.filter { !$0.pattern.hasPrefix("/openstore/") }
                .map { ($0.method, $0.pattern) })
        #expect(served.subtracting(described).sorted() == [])
        #expect(described.subtracting(served).sorted() == [])
        let all = ConnectRouteTable.operations
        #expect(names(all.map { ($0.method, $0.pattern) }).count == all.count)
    }

    @Test func `what is our own is described by ourselves, and is all that is`() {
        let described = names(APIDescription.openStore.routes)
        let served = names(
            ConnectRouteTable.operations.filter { $0.pattern.hasPrefix("/openstore/") }
                .map { ($0.method, $0.pattern) })
        #expect(served == described)
    }

    @Test func `our description refers to nothing that it lacks`() throws {
        let document = APIDescription.openStore.document
        func references(_ value: JSONValue) -> [String] {
            let children: [JSONValue] =
                value.elements ?? value.members.map { Array($0.values) } ?? []
            return [value["$ref"]?.text].compactMap { $0 } + children.flatMap(references)
        }
        let known = try #require(document["components"]?["schemas"]?.members).keys
        for reference in Set(references(document)) {
            let name = try #require(reference.split(separator: "/").last)
            #expect(known.contains(String(name)), "\(reference)")
        }
    }
}
