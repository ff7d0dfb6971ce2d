import StoreCore
import StoreWire

extension ResourceType {
    /// Who may fetch the partner feed.
    static let feedPartners = ResourceType(
        "feedPartners", at: "/openstore/v1/feedPartners", reading: .managePartners,
        shape: ResourceShape([
            "name": .text(1...200), "userName": .text(1...100), "active": .flag,
            // Only in the answer to the request that makes it.
            "password": .optional(.text(1...200)),
            "createdDate": .dateTime, "lastUseDate": .optional(.dateTime),
        ]),
        find: { call, id in
            Resource(
                try await call.services.feedPartners.partner(
                    ConnectCall.number(id, of: "feed partner"), by: call.actor))
        })

    /// Another password for a partner; the one before is worth nothing from then on.
    static let feedPartnerPasswords = ResourceType(
        "feedPartnerPasswords", at: "/openstore/v1/feedPartnerPasswords",
        reading: .managePartners,
        shape: ResourceShape(["userName": .text(1...100), "password": .text(1...200)]),
        relationships: [.one("partner", to: "feedPartners") { _, _ in nil }])
}

extension Resource {
    /// - Parameter password: told this once.
    init(_ partner: FeedPartner, password: String? = nil) {
        self.init(
            .feedPartners, id: String(partner.id),
            [
                "name": .string(partner.name), "userName": .string(partner.userName),
                "active": .bool(partner.isActive), "password": .text(password),
                "createdDate": .time(partner.created), "lastUseDate": .time(partner.lastUse),
            ])
    }
}

extension ConnectOperation {
    static let feedPartners: [ConnectOperation] =
        reading(.feedPartners) + [
            .list(.feedPartners, .managePartners) { call in
                try await call.services.feedPartners.page(call.page(), by: call.actor)
                    .map { Resource($0) }
            },
            .create(
                .feedPartners, .managePartners, required: ["name"], optional: ["userName"]
            ) { call in
                let made = try await call.services.feedPartners.create(
                    name: try call.data.text("name"),
                    userName: call.data.optionalText("userName"), by: call.actor)
                return Resource(made.partner, password: made.password)
            },
            .update(.feedPartners, .managePartners, changing: ["name", "active"]) { call in
                Resource(
                    try await call.services.feedPartners.change(
                        ConnectCall.number(call.id, of: "feed partner"),
                        name: call.data.optionalText("name"), isActive: call.data.flag("active"),
                        by: call.actor))
            },
            .create(.feedPartnerPasswords, .managePartners, required: ["partner"]) { call in
                let made = try await call.services.feedPartners.renewPassword(
                    of: ConnectCall.number(try call.data.one("partner"), of: "feed partner"),
                    by: call.actor)
                return Resource(
                    .feedPartnerPasswords, id: String(made.partner.id),
                    [
                        "userName": .string(made.partner.userName),
                        "password": .string(made.password),
                    ],
                    links: [
                        "partner": [
                            ResourceLink(type: "feedPartners", id: String(made.partner.id))
                        ]
                    ])
            },
        ]
}
