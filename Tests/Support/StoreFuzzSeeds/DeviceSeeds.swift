import Foundation
import StoreModel
import StoreWire

/// Answers of a store and files of a device; see the targets in Fuzz for what the first bytes say.
enum DeviceSeeds {
    private typealias Seeds = [(kind: String, name: String, data: Data)]

    static func all() throws -> [(kind: String, name: String, data: Data)] {
        try answers() + customers() + launches() + files() + headers()
    }

    /// An answer as `FuzzStore` reads it.
    private static func answer(_ body: Data, status: UInt8 = 0, header: UInt8 = 0) -> Data {
        Data([status, header]) + body + Data([0xFF])
    }

    private static func answers() throws -> Seeds {
        var seeds: Seeds = []
        func add(_ letter: String, _ name: String, _ bodies: any Encodable...) throws {
            let answers = try bodies.map { answer(try WireCoding.encode($0), header: 1) }
            seeds.append(("device", name, Data(letter.utf8) + Data(answers.joined())))
        }
        let transaction = try SampleAnswers.transaction()
        let page = TransactionsAnswer(
            transactions: [transaction], next: TransactionID(number: 2_000_000_001))
        try add("s", "session", SampleAnswers.session)
        try add("p", "products", SampleAnswers.products)
        try add("b", "purchase", transaction)
        try add("q", "quote", QuoteAnswer(.later(Date(timeIntervalSince1970: 1_800_000_000))))
        try add("u", "unfinished", page)
        try add("o", "restore", page)
        try add("e", "events", SampleAnswers.events)
        try add("h", "history", SampleAnswers.history(hasMore: true), SampleAnswers.history())
        try add("g", "subscriptions", SampleAnswers.subscriptions())
        try add("x", "app", SampleAnswers.appTransaction)
        try add("f", "refund", WireError(code: .refundRequested, message: "It waits."))
        try add("r", "redemption", transaction)
        try add("c", "receipt", ReceiptAnswer(receipt: Data([0x30, 0x80])))
        let delivery = try WireCoding.encode(SampleAnswers.delivery)
        try add(
            "d", "download",
            DownloadAnswer(signedDelivery: String(decoding: delivery, as: UTF8.self), grant: "g"))
        try add(
            "a", "prompt", SampleAnswers.prompt,
            PromptStateAnswer(state: .signedIn, session: SampleAnswers.session), [String]())
        seeds.append(
            (
                "device", "item",
                Data("i".utf8) + answer(SampleAnswers.lookup)
                    + answer(SampleAnswers.lookup)
            ))
        let offer = SampleAnswers.products.products[1].subscription?.offers[0]
        try add(
            "q", "quote-offer",
            QuoteAnswer(offer.map { .accepted($0, start: Date(milliseconds: 0)) } ?? .now))
        try add(
            "v", "page", SampleAnswers.page,
            ItemReviewsAnswer(reviews: [SampleAnswers.review], page: 1, pages: 2),
            SampleAnswers.review)
        seeds.append(
            ("device", "payload", Data("t".utf8) + (try WireCoding.encode(SampleAnswers.payload())))
        )
        let refusal = WireError(
            code: .productInvalid, message: "It is not sold.",
            reason: InvalidReasonCode(rawValue: "unknownIdentifier"))
        seeds.append(
            (
                "device", "refusal",
                Data("p".utf8)
                    + answer(try WireCoding.encode(refusal), status: 7)
            ))
        return seeds
    }

    /// Answers to commands of customers.
    private static func customers() throws -> Seeds {
        let bodies: [(letter: String, bodies: [any Encodable])] = [
            ("a", [AppsAnswer(apps: [SampleAnswers.app]), SampleAnswers.app]),
            ("s", [SampleAnswers.session]),
            ("d", [AppDeliveryAnswer(signedDelivery: "a.b.c", grant: "g", profile: "a.b.c")]),
        ]
        return try bodies.map { letter, bodies in
            let answers = try bodies.map { answer(try WireCoding.encode($0)) }
            return ("customer", letter, Data(letter.utf8) + Data(answers.joined()))
        }
    }

    /// The answers to all that an app asks in one launch, in different orders.
    private static func launches() throws -> Seeds {
        let transaction = try SampleAnswers.transaction()
        let bodies: [any Encodable] = [
            SampleAnswers.products, SampleAnswers.session, SampleAnswers.products,
            SampleAnswers.events, transaction,
            TransactionsAnswer(transactions: [transaction]), SampleAnswers.events,
            ReceiptAnswer(receipt: Data([0x30, 0x80])),
            TransactionsAnswer(transactions: [try SampleAnswers.transaction(2_000_000_002)]),
            SampleAnswers.events, SampleAnswers.products, transaction, SampleAnswers.events,
            try SampleAnswers.history(), try SampleAnswers.subscriptions(),
            SampleAnswers.appTransaction,
        ]
        let answers = try bodies.map { answer(try WireCoding.encode($0)) }
        return (0..<answers.count).map { first in
            let turned = answers[first...] + answers[..<first]
            return ("launch", "from-\(first)", Data([UInt8(first)]) + Data(turned.joined()))
        }
    }

