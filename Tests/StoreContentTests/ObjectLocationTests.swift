import Foundation
import StoreContent
import StoreTestSupport
import Testing

@testable import StoreContent

@Suite struct ObjectLocationTests {
    @Test func `Amazon's buckets have hosts of their own, others are parts of the path`() throws {
        let amazon = try ObjectLocation("s3://books/shop/?region=eu-central-1")
        #expect(amazon.host(amazon.endpoint) == "books.s3.eu-central-1.amazonaws.com")
        #expect(amazon.path(amazon.prefix + "a b") == "/shop/a%20b")
        let own = try ObjectLocation("s3://books?endpoint=http://127.0.0.1:9000")
        #expect(own.host(own.endpoint) == "127.0.0.1:9000")
        #expect(own.path("a") == "/books/a")
        #expect(own.path("") == "/books")
        #expect(own.prefix.isEmpty && own.redirects)
    }

    @Test func `clients are sent to the public address`() throws {
        let location = try ObjectLocation(
            "s3://b/p?endpoint=http://minio:9000&public=https://o.example.com&redirect=off"
                + "&style=host&ca=/etc/ca.pem")
        #expect(location.host(location.publicEndpoint) == "b.o.example.com")
        #expect(location.authorities == "/etc/ca.pem")
        #expect(!location.redirects)
    }

    @Test(
        arguments: [
            ("/var/content", "is not s3://"), ("s3:///prefix", "is not s3://"),
            ("s3://b?endpoint=ftp://h", "is not scheme, host and port"),
            ("s3://b?endpoint=http://h/path", "is not scheme, host and port"),
            ("s3://b?redirect=maybe", "is neither on nor off"),
            ("s3://b?secret=x", "there is no option secret"),
            ("s3://b?region=a&region=b", "region is given twice"),
        ]) func `an address that is none says why`(text: String, reason: String) throws
    {
        let error = try #require(throws: ObjectStoreError.self) { try ObjectLocation(text) }
        #expect(error.code == .address)
        #expect(error.description.contains(reason), "\(error)")
    }

    @Test(
        arguments: [
            "s3://AKIA:hush@b/p", "s3://AKIA:/hush@b/p", "s3://AKIA:hu/hush@b/p",
            "s3://AKIA@hush:9/p", "hush", "s3://b?endpoint=https://u:hush@h",
            "s3://b?endpoint=https://u:a&hush@h", "s3://b?public=http://hush@h",
            "s3://b?redirect=hush", "s3://b?style=hush", "s3://b?region=hush/+",
            "s3://b?hush/x=1&hush/x=2", "s3://b?Hush=1",
        ]) func `an address that is none is not repeated`(text: String) throws
    {
        let error = try #require(throws: ObjectStoreError.self) { try ObjectLocation(text) }
        #expect(error.code == .address)
        #expect(!error.description.lowercased().contains("hush"), "\(error)")
    }

    @Test func `keys of several sections are not mixed`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "credentials",
            """
            [default]
            aws_access_key_id = AK
            aws_secret_access_key = s
            [other]
            aws_session_token = of the other
            """)
        #expect(try ObjectCredentials(file: file).sessionToken == nil)
        let split = try folder.write(
            "split", "[a]\naws_access_key_id = AK\n[b]\naws_secret_access_key = s\n")
        #expect(throws: ObjectStoreError(.credentials, "")) { try ObjectCredentials(file: split) }
    }

    @Test func `keys come from the environment or a file, and are never shown`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            "credentials",
            """
            [default]
            aws_access_key_id = AK
            aws_secret_access_key = hush+/=
            [other]
            aws_access_key_id = XX
            """)
        let environment = ["AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": "hush+/="]
        for key in [
            try ObjectCredentials(file: file), try ObjectCredentials(environment: environment),
        ] {
            #expect(key.accessKey == "AK")
            #expect(key.secret == "hush+/=")
            var dumped = ""
            dump(key, to: &dumped)
            for text in ["\(key)", String(reflecting: key), dumped] {
                #expect(!text.contains("hush"))
            }
        }
        #expect(throws: ObjectStoreError(.credentials, "")) {
            try ObjectCredentials(environment: ["AWS_ACCESS_KEY_ID": "AK"])
        }
        let empty = try folder.write("empty", "hush")
        let error = try #require(throws: ObjectStoreError.self) {
            try ObjectCredentials(file: empty)
        }
        #expect(!error.description.contains("hush"))
    }
}
