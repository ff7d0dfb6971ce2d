/// What a review of Connect found, and refusals that are kept. One migration, in parts by subject.
let schema6: String = [
    schema6Identifiers, schema6Review, schema6Subscriptions, schema6Refusals, schema6Search,
].joined(separator: "\n")
