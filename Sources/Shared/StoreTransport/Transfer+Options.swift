import CStoreCurl
import Foundation

extension Transfer {
    /// Tells libcurl everything about the request.
    func prepare() {
        setText(CURLOPT_URL, request.url)
        setNumber(CURLOPT_PATH_AS_IS, 1)
        setText(CURLOPT_PROTOCOLS_STR, configuration.allowsPlainHTTP ? "http,https" : "https")
        setNumber(CURLOPT_FOLLOWLOCATION, 0)
        if !configuration.usesProxies {
            setText(CURLOPT_PROXY, "")
            setText(CURLOPT_NOPROXY, "*")
        }
        // What a proxy answers to CONNECT is no part of the response.
        setNumber(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        setNumber(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let authorities = configuration.authorities { setText(CURLOPT_CAINFO, authorities) }
        setNumber(CURLOPT_NOSIGNAL, 1)
        // A name server that doesn't answer would otherwise hold the thread, and so all requests,
        // at the request's end.
        setNumber(CURLOPT_QUICK_EXIT, 1)
        setNumber(CURLOPT_TCP_KEEPALIVE, 1)
        setLimits()
        setHeaders()
        setMethodAndBody()
        setCallbacks()
    }

    private func setLimits() {
        let limits = request.limits
        setNumber(CURLOPT_CONNECTTIMEOUT_MS, limits.connectTimeout.curlMilliseconds)
        setNumber(CURLOPT_LOW_SPEED_LIMIT, max(1, limits.minimumSpeed))
        setNumber(CURLOPT_LOW_SPEED_TIME, limits.idleTimeout.curlSeconds)
        if let deadline = limits.deadline {
            setNumber(CURLOPT_TIMEOUT_MS, deadline.curlMilliseconds)
        }
        // Each transfer has one; small responses need no large one.
        let most = 256 << 10
        setNumber(CURLOPT_BUFFERSIZE, min(most, max(16 << 10, limits.bodySize ?? most)))
    }

    private func setHeaders() {
        for (name, value) in request.headers where name.lowercased() != "content-length" {
            // Without the semicolon libcurl would leave a field without a value out.
            var line = value.isEmpty ? name + ";" : "\(name): \(value)"
            line.unicodeScalars.removeAll { $0 == "\r" || $0 == "\n" || $0 == "\0" }
            fields = curl_slist_append(fields, line)
        }
        // No round trip before a body.
        fields = curl_slist_append(fields, "Expect:")
        if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            // libcurl would say that it is a form.
            fields = curl_slist_append(fields, "Content-Type:")
        }
        cstore_curl_set_list(handle, CURLOPT_HTTPHEADER, fields)
    }

    private func setMethodAndBody() {
        switch request.body {
        case .none:
            switch request.method {
            case "HEAD": setNumber(CURLOPT_NOBODY, 1)
            // Without it there would be no Content-Length, which servers want.
            case "POST", "PUT", "PATCH": set(Data())
            default: break
            }
        case .data(let data): set(data)
        case .file, .stream:
            setNumber(CURLOPT_UPLOAD, 1)
            setNumber(CURLOPT_UPLOAD_BUFFERSIZE, 256 << 10)
            cstore_curl_set_size(
                handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(request.body.length ?? -1))
        }
        setText(CURLOPT_CUSTOMREQUEST, request.method)
    }

    private func set(_ body: Data) {
        setNumber(CURLOPT_POST, 1)
        cstore_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        guard !body.isEmpty else { return setText(CURLOPT_COPYPOSTFIELDS, "") }
        body.withUnsafeBytes { bytes in
            // libcurl copies them.
            _ = cstore_curl_set_pointer(
                handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            )
        }
    }

    private func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let contexts = [
            CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA,
            CURLOPT_SEEKDATA, CURLOPT_OPENSOCKETDATA,
        ]
        for option in contexts { cstore_curl_set_pointer(handle, option, context) }
        cstore_curl_set_sink(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            Transfer.from(context).takeHeader(
                UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        cstore_curl_set_sink(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            Transfer.from(context).take(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        cstore_curl_set_sink(handle, CURLOPT_READFUNCTION) { bytes, size, count, context in
            Transfer.from(context).give(
                UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        }
        cstore_curl_set_seek(handle) { context, offset, origin in
            guard origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
            return Transfer.from(context).seek(to: Int64(offset))
        }
        cstore_curl_set_opener(handle) { context, _, address in
            guard let address else { return -1 }
            return Transfer.from(context).open(address)
        }
    }

    private func setText(_ option: CURLoption, _ value: String) {
        cstore_curl_set_text(handle, option, value)
    }

    private func setNumber(_ option: CURLoption, _ value: Int) {
        cstore_curl_set_number(handle, option, value)
    }
}
