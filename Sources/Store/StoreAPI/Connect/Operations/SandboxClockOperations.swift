import Foundation
import StoreCore
import StoreModel
import StoreWire

extension ResourceType {
    /// Clocks of their own for testers, or for all testers in an app. A change of the date advances
    /// one: everything that falls due until then happens, and servers are told, before the answer.
    static let sandboxClocks = ResourceType(
        "sandboxClocks", at: "/openstore/v1/sandboxClocks", reading: .manageTesters,
        shape: ResourceShape([
            "name": .text(1...100), "date": .dateTime, "createdDate": .dateTime,
        ]),
        find: { call, id in
            Resource(
                try await call.services.sandboxClocks.clock(sandboxClock(id), by: call.actor))
        },
        relationships: [
            .team { call, id in
                try await call.services.sandboxClocks.clock(sandboxClock(id), by: call.actor)
                    .clock.team
            },
            .many("testers", to: "sandboxTesters") { call, wanted in
                let shown = try await shown(wanted.id, call)
                return try await page(of: shown.testers, wanted.page) { id in
                    Resource(own: try await call.services.testers.tester(id, by: call.actor))
                }
            },
            .many("apps", to: "apps") { call, wanted in
                let shown = try await shown(wanted.id, call)
                return try await page(of: shown.apps, wanted.page) { id in
                    Resource(try await call.services.apps.app(id, by: call.actor))
                }
            },
            // What has not arrived at servers.
            .many("undeliveredNotifications", to: "notifications") { call, wanted in
                try ListPage(of: await shown(wanted.id, call).undelivered, wanted.page)
                    .map { Resource($0) }
            },
        ])

    private static func shown(
        _ id: String, _ call: ConnectCall
    ) async throws -> SandboxClockService.Shown {
        try await call.services.sandboxClocks.clock(sandboxClock(id), by: call.actor)
    }

    private static func page<ID>(
        of ids: [ID], _ request: PageRequest, _ resource: (ID) async throws -> Resource
    ) async throws -> ListPage<Resource> {
        var resources: [Resource] = []
        for id in ids { resources.append(try await resource(id)) }
        return try ListPage(of: resources, request)
    }

    /// - Throws: `ConnectRefusal.notFound` for text that is no identifier.
    static func sandboxClock(_ text: String) throws -> Int64 {
        try ConnectCall.number(text, of: "sandbox clock")
    }
}

extension Resource {
    init(_ shown: SandboxClockService.Shown) {
        self.init(
            .sandboxClocks, id: String(shown.clock.id),
            [
                "name": .string(shown.clock.name), "date": .time(shown.clock.date),
                "createdDate": .time(shown.clock.created),
            ],
            links: [
                "testers": shown.testers.map {
                    ResourceLink(type: "sandboxTesters", id: String($0.number))
                },
                "apps": shown.apps.map { ResourceLink(type: "apps", id: String($0.number)) },
                "undeliveredNotifications": shown.undelivered.map {
                    ResourceLink(type: "notifications", id: String($0.id.number))
                },
            ])
    }
}

extension ConnectOperation {
    static let sandboxClocks: [ConnectOperation] =
        reading(.sandboxClocks) + [
            .list(.sandboxClocks, .manageTesters) { call in
                try await call.services.sandboxClocks.clocks(call.page(), by: call.actor)
                    .map { Resource($0) }
            },
            .create(
                .sandboxClocks, .manageTesters, required: ["name"],
                optional: ["date", "testers", "apps", "team"]
            ) { call in
                Resource(
                    try await call.services.sandboxClocks.create(
                        SandboxClockDraft(call.data), by: call.actor))
            },
            .update(.sandboxClocks, .manageTesters, changing: ["date"]) { call in
                guard let date = call.data.time("date") else {
                    throw ConnectRefusal(
                        .invalid, rule: "clockDate", field: "date", "The request has no date.",
                        help: "Say until when the clock is to be advanced.")
                }
                return Resource(
                    try await call.services.sandboxClocks.advance(
                        ResourceType.sandboxClock(call.id), to: date, by: call.actor))
            },
            .delete(.sandboxClocks, .manageTesters) { call in
                try await call.services.sandboxClocks.delete(
                    ResourceType.sandboxClock(call.id), by: call.actor)
            },
        ]
}

extension SandboxClockDraft {
    fileprivate init(_ data: RequestResource) throws {
        let testers = try data.many("testers").map {
            SandboxClockFollower.tester(try ResourceType.tester($0.id))
        }
        let apps = try data.many("apps").map {
            SandboxClockFollower.app(try ResourceType.app($0.id))
        }
        self.init(
            team: try data.optionalOne("team").map(ConnectCall.teamNumber),
            name: try data.text("name"), date: data.time("date"),
            followers: Set(testers + apps))
    }
}
