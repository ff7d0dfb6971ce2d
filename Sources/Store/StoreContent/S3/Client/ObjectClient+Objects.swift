import Foundation
import StoreSecurity

/// An object in a list.
struct ObjectListing: Sendable, Hashable {
    /// Without the prefix of the location.
    let name: String
    let length: Int64
    let date: Date
}

extension ObjectClient {
    /// The length of an object in bytes; nil where there is none.
    func length(of name: String, isUrgent: Bool = false) throws -> UInt64? {
        var request = ObjectRequest("HEAD", location.prefix + name)
        request.expected = [404]
        request.isUrgent = isUrgent
        // Somebody may store it between the two questions.
        for _ in 1...2 {
            let answer = try send(request)
            guard answer.status == 404 else {
                guard let length = answer.length else {
                    throw ObjectStoreError(.answer, "The object store tells no length of \(name).")
                }
                return length
            }
            if try isMissing(name, isUrgent: isUrgent) { return nil }
        }
        throw ObjectStoreError(
            .answer, "The object store says that it has \(name), and that it has not. Try again.")
    }

    /// Asks for one byte of an object that a `HEAD` has not found: its answer has no body that
    /// says who it is from, and what.
    private func isMissing(_ name: String, isUrgent: Bool) throws -> Bool {
        var request = ObjectRequest("GET", location.prefix + name)
        request.headers = [("range", "bytes=0-0")]
        // An object without a byte does not have the first.
        request.expected = [404, 416]
        request.isUrgent = isUrgent
        let answer = try send(request)
        guard answer.status == 404 else { return false }
        guard answer.saysMissing else { throw ObjectRefusal(answer, request, self).error }
        return true
    }

