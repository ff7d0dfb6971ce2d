import Foundation
@testable import StoreAPI
import StoreHTTP
import StoreWire
import Testing

/// What is wrong with a request to App Store Connect's API is found by its description, all
/// of it at once.
@Suite struct RequestCheckTests {
    static let description = APIDescription.appStoreConnect

    private func operation(_ method: HTTPMethod, _ path: String) throws -> DescribedOperation {
        try #require(Self.description.operation(method, path))
    }

    /// The errors that a body is refused with, as `code pointer`.
    private func problems(
        _ method: HTTPMethod, _ path: String, _ body: String, id: String? = nil,
        type: String? = "application/json"
    ) throws -> [String] {
        let schema = try #require(try operation(method, path).body)
        var request = HTTPRequest(method: method.rawValue, path: path, body: Data(body.utf8))
        request.headers["Content-Type"] = type
        do {
            _ = try RequestBodyParser.body(of: request, by: schema, in: Self.description, id: id)
            return []
        } catch let errors as JSONAPIErrors {
            #expect(errors.errors.allSatisfy { $0.detail?.isEmpty == false })
            return errors.errors.map { "\($0.code) \($0.source?.pointer ?? "")" }
        }
    }

    private static let right = """
        {"data":{"type":"inAppPurchases",
        "attributes":{"name":"A","productId":"a","inAppPurchaseType":"CONSUMABLE"},
        "relationships":{"app":{"data":{"type":"apps","id":"1"}}}}}
        """

    @Test(
        arguments: [
            ("application/json", []), ("application/vnd.api+json", []),
            ("Application/JSON; charset=utf-8", []), ("text/plain", ["UNSUPPORTED_MEDIA_TYPE "]),
            ("", ["UNSUPPORTED_MEDIA_TYPE "]), (nil, ["UNSUPPORTED_MEDIA_TYPE "]),
        ] as [(String?, [String])])
    func `a document is JSON, and says so`(type: String?, errors: [String]) throws {
        #expect(try problems(.post, "/v2/inAppPurchases", Self.right, type: type) == errors)
    }

