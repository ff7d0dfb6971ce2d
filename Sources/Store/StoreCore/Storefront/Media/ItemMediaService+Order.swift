extension ItemMediaService {
    /// Puts one of several at another place among those of its kind; the others make room.
    ///
    /// - Parameter position: from 1 on.
    /// - Throws: `ConnectRefusal` with the rule `position`.
    package func move(
        _ id: AssetID, to position: Int, by actor: ConnectActor
    ) async throws -> ItemMedia {
        try await shop.write(as: actor, requiring: .manageItems) { work in
            let (media, item) = try Self.open(id, work)
            let all = (try work.itemMedia.media(of: [item.id])[item.id] ?? [])
                .filter { $0.kind == media.kind }
            guard (1...all.count).contains(position) else {
                throw ConnectRefusal(
                    .invalid, rule: "position", field: "position",
                    "There are \(all.count) of the kind \(media.kind.rawValue).",
                    help: "Choose a place from 1 to \(all.count).")
            }
            guard position != media.position else { return media }
            var order = all.filter { $0.id != id }
            order.insert(media, at: position - 1)
            // No place is taken twice in between: first behind all, then where they belong.
            for (index, var one) in order.enumerated() {
                one.position = all.count + 1 + index
                try work.itemMedia.save(one)
            }
            for (index, var one) in order.enumerated() {
                one.position = index + 1
                try work.itemMedia.save(one)
            }
            try work.note(
                "itemMedia.move", on: "item \(item.id)", of: item.team,
                before: "\(media.fileName): \(media.position)",
                after: "\(media.fileName): \(position)")
            var moved = media
            moved.position = position
            return moved
        }
    }
}
