import Foundation
@testable import StoreCore
import StoreModel
import Testing

@Suite struct StorefrontLinksTests {
    private let links = StorefrontLinks(base: "https://store.example.com/sandbox")

    @Test(arguments: [
        ("Slow Train", "slow-train"), ("Café  & Bar!", "cafe-bar"), ("../../etc", "etc"),
        ("<script>", "script"), ("...", "-"), ("", "-"), ("\u{0}\r\n", "-"),
        ("遅い列車", "%E9%81%85%E3%81%84%E5%88%97%E8%BB%8A"),
    ])
    func `a slug holds letters, digits and hyphens`(title: String, slug: String) {
        #expect(StorefrontLinks.slug(title) == slug)
    }

    @Test func `pages stand below their storefront and kind`() {
        let item = Item(
            id: ItemID(number: 7), team: 1,
            details: ItemDetails(kind: .ebook, title: "A Book", genres: [38]), state: .onSale,
            created: Date(timeIntervalSince1970: 0), changed: Date(timeIntervalSince1970: 0))
        #expect(
            links.page(of: item, title: "A Book", in: .named("jp")!)
                == "https://store.example.com/sandbox/jp/book/a-book/id7")
        let artist = Artist(id: ArtistID(number: 9), team: 1, name: "A. B.", type: .author)
        #expect(
            links.page(of: artist, in: .unitedStates)
                == "https://store.example.com/sandbox/us/artist/a-b/id9")
    }

    @Test func `clients can rewrite a picture's size, and no name leaves its place`() {
        let id = AssetID(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00CF4FC964FF")!)
        let media = ItemMedia(
            id: id, item: ItemID(number: 7), kind: .audioPreview, position: 1,
            digest: ContentDigest(String(repeating: "a", count: 64))!, mediaType: "audio/mpeg",
            fileName: "../a b?#.mp3", size: 1)
        #expect(links.artwork(media, width: 100, height: 100).hasSuffix("/100x100bb.png"))
        #expect(links.media(media).hasSuffix("\(id.text)/..%2Fa%20b%3F%23.mp3"))
        var dots = media
        dots.fileName = ".."
        #expect(links.media(dots).hasSuffix("\(id.text)/-"))
    }
}
