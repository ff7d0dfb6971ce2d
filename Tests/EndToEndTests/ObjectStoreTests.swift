import Foundation
import FoundationNetworking
import StoreKit
import StoreTestSupport
import Testing

/// A store that keeps its content in a bucket.
struct ObjectStores {
    /// Whoever comes first starts it.
    private static func server() async throws -> ObjectServer {
        try await onThread { try ObjectServer.shared }
    }

    @Test(arguments: ["", "&redirect=off"])
    func `content goes into the bucket, and from there to devices`(option: String) async throws {
        let server = try await Self.server()
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
        let fetched = try await server.seen("\(prefix)/content/").filter {
            // Whoever stores something asks first whether it is there.
            $0.method == "GET" && $0.range != "bytes=0-0"
        }
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

    @Test func `content that is gone from the bucket is not asked for again and again`()
        async throws
    {
        let server = try await Self.server()
        let prefix = "gone-\(UUID().uuidString)"
        let shop = try await Shop(
            noiseBytes: 1000,
            environment: server.environment.merging(["OPENSTORE_CONTENT": server.option(prefix)]) {
                $1
            })
        let (store, address) = try await shop.serve()
        try await server.plan("\(prefix)/content/") {
            ($0.method, $0.query, $0.status, $0.times) = ("GET", "X-Amz-Signature", 404, 1000)
            $0.body = "<Error><Code>NoSuchKey</Code></Error>"
        }
        let bought = try await Program.run(
            "StoreTestApp",
            [
                "--expect", "1", "--install", shop.folder.file("installed").path, "--keep-failed",
                "--buy", "\(SampleShop.chapter):1",
            ], environment: try await shop.device("ada", address: address))
        #expect(bought.code == 3, "\(bought.errors) \(bought.output)")
        let asked = try await server.seen("\(prefix)/content/").filter {
            $0.query.contains("X-Amz-Signature")
        }
        #expect(asked.count == 1)
        store.send(SIGTERM)
        _ = await store.end()
    }

    @Test func `a film is fetched as far as a player needs it`() async throws {
        let server = try await Self.server()
        let prefix = "film-\(UUID().uuidString)"
        let shop = try await Shop(
            noiseBytes: 1000,
            environment: server.environment.merging(["OPENSTORE_CONTENT": server.option(prefix)]) {
                $1
            })
        let (store, address) = try await shop.serve()
        let media = try await Film(of: 20 << 20, in: shop, at: address)
        var bytes = Data()
        while bytes.count < media.bytes.count {
            let (data, response) = try await media.get("bytes=\(bytes.count)-")
            #expect(response.statusCode == 206)
            #expect(data.count <= 8 << 20)
            #expect(
                response.value(forHTTPHeaderField: "Content-Range")
                    == "bytes \(bytes.count)-\(bytes.count + data.count - 1)/\(20 << 20)")
            try #require(!data.isEmpty)
            bytes += data
        }
        #expect(bytes == media.bytes)
        let ranges = try await server.seen("\(prefix)/assets/kept/").filter {
            $0.method == "GET" && !["", "bytes=0-0"].contains($0.range)
        }.map(\.range)
        #expect(
            ranges == [
                "bytes=0-8388607", "bytes=8388608-16777215", "bytes=16777216-20971519",
            ])
        store.send(SIGTERM)
        _ = await store.end()
    }

    /// A sound that everybody may fetch.
    private struct Film {
        let bytes: Data
        private let address: URL

        init(of size: Int, in shop: Shop, at store: String) async throws {
            let made = try await shop.command([
                "api-key", "create", "--name", "k", "--role", "admin", "--team", "Publisher",
                "--output", shop.folder.url.path, "--data", shop.data, "--json",
            ])
            let row = try #require(
                try JSONSerialization.jsonObject(with: Data(made.utf8)) as? [String: Any])
            let access = [
                "--store", store, "--key", try #require(row["file"] as? String), "--data",
                shop.data,
            ]
            let item = try await shop.command(
                [
                    "item", "create", "--kind", "song", "--title", "Light", "--genre", "Music",
                    "--artist", "Hanna Holm", "--quiet",
                ] + access
            ).trimmingCharacters(in: .whitespacesAndNewlines)
            bytes = Data("OggS".utf8) + SampleShop.noise(size - 4, seed: 3)
            let file = try shop.folder.write("light.ogg", bytes)
            let media = try await shop.command(
                ["item", "media", item, file.path, "--kind", "audioPreview", "--quiet"] + access
            ).trimmingCharacters(in: .whitespacesAndNewlines)
            let booklet = try shop.folder.write("booklet.pdf", Data("%PDF-1.4\n".utf8))
            try await shop.command(
                ["item", "media", item, booklet.path, "--kind", "download"] + access)
            try await shop.command(["item", "publish", item] + access)
            address = try #require(URL(string: "\(store)/media/\(media)/light.ogg"))
        }

        func get(_ range: String) async throws -> (Data, HTTPURLResponse) {
            var request = URLRequest(url: address)
            request.setValue(range, forHTTPHeaderField: "Range")
            request.timeoutInterval = 3600
            return try await HTTPTransport().send(request)
        }
    }

    @Test func `a package is read once, by who processes it`() async throws {
        let server = try await Self.server()
        let prefix = "parts-\(UUID().uuidString)"
        let shop = try await Shop(
            noiseBytes: 1000,
            environment: server.environment.merging(["OPENSTORE_CONTENT": server.option(prefix)]) {
                $1
            })
        try await shop.command([
            "content", "host", SampleShop.badge, "--app", SampleShop.bundleID.text, "--data",
            shop.data,
        ])
        try await shop.command([
            "api-key", "create", "--name", "test", "--data", shop.data, "-o", shop.data,
        ])
        let folder = shop.folder
        try folder.write(
            "badge/ContentInfo.plist", SampleShop.contentInfo(SampleShop.badge, version: "1.0"))
        try folder.write("badge/Contents/noise", SampleShop.noise(5 << 19, seed: 11))
        let package = folder.file("badge.pkg").path
        try await shop.command(["content", "build", folder.file("badge").path, "-o", package])
        let (store, address) = try await shop.serve()
        try await shop.command([
            "content", "upload", package, "--app", SampleShop.bundleID.text, "--product",
            SampleShop.badge, "--store", address, "--data", shop.data,
        ])
        let read = try await server.seen("\(prefix)/uploads/").filter {
            $0.method == "GET" && !$0.path.hasSuffix(ObjectServer.bucket)
                && !$0.path.hasSuffix("\(ObjectServer.bucket)/")
        }
        #expect(read.count == 3)
        #expect(Set(read.map(\.path)).count == 3)
        store.send(SIGTERM)
        _ = await store.end()
    }

    @Test func `commands that touch no content work while the bucket does not`() async throws {
        let shop = try await Shop(noiseBytes: 1000)
        let environment = [
            "OPENSTORE_CONTENT": "s3://b?endpoint=http://127.0.0.1:1", "AWS_ACCESS_KEY_ID": "a",
            "AWS_SECRET_ACCESS_KEY": "b",
        ]
        let keys = try await Program.run(
            "openstore", ["certificate", "list", "--data", shop.data], environment: environment)
        #expect(keys.code == 0, "\(keys.errors)")
        let imported = try await Program.run(
            "openstore",
            [
                "catalog", "import", shop.folder.file("shop.storekit").path, "--content",
                shop.folder.file("content").path, "--bundle-id", SampleShop.bundleID.text,
                "--data", shop.data,
            ], environment: environment)
        #expect(imported.code != 0)
        #expect(imported.errors.contains("can't be reached"), "\(imported.errors)")
    }

    @Test func `a store does not start with a bucket that it can't use`() async throws {
        let server = try await Self.server()
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
