import Foundation
import StoreAPI
import StoreHTTP
import StoreModel
import StoreTestSupport
import StoreWire
import Testing

@Suite struct RequestFormTests {
    /// A body that a route can't read, and what the answer must name.
    struct Malformed: Sendable, CustomTestStringConvertible {
        let path: String
        let body: String
        let named: String

        var testDescription: String { "\(path) \(body)" }

        init(_ path: String, _ body: String, _ named: String) {
            self.path = path
            self.body = body
            self.named = named
        }
    }

    private static func purchase(_ change: (inout [String: String]) -> Void) -> String {
        var fields: [String: String] = [
            "purchaseKey": "\"purchase-key-1001\"", "productId": "\"com.example.shop.badge\"",
            "quantity": "1", "confirmedPrice": "{\"thousandths\":990,\"currency\":\"USD\"}",
        ]
        change(&fields)
        return "{" + fields.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    static let malformed: [Malformed] = {
        var list: [Malformed] = [
            Malformed(DeviceRoute.session, #"{"email":"a@example.com"}"#, "password"),
            Malformed(DeviceRoute.session, #"{"email":7,"password":"x"}"#, "email"),
            Malformed(DeviceRoute.session, #"{"email":null,"password":"x"}"#, "email"),
            Malformed(DeviceRoute.products, #"{}"#, "productIds"),
            Malformed(DeviceRoute.products, #"{"productIds":"one"}"#, "productIds"),
            Malformed(DeviceRoute.products, #"{"productIds":["one",2]}"#, "productIds[1]"),
            Malformed(DeviceRoute.products, #"["one"]"#, "top level"),
            Malformed(DeviceRoute.restores, #"{}"#, "restoreKey"),
            Malformed(DeviceRoute.restores, #"{"restoreKey":"short"}"#, "restoreKey"),
            Malformed(DeviceRoute.downloads("1"), #"{"version":"1.0"}"#, "contentIdentifier"),
            Malformed(
                DeviceRoute.downloads("1"), #"{"contentIdentifier":"a","version":"one"}"#,
                "version"),
        ]
        for path in [
            DeviceRoute.session, DeviceRoute.products, DeviceRoute.purchases,
            DeviceRoute.restores, DeviceRoute.downloads("1"),
        ] {
            for body in ["", "{", "garbage", "null", "\u{0}"] {
                list.append(Malformed(path, body, body == "null" ? "top level" : "not JSON"))
            }
        }
        for key in ["purchaseKey", "productId", "quantity", "confirmedPrice"] {
            list.append(Malformed(DeviceRoute.purchases, purchase { $0[key] = nil }, key))
            list.append(Malformed(DeviceRoute.purchases, purchase { $0[key] = "[]" }, key))
        }
        for (key, value) in [
            ("purchaseKey", "\"../../../../etc/passwd\""), ("purchaseKey", "\"\""),
            ("quantity", "\"1\""), ("quantity", "true"), ("applicationUsername", "7"),
        ] as [(String, String)] {
            list.append(Malformed(DeviceRoute.purchases, purchase { $0[key] = value }, key))
        }
        // Foundation doesn't tell where a number stands that doesn't fit its type.
        for number in ["1.5", "99999999999999999999", "-1e30"] {
            list.append(
                Malformed(DeviceRoute.purchases, purchase { $0["quantity"] = number }, "malformed"))
        }
        list.append(
            Malformed(
                DeviceRoute.purchases, purchase { $0["confirmedPrice"] = #"{"currency":"USD"}"# },
                "confirmedPrice.thousandths"))
        return list
    }()

    @Test(arguments: Altitude.allCases)
    func `a body that can't be read is refused with the place`(
        altitude: Altitude
    ) async throws {
        let shop = try await TestStore(hasContent: false)
        let client = try await APIClient.signedIn(shop, altitude: altitude)
        for malformed in Self.malformed {
            let refusal = try await client.refusal(
                "POST", malformed.path, Data(malformed.body.utf8))
            #expect(refusal.name == "400 malformedRequest", "\(malformed)")
            #expect(
                refusal.error.message.contains(malformed.named),
                "\(malformed): \(refusal.error.message)")
        }
        #expect(try await LedgerSnapshot(of: shop).count == 0)
    }

    @Test(arguments: Altitude.allCases, ["", "/sandbox"])
    func `unknown paths are not found`(altitude: Altitude, prefix: String) async throws {
        let client = try await APIClient(
            try await TestStore(hasContent: false), altitude: altitude, environment: .production)
        for path in [
            "/device", "/device/v1", "/device/v1/", "/device/v1/products/",
            "/device/v2/products", "/device/v1/transactions/1", "/content", "/content/",
            "/content/a/b", "/sandbox/device/v1/products",
        ] {
            // The one that exists in production is the sandbox's own.
            guard prefix + path != "/sandbox/device/v1/products" else { continue }
            let refusal = try await client.refusal("GET", prefix + path)
            #expect(refusal.name == "404 unknownRoute", "\(prefix)\(path)")
            #expect(refusal.error.message.contains(prefix + path))
        }
    }

    @Test(arguments: StoreEnvironment.allCases)
    func `other methods are refused with those that there are`(
        environment: StoreEnvironment
    ) async throws {
        let client = try await APIClient(
            try await TestStore(hasContent: false), environment: environment)
        let methods = Dictionary(grouping: DeviceRouteTable.rows, by: \.pattern)
            .mapValues { Set($0.map(\.method.rawValue)) }
        for (pattern, known) in methods {
            let path = pattern.replacingOccurrences(of: "{id}", with: "1")
            let allowed = known.contains("GET") ? known.union(["HEAD"]) : known
            for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "get"]
            where !allowed.contains(method) {
                let response = try await client.send(method, path)
                #expect(response.status == 405, "\(method) \(path)")
                #expect(try response.failure().code == .methodNotAllowed)
                let named = response.headers["Allow"]?.components(separatedBy: ", ") ?? []
                #expect(Set(named) == allowed, "\(method) \(path)")
            }
        }
    }

    @Test func `a body over the limit is refused before anyone reads it`() async throws {
        let client = try await APIClient(
            try await TestStore(hasContent: false), altitude: .socket)
        let refusal = try await client.refusal(
            "POST", DeviceRoute.products, Data(repeating: 0x20, count: (1 << 20) + 1))
        #expect(refusal.name == "413 bodyTooLarge")
    }

    @Test(arguments: Altitude.allCases)
    func `health and the root certificate are for everybody`(altitude: Altitude) async throws {
        let shop = try await TestStore(hasContent: false)
        var client = try await APIClient(shop, altitude: altitude, environment: .production)
        (client.profile, client.device) = (nil, nil)
        #expect(try await client.send("GET", "/healthz").text == #"{"status":"ok"}"#)
        let pem = try await client.send("GET", "/.well-known/openstore/root.pem")
        #expect(pem.text == (try shop.store.keys.root.pem()))
        let der = try await client.send("GET", "/.well-known/openstore/root.der")
        #expect(der.data == (try shop.store.keys.root.der()))
    }
}
