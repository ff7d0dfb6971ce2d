import StoreCore
import StoreHTTP
import StoreModel
import StoreWire

extension JSONAPIErrors {
    /// The 401 of App Store Connect, word for word, with our reason beside it.
    static func unauthorized(_ reason: String) -> JSONAPIErrors {
        JSONAPIErrors([
            JSONAPIError(
                status: 401, code: "NOT_AUTHORIZED",
                title: "Authentication credentials are missing or invalid.",
                detail: "Provide a properly configured and signed bearer token, and make sure that "
                    + "it has not expired. Learn more about Generating Tokens for API Requests "
                    + "https://developer.apple.com/go/?id=api-generating-tokens",
                meta: JSONAPIError.Meta(reason: reason))
        ])
    }

    static func forbidden(_ actor: ConnectActor) -> JSONAPIErrors {
        let roles = actor.roles.map(\.rawValue).sorted().joined(separator: ", ")
        let sentence =
            switch actor.kind {
            case .key: "A key with the role \(roles) may not do this; use one with another role."
            case .person, .machine, .nobody:
                (roles.isEmpty ? "Who has no role" : "The role \(roles)")
                    + " may not do this; ask somebody who has another role, or for that role."
            }
        return one(
            403, "FORBIDDEN_ERROR", "This request is forbidden for security reasons",
            sentence)
    }

    static func notFound(_ detail: String) -> JSONAPIErrors {
        one(404, "NOT_FOUND", "The specified resource does not exist", detail)
    }

    static func parameter(_ name: String, _ detail: String) -> JSONAPIErrors {
        one(
            400, "PARAMETER_ERROR.INVALID", "A parameter has an invalid value", detail,
            source: JSONAPIError.Source(parameter: name))
    }

    static func malformed(_ detail: String) -> JSONAPIErrors {
        one(
            422, "ENTITY_UNPROCESSABLE", "The request entity is not of the right form", detail)
    }

    static func one(
        _ status: Int, _ code: String, _ title: String, _ detail: String,
        source: JSONAPIError.Source? = nil, meta: JSONAPIError.Meta? = nil
    ) -> JSONAPIErrors {
        JSONAPIErrors([
            JSONAPIError(
                status: status, code: code, title: title, detail: detail, source: source,
                meta: meta)
        ])
    }

    /// The HTTP status of the answer.
    var status: Int { errors.first.flatMap { Int($0.status) } ?? 500 }

    /// - Parameter call: says whether a field is an attribute, a relationship or a parameter.
    init(_ refusal: ConnectRefusal, in call: ConnectCall?) {
        let meta = JSONAPIError.Meta(rule: refusal.rule)
        switch refusal.kind {
        case .notFound:
            if let link = call?.missingLink(of: refusal) {
                self = JSONAPIErrors([
                    .entity(.invalid, at: link, refusal.description, meta: meta)
                ])
            } else {
                self = .one(
                    404, "NOT_FOUND", "The specified resource does not exist",
                    refusal.description, meta: meta)
            }
        case .forbidden:
            self = .one(
                403, "FORBIDDEN_ERROR", "This request is forbidden for security reasons",
                refusal.description, meta: meta)
        case .tooMany:
            self = .one(
                429, "RATE_LIMIT_EXCEEDED", "There are too many requests", refusal.description,
                meta: meta)
        case .state:
            self = .one(
                409, "STATE_ERROR.\(Self.code(refusal.rule))",
                "The request can't be fulfilled in the current state of the resource",
                refusal.description, meta: meta)
        case .invalid where refusal.field == "cursor" || call?.request.method == "GET":
            self = JSONAPIErrors([.parameter(refusal.field ?? "", refusal.description)])
        case .invalid, .taken:
            self = JSONAPIErrors([
                .entity(
                    refusal.kind == .taken ? .duplicate : .invalid,
                    at: Self.pointer(to: refusal.field, in: call), refusal.description,
                    meta: meta)
            ])
        }
    }

    private static func pointer(to field: String?, in call: ConnectCall?) -> String {
        guard let field else { return "/data" }
        let isRelationship = call?.data.hasRelationship(field) ?? false
        return "/data/\(isRelationship ? "relationships" : "attributes")/\(field)"
    }

    /// `productIDTaken` as `PRODUCT_ID_TAKEN`.
    private static func code(_ rule: String) -> String {
        var code = ""
        var wasSmall = false
        for letter in rule {
            if letter.isUppercase, wasSmall { code.append("_") }
            wasSmall = letter.isLowercase || letter.isNumber
            code.append(letter == "." ? "_" : letter.uppercased())
        }
        return code
    }

    init(_ refusal: ContentRefusal) {
        switch refusal {
        case .unknownApp, .unknownProduct, .unknownBuild:
            self = .notFound(refusal.description)
        default:
            self = .one(
                409, "STATE_ERROR", "The request can't be fulfilled in the product's state",
                refusal.description)
        }
    }

    init(_ refusal: UploadRefusal) {
        let detail = refusal.description
        switch refusal {
        case .unknown: self = .notFound(detail)
        case .nameInvalid: self = .attribute("fileName", detail)
        case .empty, .tooLarge: self = .attribute("fileSize", detail)
        case .tooMany:
            self = .one(
                409, "STATE_ERROR.TOO_MANY_UPLOADS", "Too many uploads are on their way", detail)
        case .shareUsed:
            self = .one(
                409, "STATE_ERROR.TOO_MANY_UPLOADS", "The team's share of the disk is used", detail)
        case .diskFull:
            self = .one(507, "INSUFFICIENT_STORAGE", "The store has no space left", detail)
        case .noSuchPart: self = .notFound(detail)
        case .partLength: self = .parameter("Content-Length", detail)
        case .missing(let ranges):
            self = .one(
                409, "STATE_ERROR.PARTS_MISSING", "Parts of the file are missing", detail,
                meta: JSONAPIError.Meta(missingParts: ranges.map(PartRange.init)))
        case .otherFile:
            self = .one(
                409, "STATE_ERROR.OTHER_FILE", "The parts are not the announced file", detail)
        case .closed:
            self = .one(
                409, "STATE_ERROR.UPLOAD_CLOSED", "The upload is closed", detail)
        case .busy:
            self = .one(409, "STATE_ERROR.UPLOAD_BUSY", "The upload is busy", detail)
        }
    }

    private static func attribute(_ name: String, _ detail: String) -> JSONAPIErrors {
        one(
            409, "ENTITY_ERROR.ATTRIBUTE.INVALID", "An attribute value is invalid.", detail,
            source: JSONAPIError.Source(pointer: "/data/attributes/\(name)"))
    }
}

extension PartRange {
    init(_ range: ClosedRange<Int>) {
        self.init(first: range.lowerBound, last: range.upperBound)
    }
}

extension HTTPResponse {
    /// A refusal or failure in the form of App Store Connect.
    static func failure(_ errors: JSONAPIErrors) -> HTTPResponse {
        var errors = errors
        if errors.status >= 500, let id = RequestTrace.current?.id {
            for index in errors.errors.indices { errors.errors[index].id = id }
        }
        var response =
            (try? HTTPResponse.json(errors, status: errors.status))
            ?? HTTPResponse(status: errors.status)
        if errors.status == 401 { response.headers["WWW-Authenticate"] = "Bearer" }
        return response
    }
}
