import Foundation

/// The search of a running store, over one connection that stays open.
final class StorefrontSearch {
    private let connection: RawConnection

    init(_ address: String) throws {
        guard let url = URL(string: address) else { throw BenchFailure("\(address) is none") }
        connection = try RawConnection(url)
    }

    func search(_ term: String) throws {
        var allowed = CharacterSet.alphanumerics
        allowed.formIntersection(CharacterSet(charactersIn: "!"..."~"))
        let encoded = term.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        try connection.send(
            "GET", "/search?term=\(encoded)&country=us&media=all&limit=50", headers: [])
        guard try connection.receive() == 200 else { throw BenchFailure("\(term) was refused") }
    }
}
