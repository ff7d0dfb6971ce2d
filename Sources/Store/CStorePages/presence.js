// Tells the store whether somebody looks at the page of an item that an app shows, so that the
// app hears soon of a tab that was closed. Without it, the page ends by Done or by its time.

const token = document.querySelector("input[name=form]").value;
// Of the prompt's page, of which this one may be a part.
const address = `${document.getElementById("leave").getAttribute("action")}/presence`;
// PromptRules has the same numbers.
const interval = 10_000;

let isLeft = false;

function words(presence) {
    return new URLSearchParams({ form: token, presence });
}

async function say(presence) {
    try {
        const answer = await fetch(address, { method: "POST", body: words(presence) });
        // The app has closed it, or another tab: the page shows how it ended.
        if (answer.status === 410) location.reload();
    } catch {
        // The network is gone for a while; the next word may come through.
    }
}

function sayWhatIsSeen() {
    if (!isLeft) say(document.visibilityState === "visible" ? "here" : "hidden");
}

addEventListener("pagehide", () => {
    isLeft = true;
    navigator.sendBeacon(address, words("left"));
});
addEventListener("pageshow", () => {
    isLeft = false;
    sayWhatIsSeen();
});
// A page that is closed is hidden at the same moment, in an order that browsers differ in: that
// word must not come behind the last one.
document.addEventListener("visibilitychange", () => setTimeout(sayWhatIsSeen, 300));
setInterval(() => {
    if (document.visibilityState === "visible") sayWhatIsSeen();
}, interval);
