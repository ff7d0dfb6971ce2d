import Foundation
import StoreTestSupport
import Testing

/// A store that keeps its content in a bucket.
@Suite(.timeLimit(.minutes(5))) struct ObjectStores {
    @Test(arguments: ["", "&redirect=off"])
    func `content goes into the bucket, and from there to devices`(option: String) async throws {
        let server = try ObjectServer.shared
        let prefix = "shop-\(UUID().uuidString)"
        let shop = try await Shop(
            environment: server.environment.merging(
                ["OPENSTORE_CONTENT": server.option(prefix, option)]) { $1 })
        let (store, address) = try await shop.serve()
        let redirects = option.isEmpty
        if redirects {
            // An address that has expired on the way, and a connection that breaks.
            try await server.plan("\(prefix)/content/") {
                ($0.method, $0.query, $0.status) = ("GET", "X-Amz-Signature", 403)
                $0.body = "<Error><Code>AccessDenied</Code></Error>"
            }
        }
        try await server.plan("\(prefix)/content/") { ($0.method, $0.cutAfter) = ("GET", 100) }
        let installed = shop.folder.file("installed")
        let bought = try await Program.run(
            "StoreTestApp",
            [
                "--expect", "1", "--install", installed.path, "--buy",
                "\(SampleShop.chapter):1",
            ], environment: try await shop.device("ada", address: address))
        #expect(bought.code == 0, "\(bought.errors) \(bought.output)")
        let noise = try FileManager.default.subpathsOfDirectory(atPath: installed.path)
        #expect(noise.contains { $0.hasSuffix("noise.bin") || $0.contains("noise") }, "\(noise)")
        let fetched = try await server.seen("\(prefix)/content/").filter { $0.method == "GET" }
        #expect(fetched.count > 2)
        for request in fetched {
            #expect(request.query.contains("X-Amz-Signature=") == redirects)
            guard redirects else { continue }
            // What a device carries for its store is not shown to the bucket.
            let names = Set(request.headers.keys)
            #expect(names.isDisjoint(with: ["HTTP_AUTHORIZATION", "HTTP_OPENSTORE_GRANT"]))
            #expect(!names.contains { $0.contains("GRANT") || $0.contains("COOKIE") })
        }
        // Another process needs nothing of this one's folder.
        for name in ["content", "uploads", "assets"] {
            #expect(!FileManager.default.fileExists(atPath: shop.folder.file("store/\(name)").path))
        }
        store.send(SIGTERM)
        let end = await store.end()
        #expect(!end.errors.contains(server.secret))
        #expect(!end.errors.contains("X-Amz-Signature"))
    }

    @Test func `a store does not start with a bucket that it can't use`() async throws {
        let server = try ObjectServer.shared
        let folder = try TemporaryFolder()
        for (option, environment, reason) in [
            (server.option("p"), ["AWS_SECRET_ACCESS_KEY": "wrong-hush"], "does not take the key"),
            ("s3://nothing-here?endpoint=\(server.address)", [:], "has no bucket nothing-here"),
            ("s3://b?endpoint=http://127.0.0.1:1", [:], "can't be reached"),
            ("s3://b?colour=red", [:], "there is no option colour"),
        ] {
            let result = try await Program.run(
                "openstore",
                [
                    "serve", "--data", folder.file("store").path, "--listen", "127.0.0.1:0",
                    "--content", option,
                ], environment: server.environment.merging(environment) { $1 })
            #expect(result.code != 0)
            #expect(result.errors.contains(reason), "\(result.errors)")
            #expect(!result.errors.contains("hush"))
        }
    }
}