    /// Lines of the journal without their checksums, and other files.
    private static func files() throws -> Seeds {
        let transaction = String(
            decoding: try WireCoding.encode(SampleAnswers.transaction()), as: UTF8.self)
        let session = String(decoding: try WireCoding.encode(SampleAnswers.session), as: UTF8.self)
        let key = SampleAnswers.key.text
        func entry(_ stage: String, more: String = "") -> String {
            """
            {"put":{"key":"\(key)","payment":{"productIdentifier":"com.example.chapter",\
            "quantity":1,"discount":{"identifier":"a","keyIdentifier":"b","nonce":"\
            0E28E5AC-8B1C-4F2C-9C0F-0D5A4F4A9D5E","signature":"c","timestamp":1}},\
            "stage":\(stage)\(more)}}
            """
        }
        let price =
            "{\"account\":\"ada@example.com\",\"price\":{\"currency\":\"USD\",\"thousandths\":990}}"
        let lines = [
            entry("{\"added\":{}}", more: ",\"refusedOrders\":2"),
            entry("{\"confirmed\":\(price)}"), entry("{\"deferred\":\(price)}"),
            entry("{\"purchased\":{\"_0\":\(transaction)}}"),
            entry("{\"restored\":{\"_0\":\(transaction)}}"),
            entry(
                "{\"failed\":{\"_0\":{\"code\":2,\"domain\":\"SKErrorDomain\",\"message\":\"No\"}}}"
            ),
            entry("{\"finishing\":{\"_0\":\"2000000001\"}}"),
            "{\"remove\":\"\(key)\"}",
            "{\"cursor\":{\"account\":\"ada@example.com\",\"event\":7}}",
            "{\"revoked\":[\"0A1B\"]}",
            try history(),
        ]
        var seeds: Seeds = lines.enumerated().map {
            ("state", "line-\($0.offset)", Data("l\($0.element)".utf8))
        }
        let texts = [
            ("l", "lines", lines.joined(separator: "\n")),
            ("j", "journal", "openstore-journal 1\n"),
            ("d", "device", "0E28E5AC-8B1C-4F2C-9C0F-0D5A4F4A9D5E"), ("s", "session", session),
            ("p", "promotions", "{\"order\":[\"a\"],\"visibility\":{\"a\":2}}"),
            ("r", "reviews", "{\"byVersion\":{\"1\":[1800000000.5]},\"prompts\":[1]}"),
            ("b", "libraries", "{\"folders\":[\"/tmp\"]}"),
            ("v", "restrictions", "{\"inAppPurchases\":\"denied\",\"users\":{\"a\":{}}}"),
            ("u", "folders", "XDG_DOWNLOAD_DIR=\"$HOME/a\"\n"),
            ("a", "message", "\0\0\0\u{20}{\"verb\":\"fetch\",\"folder\":\"/tmp\"}"),
            ("i", "identifiers", "[\"com.example.a\",\"com.example.b\"]"),
            ("q", "list", "<plist><array><string>com.example.a</string></array></plist>"),
            (
                "c", "copy",
                """
                {"entityTag":"a","format":1,"freshness":{"age":"1","cacheControl":"max-age=60",\
                "date":"Fri, 15 Jan 2027 08:00:00 GMT","requestTime":0,"responseTime":0},\
                "identifiers":["a"],"url":"http://127.0.0.1/products_v1.json"}
                """
            ),
        ]
        seeds += texts.map { ("state", $0.1, Data(($0.0 + $0.2).utf8)) }
        let profile = try WireCoding.encode(SampleAnswers.profile)
        seeds.append(("state", "profile", Data("f".utf8) + profile))
        return seeds
    }

    /// A line of the journal with all of an account's history.
    private static func history() throws -> String {
        let texts = try SampleAnswers.history().transactions
        let change: JSONValue = .object([
            "account": "ada@example.com", "startsOver": true, "revision": "revision",
            "transactions": .array(
                texts.enumerated().map { number, text in
                    .object([
                        "id": .string("\(2_000_000_001 + number)"), "text": .string(text),
                    ])
                }),
            "forgotten": ["2000000009"], "untold": ["2000000001"], "told": ["2000000002"],
            "subscriptions": try WireCoding.decode(
                JSONValue.self, from: WireCoding.encode(SampleAnswers.subscriptions().groups)),
            "appTransaction": .string(SampleAnswers.appTransaction.signedAppTransaction),
        ])
        return String(decoding: JSONValue.object(["history": change]).encoded(), as: UTF8.self)
    }

    private static func headers() -> Seeds {
        let header = """
            HTTP/1.1 206 Partial Content\r\nDate: Fri, 15 Jan 2027 08:00:00 GMT\r
            Expires: Friday, 15-Jan-27 08:00:00 GMT\r\nCache-Control: max-age="60", no-cache\r
            Age: 7\r\nVary: *\r\nContent-Range: bytes 0-9/100\r\nContent-Length: 10\r
            Location: ../other?a=b\r\nETag: "a"\r\nContent-Type: text/plain; charset=utf-8\r
            Content-Disposition: attachment; filename="a.txt"\r\nRetry-After: 120\r
            Last-Modified: Fri Jan 15 08:00:00 2027\r\nX-Forwarded-For: 10.0.0.1, ::1\r
            X-Forwarded-Proto: https\r\nX-Forwarded-Host: example.com\r\nHost: [::1]:8080\r
            Range: bytes=-5\r\nCookie: a=b; c=d\r\nIf-None-Match: W/"a", "b"\r
            Accept: text/html;q=0.5, */*\r\nAccept-Language: de-DE, en;q=0.7\r
            Authorization: Bearer token\r\n
            """
        return [("header", "all", Data(header.utf8))]
    }
}
