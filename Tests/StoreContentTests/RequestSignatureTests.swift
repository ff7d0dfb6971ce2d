import Foundation
import StoreSecurity
import Testing

@testable import StoreContent

/// The examples that Amazon publishes for signature version 4 of S3, with the keys and times of
/// its documentation.
@Suite struct RequestSignatureTests {
    private let signature = RequestSignature(
        credentials: ObjectCredentials(
            accessKey: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        region: "us-east-1")
    private let host = "examplebucket.s3.amazonaws.com"
    private let date = Date(timeIntervalSince1970: 1_369_353_600)

    private func signed(
        _ method: String, _ path: String, query: [(String, String)] = [],
        headers: [(String, String)] = [], payload: String = RequestSignature.empty
    ) -> String {
        let all = signature.headers(
            method, host: host, path: path, query: query, headers: headers, payload: payload,
            at: date)
        let value = all.last { $0.0 == "authorization" }?.1 ?? ""
        return String(value.suffix(64))
    }

    @Test func `the published requests have the published signatures`() {
        #expect(
            signed("GET", "/test.txt", headers: [("range", "bytes=0-9")])
                == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
        #expect(
            signed(
                "PUT", "/" + RequestSignature.encode("test$file.text"),
                headers: [
                    ("date", "Fri, 24 May 2013 00:00:00 GMT"),
                    ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
                ], payload: SHA256Digest.hex(Data("Welcome to Amazon S3.".utf8)))
                == "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd")
        #expect(
            signed("GET", "/", query: [("lifecycle", "")])
                == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
        #expect(
            signed("GET", "/", query: [("prefix", "J"), ("max-keys", "2")])
                == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test func `the published address has the published signature`() {
        let query = signature.query(
            "GET", host: host, path: "/test.txt", lifetime: 86_400, at: date)
        #expect(
            query.hasSuffix(
                "X-Amz-Signature="
                    + "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"))
    }

    @Test func `a session's token is signed`() {
        let session = RequestSignature(
            credentials: ObjectCredentials(accessKey: "A", secret: "b", sessionToken: "t/k"),
            region: "x")
        let headers = session.headers(
            "GET", host: "h", path: "/", payload: RequestSignature.empty, at: date)
        #expect(headers.contains { $0 == ("x-amz-security-token", "t/k") })
        let signed = headers.first { $0.0 == "authorization" }?.1 ?? ""
        #expect(
            signed.contains(
                "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,"))
        let query = session.query("GET", host: "h", path: "/", lifetime: 1, at: date)
        #expect(query.contains("X-Amz-Security-Token=t%2Fk"))
    }

    @Test func `names are encoded byte by byte, and sorted as they are encoded`() {
        #expect(RequestSignature.encode("a b/ü~", keepsSlashes: true) == "a%20b/%C3%BC~")
        #expect(RequestSignature.encode("a/b+c") == "a%2Fb%2Bc")
        #expect(
            RequestSignature.encoded([("b", "2"), ("a", "/"), ("a", ""), ("B", "=")])
                == "B=%3D&a=&a=%2F&b=2")
    }
}
