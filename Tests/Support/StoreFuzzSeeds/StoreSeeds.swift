import Foundation
import StorePackageSamples

/// What a store is asked, and what other services answer it; see the targets in Fuzz for what the
/// first bytes say.
enum StoreSeeds {
    static func all() throws -> [(kind: String, name: String, data: Data)] {
        texts() + requests() + backends() + pictures()
    }

    private static func texts() -> [(kind: String, name: String, data: Data)] {
        let texts = [
            "=1+1", "@\"a\",b", "東京都 Ænima œuvre Iİıß", "a*b AND (c:d) NEAR/2 \"e\"", "%_\\",
            "it's", "</script>&amp;\u{2028}\u{202E}", "\u{1F469}\u{200D}\u{1F467}", "\u{1b}[1m",
            "e\u{301}\u{308}", "https://example\u{3002}com/a", "P1M", "2027-01-15", "1.2.3",
        ]
        let json = [
            "{\"a\":[1,2.5e3,\"\\u00e4\\ud83d\\ude00\",null,true,{}],\"b\":{\"a\":[]}}",
            "{\"data\":{\"type\":\"apps\",\"id\":\"1\",\"attributes\":{}}}",
        ]
        let configuration = """
            {"identifier":"0A","nonRenewingSubscriptions":[],"products":[{"displayPrice":"0.99",\
            "familyShareable":false,"internalID":"1","localizations":[{"description":"a",\
            "displayName":"b","locale":"en_US"}],"productID":"com.example.a","referenceName":"a",\
            "type":"Consumable"}],"settings":{"_locale":"en_US","_storefront":"USA"},\
            "subscriptionGroups":[],"version":{"major":3,"minor":0}}
            """
        var seeds: [(kind: String, name: String, data: Data)] = []
        for (letter, texts) in [("t", texts), ("j", json), ("k", [configuration])] {
            for (number, text) in texts.enumerated() {
                seeds.append(("text", "\(letter)-\(number)", Data((letter + text).utf8)))
            }
        }
        return seeds
    }

    /// Each route of the first thousand, by everybody; with a body that fits some.
    private static func requests() -> [(kind: String, name: String, data: Data)] {
        let bodies = [
            "", "{\"productIds\":[\"com.example.shop.chapter\"]}",
            "{\"data\":{\"type\":\"apps\",\"id\":\"1\",\"attributes\":{\"name\":\"a\"},"
                + "\"relationships\":{\"app\":{\"data\":{\"type\":\"apps\",\"id\":\"1\"}}}}}",
            "name=a&email=a%40example.com&title=b&price=1.99&rating=5",
        ]
        return (0..<1000).map { number in
            let end = Data([0xFF])
            var data = Data([UInt8(number >> 8), UInt8(number & 255), UInt8(number % 7), 0])
            for known in [0, 1] { data += Data([UInt8(known)]) + end }
            data += Data("limit=2\nterm=a\nid=1".utf8) + end + Data("Accept-Language=de".utf8) + end
            return ("request", "route-\(number)", data + Data(bodies[number % bodies.count].utf8))
        }
    }

    private static func backends() -> [(kind: String, name: String, data: Data)] {
        let list = """
            <?xml version="1.0"?><ListBucketResult><IsTruncated>true</IsTruncated>\
            <NextContinuationToken>t</NextContinuationToken><NextKeyMarker>k</NextKeyMarker>\
            <NextUploadIdMarker>u</NextUploadIdMarker><UploadId>i</UploadId>\
            <Contents><Key>prefix/a</Key><Size>5</Size>\
            <LastModified>2026-11-23T01:58:41.000Z</LastModified></Contents>\
            <CommonPrefixes><Prefix>prefix/a/</Prefix></CommonPrefixes><Upload><Key>prefix/a</Key>\
            <UploadId>u</UploadId><Initiated>2026-11-23T01:58:41.000Z</Initiated></Upload>\
            </ListBucketResult>
            """
        let refusal = "<Error><Code>NoSuchKey</Code><Region>eu</Region></Error>"
        func answer(_ status: String, _ body: String, _ more: String = "") -> Data {
            Data(
                "HTTP/1.1 \(status)\r\n\(more)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
                    .utf8)
                + Data([0xFF])
        }
        let answers = [
            answer("200 OK", list, "ETag: \"a\"\r\n"), answer("404 Not Found", refusal),
            answer("503 Slow Down", "<Error><Code>SlowDown</Code></Error>"),
            answer("206 Partial Content", "0123456789", "Content-Range: bytes 5-14/100\r\n"),
            answer("200 OK", "<CompleteMultipartUploadResult/>"),
            answer("302 Found", "", "Location: /b\r\n"),
        ]
        let questions = Array(0..<10) + [UInt8(ascii: "p"), UInt8(ascii: "d")]
        var seeds: [(kind: String, name: String, data: Data)] = []
        for question in questions {
            for first in answers.indices {
                let turned = answers[first...] + answers[..<first]
                seeds.append(
                    ("backend", "\(question)-\(first)", Data([question]) + Data(turned.joined())))
            }
        }
        seeds.append(("backend", "list", Data("x\(list)".utf8)))
        seeds.append(("backend", "refusal", Data("x\(refusal)".utf8)))
        seeds.append(
            ("backend", "choice", Data("r{\"message\":{\"messageIdentifier\":\"\(UUID())\"}}".utf8))
        )
        return seeds
    }

    private static func pictures() -> [(kind: String, name: String, data: Data)] {
        let exif =
            Data([0xFF, 0xE1, 0, 34]) + Data("Exif\0\0II*\0\u{8}\0\0\0\u{1}\0".utf8)
            + Data([0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0])
        return [
            ("picture", "jpeg", Data("x".utf8) + jpeg),
            ("picture", "turned", Data("x".utf8) + jpeg.prefix(2) + exif + jpeg.dropFirst(2)),
            ("picture", "png", Data("p".utf8) + png()),
        ]
    }

    /// Sixteen pixels by eight.
    private static let jpeg = Data(
        base64Encoded:
            "/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgEBAQEBAUFBQUFBQYGBgYGBgYGBgYG"
            + "BgYHBwcICAgHBwcGBgcHCAgICAkJCQgICAgJCQoKCgwMCwsODg4RERT/xABOAAEAAAAAAAAAAAAAAAAAAAAGAQEA"
            + "AAAAAAAAAAAAAAAAAAAGEAEAAAAAAAAAAAAAAAAAAAAAEQADAQEAAAAAAAAAAAAAAAAACEbEhf/AABEIAAgAEAMB"
            + "IgACEQADEQD/2gAMAwEAAhEDEQA/ABYgXiBUstXx942YWa6uI//Z")!

    /// Four pixels by four, without the checksums, which the target sets.
    private static func png() -> Data {
        func chunk(_ type: String, _ content: Data) -> Data {
            Data([0, 0, 0, UInt8(content.count)]) + Data(type.utf8) + content + Data(count: 4)
        }
        let rows = Data((0..<4).flatMap { [0] + [UInt8](repeating: $0 * 60, count: 16) })
        return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            + chunk("IHDR", Data([0, 0, 0, 4, 0, 0, 0, 4, 8, 6, 0, 0, 0]))
            + chunk("tEXt", Data("a\0b".utf8)) + chunk("IDAT", Deflated.zlib(rows))
            + chunk("IEND", Data())
    }
}
