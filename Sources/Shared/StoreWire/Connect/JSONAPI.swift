/// Documents of the JSON:API form (jsonapi.org), as App Store Connect writes them: one
/// resource with its attributes.
package struct JSONAPIDocument<Attributes: Codable & Sendable>: Codable, Sendable {
    package var data: JSONAPIResource<Attributes>
    package var links: JSONAPILinks

    package init(data: JSONAPIResource<Attributes>, links: JSONAPILinks) {
        self.data = data
        self.links = links
    }
}

/// Several resources, the newest first.
package struct JSONAPIList<Attributes: Codable & Sendable>: Codable, Sendable {
    package struct Meta: Codable, Sendable {
        package struct Paging: Codable, Sendable {
            package var total: Int
            package var limit: Int
        }
        package var paging: Paging
    }

    package var data: [JSONAPIResource<Attributes>]
    package var links: JSONAPILinks
    package var meta: Meta

    package init(data: [JSONAPIResource<Attributes>], links: JSONAPILinks, limit: Int) {
        self.data = data
        self.links = links
        self.meta = Meta(paging: Meta.Paging(total: data.count, limit: limit))
    }
}

package struct JSONAPIResource<Attributes: Codable & Sendable>: Codable, Sendable {
    package var type: String
    package var id: String
    package var attributes: Attributes
    package var links: JSONAPILinks

    package init(type: String, id: String, attributes: Attributes, links: JSONAPILinks) {
        self.type = type
        self.id = id
        self.attributes = attributes
        self.links = links
    }
}

package struct JSONAPILinks: Codable, Sendable, Hashable {
    /// The path of the resource; the host is the one that was asked.
    package var `self`: String

    package init(self path: String) {
        self.`self` = path
    }
}

/// What a client sends to make a resource, or to change the one with the identifier.
package struct JSONAPIRequest<Attributes: Codable & Sendable>: Codable, Sendable {
    package struct Resource: Codable, Sendable {
        package var type: String
        package var id: String?
        package var attributes: Attributes
    }

    package var data: Resource

    package init(type: String, id: String? = nil, attributes: Attributes) {
        data = Resource(type: type, id: id, attributes: attributes)
    }
}

/// The body of every answer that is not a success.
package struct JSONAPIErrors: Error, Codable, Sendable, Hashable, CustomStringConvertible {
    package var errors: [JSONAPIError]

    package init(_ errors: [JSONAPIError]) {
        self.errors = errors
    }

    /// What is wrong and what to do, for people.
    package var description: String {
        errors.map { error in
            [error.detail ?? error.title, error.meta?.reason].compactMap { $0 }
                .joined(separator: " ")
        }.joined(separator: "\n")
    }
}

/// One thing that is wrong.
package struct JSONAPIError: Codable, Sendable, Hashable {
    /// Where in the request it is: a JSON pointer, or a parameter's name.
    package struct Source: Codable, Sendable, Hashable {
        package var pointer: String?
        package var parameter: String?

        package init(pointer: String? = nil, parameter: String? = nil) {
            self.pointer = pointer
            self.parameter = parameter
        }
    }

    /// What programs can go on with.
    package struct Meta: Codable, Sendable, Hashable {
        /// Why a token is not taken.
        package var reason: String?
        /// What has to be sent before an upload can be committed.
        package var missingParts: [PartRange]?
        /// The name of the store's rule that refuses it.
        package var rule: String?
        /// The line of a file, counted from 1.
        package var line: Int?

        package init(
            reason: String? = nil, missingParts: [PartRange]? = nil, rule: String? = nil,
            line: Int? = nil
        ) {
            self.reason = reason
            self.missingParts = missingParts
            self.rule = rule
            self.line = line
        }
    }

    /// Where the store failed: what its log calls the request.
    package var id: String?
    /// The HTTP status, as text.
    package var status: String
    package var code: String
    package var title: String
    /// One sentence: what was wrong and what to do.
    package var detail: String?
    package var source: Source?
    package var meta: Meta?

    package init(
        status: Int, code: String, title: String, detail: String?, source: Source? = nil,
        meta: Meta? = nil
    ) {
        self.status = String(status)
        self.code = code
        self.title = title
        self.detail = detail
        self.source = source
        self.meta = meta
    }
}