    /// Reads an object, or a part of it, which goes on where a connection breaks.
    ///
    /// - Parameter sink: gets the bytes in order, none of them twice.
    /// - Returns: false where there is no such object.
    func read(
        _ name: String, _ range: Range<UInt64>? = nil,
        into sink: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws -> Bool {
        if let range, range.isEmpty { return try length(of: name) != nil }
        let start = range?.lowerBound ?? 0
        var wanted = range.map { $0.upperBound - $0.lowerBound }
        var received: UInt64 = 0
        var failures = 0
        while true {
            let before = received
            var request = ObjectRequest("GET", location.prefix + name)
            request.expected = [404]
            request.began = { answer in
                guard let length = answer.length else { return }
                // A copy of an object onto itself changes its tag and no byte, so only the
                // length tells one object from another.
                guard range != nil || wanted == nil || wanted == length else {
                    throw ObjectStoreError(.answer, "\(name) changed while it was read.")
                }
                if range == nil { wanted = length }
            }
            request.sink = { bytes in
                try sink(bytes)
                received += UInt64(bytes.count)
            }
            if range != nil || received > 0 {
                request.firstByte = start + received
                let end = range.map { String($0.upperBound - 1) } ?? ""
                request.headers = [("range", "bytes=\(start + received)-\(end)")]
            }
            do {
                let answer = try sendOnce(request)
                if answer.status == 404 {
                    guard answer.saysMissing, received == 0 else {
                        throw ObjectRefusal(answer, request, self).error
                    }
                    return false
                }
                if let wanted, received != wanted {
                    throw ObjectStoreError(
                        .answer,
                        "The object store sent \(received) bytes of \(name), not \(wanted).")
                }
                return true
            } catch let error as ObjectStoreError where error.code == .unreachable {
                if received > 0, received == wanted { return true }
                // With progress, for ever; without, as often as anything else.
                failures = received > before ? 1 : failures + 1
                guard failures < retryPolicy.attempts else { throw error }
                retryPolicy.sleep(retryPolicy.delay(after: failures))
            }
        }
    }

    /// All of a small object; nil where there is none.
    func data(of name: String, limit: Int) throws -> Data? {
        var data = Data()
        let isThere = try read(name) { bytes in
            guard data.count + bytes.count <= limit else {
                throw ObjectStoreError(.answer, "\(name) has more than \(limit) bytes.")
            }
            data.append(contentsOf: bytes)
        }
        return isThere ? data : nil
    }

    func store(_ data: Data, as name: String) throws {
        var request = ObjectRequest("PUT", location.prefix + name)
        request.body = .data(data)
        request.payload = SHA256Digest.hex(data)
        _ = try send(request)
    }

    /// Stores a small object where there is none. An object store that knows no conditions
    /// stores it in any case, so whoever asks reads it afterwards.
    func storeFirst(_ data: Data, as name: String) throws {
        var request = ObjectRequest("PUT", location.prefix + name)
        request.body = .data(data)
        request.payload = SHA256Digest.hex(data)
        request.headers = [("if-none-match", "*")]
        // Somebody was first, or is at this moment; or it knows no conditions.
        request.expected = [409, 412, 501]
        if try send(request).status == 501 { try store(data, as: name) }
    }

    /// Takes an object away; nothing happens where there is none.
    func remove(_ name: String, isUrgent: Bool = false) throws {
        var request = ObjectRequest("DELETE", location.prefix + name)
        request.expected = [404]
        request.isUrgent = isUrgent
        let answer = try send(request)
        guard answer.status != 404 || answer.saysMissing else {
            throw ObjectRefusal(answer, request, self).error
        }
    }

    /// Makes an object as new as if it were stored now.
    ///
    /// - Returns: false where there is none, or the object store does not copy one so large, or
    ///   any.
    func refresh(_ name: String) throws -> Bool {
        let key = location.prefix + name
        var request = ObjectRequest("PUT", key)
        request.headers = [
            (
                "x-amz-copy-source",
                "/\(location.bucket)/\(RequestSignature.encode(key, keepsSlashes: true))"
            ), ("x-amz-metadata-directive", "REPLACE"),
        ]
        request.expected = [400, 404, 405, 501]
        request.isSlow = true
        let answer = try send(request)
        guard answer.status == 200 else { return false }
        // It may have found out after the header was sent.
        return try ObjectMarkup(answer.body).root == "CopyObjectResult"
    }

    /// The objects whose names begin with something, in order.
    func list(_ beginning: String, each: (ObjectListing) throws -> Void) throws {
        try pages(["prefix": location.prefix + beginning]) { name, fields in
            guard name == "Contents", let rest = fields["Key"]?.dropping(prefix: location.prefix),
                let length = fields["Size"].flatMap({ Int64($0) }), length >= 0
            else { return }
            try each(
                ObjectListing(
                    name: String(rest), length: length,
                    date: fields["LastModified"].flatMap(ObjectMarkup.date) ?? .distantFuture))
        }
    }

    /// What stands between a beginning and the next slash, of the names that begin so.
    func folders(_ beginning: String) throws -> [String] {
        var found: [String] = []
        let start = location.prefix + beginning
        try pages(["prefix": start, "delimiter": "/"]) { name, fields in
            guard name == "CommonPrefixes",
                let folder = fields["Prefix"]?.dropping(prefix: start)?.dropping(suffix: "/")
            else { return }
            found.append(String(folder))
        }
        return found
    }

    /// - Parameter limit: objects of a page; nil for as many as the object store gives.
    func page(
        _ query: [String: String], limit: Int? = nil, after token: String? = nil
    ) throws -> ObjectMarkup {
        var request = ObjectRequest("GET", "")
        request.query = [("list-type", "2")] + query.map { ($0.key, $0.value) }
        if let limit { request.query.append(("max-keys", String(limit))) }
        if let token { request.query.append(("continuation-token", token)) }
        let markup = try ObjectMarkup(
            try send(request).body, repeated: ["Contents", "CommonPrefixes"])
        guard markup.root == "ListBucketResult" else {
            throw ObjectStoreError(
                .answer,
                "\(location.endpoint.absoluteString) does not answer as an object store does.")
        }
        return markup
    }

    private func pages(
        _ query: [String: String], each: (String, [String: String]) throws -> Void
    ) throws {
        var token: String?
        var seen: Set<String> = []
        while true {
            let page = try page(query, after: token)
            for record in page.records { try each(record.name, record.fields) }
            guard page.fields["IsTruncated"] == "true" else { return }
            guard let next = page.fields["NextContinuationToken"], !next.isEmpty,
                !page.records.isEmpty, seen.insert(next).inserted
            else { throw ObjectStoreError(.answer, "The object store's list has no end.") }
            token = next
        }
    }
}
