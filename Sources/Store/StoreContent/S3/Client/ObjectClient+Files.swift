import Foundation
import StoreModel
import StoreSecurity

extension ObjectClient {
    /// Files of more bytes are sent in parts of this size, or larger ones: there are at most
    /// 10,000 parts.
    static let partSize: Int64 = 16 << 20
    private static let partCount: Int64 = 9_000

    /// Stores a file, which nobody sees before all of it is there.
    ///
    /// - Parameters:
    ///   - digest: SHA-256 of the file. The object store compares each part with its own
    ///     digest; all of them together are compared here.
    ///   - proceed: ends the work by an error, between two parts.
    /// - Throws: `ObjectStoreError` with `damaged` where the file has another digest.
    func store(
        file: URL, as name: String, digest: ContentDigest, partSize: Int64 = partSize,
        proceed: () throws -> Void = {}
    ) throws {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ObjectStoreError.system(file.path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw ObjectStoreError.system(file.path) }
        let length = Int64(status.st_size)
        guard length > partSize else {
            let whole = SHA256Digest()
            let payload = try Self.digest(descriptor, 0..<length, whole)
            try Self.check(whole, digest, name)
            try proceed()
            try send(descriptor, 0..<length, payload, to: name)
            return
        }
        try storeInParts(
            descriptor, length, as: name, digest: digest,
            partSize: max(partSize, (length + Self.partCount - 1) / Self.partCount),
            proceed: proceed)
    }

    private func storeInParts(
        _ descriptor: Int32, _ length: Int64, as name: String, digest: ContentDigest,
        partSize: Int64, proceed: () throws -> Void
    ) throws {
        let id = try beginParts(name)
        var isCompleting = false
        do {
            let whole = SHA256Digest()
            var parts: [String] = []
            var start: Int64 = 0
            while start < length {
                try proceed()
                let range = start..<min(length, start + partSize)
                let payload = try Self.digest(descriptor, range, whole)
                let answer = try send(
                    descriptor, range, payload, to: name,
                    query: [("partNumber", String(parts.count + 1)), ("uploadId", id)])
                guard let tag = answer.headers["etag"], tag.count < 200 else {
                    throw ObjectStoreError(.answer, "The object store names no part it has taken.")
                }
                parts.append(tag)
                start = range.upperBound
            }
            try Self.check(whole, digest, name)
            isCompleting = true
            try complete(name, id, parts, length)
        } catch {
            // Where this fails too, it is found when it is a day old.
            let wasThere = (try? abort(name, id)) ?? true
            // Nobody else gives it up: where it is gone, it was put together, whatever was heard.
            if isCompleting, !wasThere, (try? self.length(of: name)) == UInt64(length) { return }
            throw error
        }
    }

    @discardableResult
    private func send(
        _ descriptor: Int32, _ range: Range<Int64>, _ payload: String, to name: String,
        query: [(String, String)] = []
    ) throws -> ObjectAnswer {
        var request = ObjectRequest("PUT", location.prefix + name)
        request.query = query
        request.body = .file(descriptor: descriptor, range: range)
        request.payload = payload
        return try send(request)
    }

    private func beginParts(_ name: String) throws -> String {
        var request = ObjectRequest("POST", location.prefix + name)
        request.query = [("uploads", "")]
        let markup = try ObjectMarkup(try send(request).body)
        guard let id = markup.fields["UploadId"], !id.isEmpty else {
            throw ObjectStoreError(.answer, "The object store begins no upload in parts.")
        }
        return id
    }

    private func complete(_ name: String, _ id: String, _ tags: [String], _ length: Int64) throws {
        let parts = tags.enumerated().map { number, tag in
            let escaped = tag.replacing(scalar: "&", with: "&amp;")
                .replacing(scalar: "<", with: "&lt;")
            return "<Part><PartNumber>\(number + 1)</PartNumber><ETag>\(escaped)</ETag></Part>"
        }
        let body = Data(
            ("<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                + parts.joined() + "</CompleteMultipartUpload>").utf8)
        var request = ObjectRequest("POST", location.prefix + name)
        request.query = [("uploadId", id)]
        request.body = .data(body)
        request.payload = SHA256Digest.hex(body)
        request.expected = [404]
        request.isSlow = true
        for _ in 1...retryPolicy.attempts {
            let answer = try send(request)
            // One whose answer was lost is known no longer, and the object is there.
            if answer.status == 404 {
                guard answer.saysMissing, try self.length(of: name) == UInt64(length) else {
                    throw ObjectRefusal(answer, request, self).error
                }
                return
            }
            let markup = try ObjectMarkup(answer.body)
            if markup.root == "CompleteMultipartUploadResult" { return }
            // It may find out that it can't after the header was sent.
            guard ["InternalError", "SlowDown"].contains(markup.fields["Code"]) else {
                throw ObjectRefusal(answer, request, self).error
            }
            retryPolicy.sleep(retryPolicy.delay(after: 1))
        }
        throw ObjectStoreError(.unreachable, "The object store does not put \(name) together.")
    }

    /// - Returns: false where there is no such upload, or not any longer.
    @discardableResult
    private func abort(_ name: String, _ id: String) throws -> Bool {
        var request = ObjectRequest("DELETE", location.prefix + name)
        request.query = [("uploadId", id)]
        request.expected = [404]
        let answer = try send(request)
        guard answer.status != 404 || answer.saysMissing else {
            throw ObjectRefusal(answer, request, self).error
        }
        return answer.status != 404
    }

    /// Gives up what a process that has ended had begun to send in parts.
    ///
    /// - Returns: how many there were.
    package func abandonParts(before date: Date) throws -> Int {
        var count = 0
        var marker: (key: String, id: String)?
        var seen: Set<[String]> = []
        while true {
            var request = ObjectRequest("GET", "")
            request.query = [("uploads", ""), ("prefix", location.prefix)]
            if let marker {
                request.query += [("key-marker", marker.key), ("upload-id-marker", marker.id)]
            }
            let page = try ObjectMarkup(try send(request).body, repeated: ["Upload"])
            for (_, fields) in page.records {
                guard let name = fields["Key"]?.dropping(prefix: location.prefix),
                    let id = fields["UploadId"],
                    let begun = fields["Initiated"].flatMap(ObjectMarkup.date), begun < date
                else { continue }
                try abort(String(name), id)
                count += 1
            }
            guard page.fields["IsTruncated"] == "true" else { return count }
            guard let key = page.fields["NextKeyMarker"],
                let id = page.fields["NextUploadIdMarker"], seen.insert([key, id]).inserted
            else { throw ObjectStoreError(.answer, "The object store's list has no end.") }
            marker = (key, id)
        }
    }

    private static func check(
        _ whole: SHA256Digest, _ digest: ContentDigest, _ name: String
    ) throws {
        guard SHA256Digest.hexadecimal(whole.finish()) == digest.text else {
            throw ObjectStoreError(.damaged, "\(name) has other bytes than its name says.")
        }
    }

    /// SHA-256 of a part of a file, which is added to that of the whole.
    private static func digest(
        _ descriptor: Int32, _ range: Range<Int64>, _ whole: SHA256Digest
    ) throws -> String {
        let part = SHA256Digest()
        var done = range.lowerBound
        try withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
            while done < range.upperBound {
                let wanted = min(buffer.count, Int(range.upperBound - done))
                let count = pread(descriptor, buffer.baseAddress, wanted, off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw ObjectStoreError.system("a file to be stored") }
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                part.update(bytes)
                whole.update(bytes)
                done += Int64(count)
            }
        }
        return SHA256Digest.hexadecimal(part.finish())
    }
}
