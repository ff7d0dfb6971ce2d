import StoreCore

/// What a reviewer decides about one part of a submission, with sentences to begin with.
enum DecisionForm {
    static func html(
        _ item: SubmissionItem, of submission: Submission, _ form: PortalForm
    ) -> HTML {
        var options = [
            PortalOption("approve", "Approve", hint: approval(item, of: submission)),
            PortalOption(
                "reject", "Reject",
                hint: item.isVersion
                    ? "Products that came with it and are not decided go back to their publisher."
                    : item.content == nil
                        ? "The publisher changes it and submits it again."
                        : "The publisher changes it, and has to upload a newer version of its content."
            ),
        ]
        if !item.isVersion {
            options.append(
                PortalOption(
                    "ask", "Developer action needed",
                    hint:
                        "The publisher has to do something first, and may submit the same content again."
                ))
        }
        return form.html(
            "\(QueuePages.path(submission.id))/items/\(item.id)",
            [
                form.radios("decision", "Decision", options, chosen: nil),
                form.area(
                    "message", "Message to the publisher",
                    hint: "Required unless you approve it: what is wrong, and what to do.",
                    limit: ReviewDecision.longestMessage, rows: 5),
                templates,
                form.actions("Decide"),
            ])
    }

    private static func approval(_ item: SubmissionItem, of submission: Submission) -> String {
        let waits = submission.items.contains { $0.isVersion && $0.state.isOpen }
        if !item.isVersion, waits {
            return "It goes on sale as soon as the app version beside it is approved."
        }
        return item.isVersion
            ? "Products that wait for it are approved too." : "Customers can buy it from now on."
    }

    /// Sentences that are often needed, to be copied.
    private static var templates: HTML {
        .element(
            "details", class: "templates",
            [
                .element("summary", "Sentences to begin with"),
                .element(
                    "ul", [], sentences.map { .element("li", $0) }),
            ])
    }

    static let sentences = [
        "The display name or description does not say what the customer gets. Please describe "
            + "what is unlocked or delivered.",
        "The screenshot does not show where the app offers this product. Please upload one that "
            + "does.",
        "We could not find this product in the app. Please say in the review notes how to reach "
            + "it.",
        "The content does not match its description. Please correct one of them.",
        "The price does not fit what is delivered. Please check the tier.",
        "The binary crashed while we tried to buy. Please fix it and add another build.",
    ]
}