    @Test(arguments: [
        "", "{", "nonsense", "{\"data\":}", "{\"data\":1}}", "{\"data\":1,\"data\":2}",
        "{\"data\":\"\u{1}\"}", "{\"data\":\"\\ud800\"}", "{\"data\":\"\\x\"}", "{\"data\":01}",
        "{\"data\":1e999}", "{\"data\":NaN}", "{'data':1}", "[1,]",
        String(repeating: "[", count: 33) + String(repeating: "]", count: 33),
        String(repeating: "[", count: 200_000),
    ])
    func `what is not JSON, or only nearly, is refused`(body: String) throws {
        #expect(
            try problems(.post, "/v2/inAppPurchases", body) == ["ENTITY_INVALID.JSON "])
    }

    @Test func `a text that is not UTF-8 is refused`() throws {
        let schema = try #require(try operation(.post, "/v2/inAppPurchases").body)
        let body = Data("{\"data\":\"".utf8) + Data([0xFF, 0xC0, 0x80]) + Data("\"}".utf8)
        let request = HTTPRequest(
            method: "POST", path: "/", headers: ["Content-Type": "application/json"], body: body)
        #expect(throws: JSONAPIErrors.self) {
            try RequestBodyParser.body(of: request, by: schema, in: Self.description, id: nil)
        }
    }

    @Test(
        arguments: [
            ("[]", ["ENTITY_UNPROCESSABLE "]), ("null", ["ENTITY_UNPROCESSABLE "]),
            ("{}", ["ENTITY_ERROR.REQUIRED /data"]),
            ("{\"data\":[]}", ["ENTITY_ERROR.TYPE /data"]),
            (
                "{\"data\":{}}",
                [
                    "ENTITY_ERROR.ATTRIBUTE.REQUIRED /data/attributes/inAppPurchaseType",
                    "ENTITY_ERROR.ATTRIBUTE.REQUIRED /data/attributes/name",
                    "ENTITY_ERROR.ATTRIBUTE.REQUIRED /data/attributes/productId",
                    "ENTITY_ERROR.RELATIONSHIP.REQUIRED /data/relationships/app",
                    "ENTITY_ERROR.TYPE /data/type",
                ]
            ),
            (
                """
                {"data":{"type":"apps","id":"1","colour":"red",
                "attributes":{"name":1,"productId":null,"inAppPurchaseType":"FREE","size":3,
                "familySharable":"yes"},
                "relationships":{"app":{"data":{"type":"builds","id":"1"}},"shop":{"data":null}}}}
                """,
                [
                    "ENTITY_ERROR.ATTRIBUTE.TYPE /data/attributes/familySharable",
                    "ENTITY_ERROR.ATTRIBUTE.INVALID /data/attributes/inAppPurchaseType",
                    "ENTITY_ERROR.ATTRIBUTE.TYPE /data/attributes/name",
                    "ENTITY_ERROR.ATTRIBUTE.TYPE /data/attributes/productId",
                    "ENTITY_ERROR.ATTRIBUTE.UNKNOWN /data/attributes/size",
                    "ENTITY_ERROR.RELATIONSHIP.INVALID /data/relationships/app/data/type",
                    "ENTITY_ERROR.RELATIONSHIP.UNKNOWN /data/relationships/shop",
                    "ENTITY_ERROR.TYPE /data/type",
                    "ENTITY_ERROR.UNKNOWN /data/colour",
                    "ENTITY_ERROR.ID /data/id",
                ]
            ),
            (
                """
                {"data":{"type":"inAppPurchases",
                "attributes":{"name":"\\u0000","productId":"a","inAppPurchaseType":"CONSUMABLE"},
                "relationships":{"app":{"data":[{"type":"apps","id":"1"}]}}}}
                """,
                [
                    "ENTITY_ERROR.ATTRIBUTE.INVALID /data/attributes/name",
                    "ENTITY_ERROR.RELATIONSHIP.TYPE /data/relationships/app/data",
                ]
            ),
        ] as [(String, [String])])
    func `everything that is wrong is told`(body: String, errors: [String]) throws {
        #expect(try problems(.post, "/v2/inAppPurchases", body).sorted() == errors.sorted())
    }

    @Test func `the identifier is that of the path`() throws {
        let body = """
            {"data":{"type":"inAppPurchases","id":"2","attributes":{"name":"B"}}}
            """
        let path = "/v2/inAppPurchases/{id}"
        #expect(try problems(.patch, path, body, id: "2").isEmpty)
        #expect(try problems(.patch, path, body, id: "3") == ["ENTITY_ERROR.ID /data/id"])
    }

    @Test func `an attribute may be null where the description says so`() throws {
        let path = "/v1/apps/{id}"
        func body(_ name: String) -> String {
            "{\"data\":{\"type\":\"apps\",\"id\":\"1\",\"attributes\":{\"\(name)\":null}}}"
        }
        #expect(try problems(.patch, path, body("sku"), id: "1").isEmpty == false)
        #expect(try problems(.patch, path, body("contentRightsDeclaration"), id: "1").isEmpty)
    }

    private func schedule(price: String, included: String) -> String {
        """
        {"data":{"type":"inAppPurchasePriceSchedules","relationships":{
        "inAppPurchase":{"data":{"type":"inAppPurchases","id":"1"}},
        "baseTerritory":{"data":{"type":"territories","id":"USA"}},
        "manualPrices":{"data":[{"type":"inAppPurchasePrices","id":"\(price)"}]}}},
        "included":[\(included)]}
        """
    }

    @Test(
        arguments: [
            (
                "${a}",
                "{\"type\":\"inAppPurchasePrices\",\"id\":\"${a}\",\"attributes\":{\"startDate\":null}}",
                []
            ),
            (
                "${b}", "{\"type\":\"inAppPurchasePrices\",\"id\":\"${a}\"}",
                ["ENTITY_ERROR.RELATIONSHIP.INVALID /data/relationships/manualPrices"]
            ),
            ("a", "{\"type\":\"inAppPurchasePrices\"}", ["ENTITY_ERROR.ID /included/0/id"]),
            (
                "${a}",
                "{\"type\":\"inAppPurchasePrices\",\"id\":\"${a}\"},"
                    + "{\"type\":\"inAppPurchasePrices\",\"id\":\"${a}\"}",
                ["ENTITY_ERROR.ID /included/1/id"]
            ),
            ("a", "{\"type\":\"apps\",\"id\":\"${a}\"}", ["ENTITY_ERROR.TYPE /included/0/type"]),
            (
                "${a}",
                "{\"type\":\"inAppPurchasePrices\",\"id\":\"${a}\","
                    + "\"attributes\":{\"startDate\":\"2026-02-30\"}}",
                ["ENTITY_ERROR.ATTRIBUTE.INVALID /included/0/attributes/startDate"]
            ),
        ] as [(String, String, [String])])
    func `what is made along has a name in the document`(
        price: String, included: String, errors: [String]
    ) throws {
        #expect(
            try problems(
                .post, "/v1/inAppPurchasePriceSchedules",
                schedule(price: price, included: included)) == errors)
    }

    @Test func `of thousands of errors only some are told`() throws {
        let names = (0..<5000).map { "\"x\($0)\":1" }.joined(separator: ",")
        let body = "{\"data\":{\"type\":\"inAppPurchases\",\"attributes\":{\(names)}}}"
        #expect(try problems(.post, "/v2/inAppPurchases", body).count == 50)
    }

    @Test func `a document has a size that it may not have`() throws {
        let body = "\"" + String(repeating: "a", count: RequestBodyParser.bodyLimit) + "\""
        #expect(try problems(.post, "/v2/inAppPurchases", body) == ["ENTITY_TOO_LARGE "])
    }

    // MARK: Parameters

    @Test(
        arguments: [
            ([("limit", "200")], []), ([("limit", "201")], ["INVALID limit"]),
            ([("limit", "0")], ["INVALID limit"]), ([("limit", "-1")], ["INVALID limit"]),
            ([("limit", "")], ["INVALID limit"]), ([("limit", "1e2")], ["INVALID limit"]),
            ([("limit", "99999999999999999999")], ["INVALID limit"]),
            ([("limit", "1"), ("limit", "2")], ["INVALID limit"]),
            ([("sort", "name,-inAppPurchaseType")], []), ([("sort", "price")], ["INVALID sort"]),
            ([("include", "content,images")], []), ([("include", "app")], ["INVALID include"]),
            ([("include", "")], []), ([("include", ",")], ["INVALID include"]),
            ([("include", "content,")], ["INVALID include"]),
            ([("fields[inAppPurchases]", "name")], []),
            ([("fields[inAppPurchases]", "")], []),
            ([("fields[inAppPurchases]", "nam")], ["INVALID fields[inAppPurchases]"]),
            ([("fields[apps]", "name")], ["ILLEGAL fields[apps]"]),
            ([("filter[state]", "APPROVED,REJECTED")], []),
            ([("filter[state]", "approved")], ["INVALID filter[state]"]),
            ([("filter[name]", "a,b")], []), ([("filter[name]", "")], ["INVALID filter[name]"]),
            ([("filter[name]", "a\0")], ["INVALID filter[name]"]),
            ([("filter[sku]", "a")], ["ILLEGAL filter[sku]"]),
            ([("limit[images]", "50")], []), ([("limit[images]", "51")], ["INVALID limit[images]"]),
            ([("cursor", "anything")], []), ([("page", "2")], ["ILLEGAL page"]),
            ([("Limit", "2")], ["ILLEGAL Limit"]), ([("", "")], ["ILLEGAL "]),
            (
                [("zoo", "1"), ("limit", "x"), ("sort", "x")],
                ["INVALID limit", "INVALID sort", "ILLEGAL zoo"]
            ),
        ] as [([(String, String)], [String])])
    func `parameters are those of the description`(
        query: [(String, String)], errors: [String]
    ) throws {
        let described = try operation(.get, "/v1/apps/{id}/inAppPurchasesV2")
        func found() throws -> [String] {
            do {
                _ = try ConnectQuery(query.map { (name: $0.0, value: $0.1) }, by: described)
                return []
            } catch let problems as JSONAPIErrors {
                #expect(problems.errors.allSatisfy { $0.status == "400" })
                return problems.errors.map {
                    "\($0.code.dropFirst("PARAMETER_ERROR.".count)) \($0.source?.parameter ?? "")"
                }
            }
        }
        #expect(try found() == errors)
    }

    @Test func `a list without limit is as long as it is everywhere, or as it can be`() throws {
        let described = try operation(.get, "/v1/territories")
        #expect(try ConnectQuery([], by: described).limit == 50)
        #expect(try ConnectQuery([(name: "limit", value: "3")], by: described).limit == 3)
    }

    @Test func `a resource that is shown alone has no pages`() throws {
        let described = try operation(.get, "/v1/bundleIds/{id}")
        #expect(throws: JSONAPIErrors.self) {
            try ConnectQuery([(name: "cursor", value: "x")], by: described)
        }
    }
}
