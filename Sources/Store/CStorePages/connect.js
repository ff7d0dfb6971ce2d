// What makes the portal pleasanter. Everything works without it.

/** Closes menus with Escape, and when one looks elsewhere. */
function menus() {
    document.addEventListener("keydown", (event) => {
        if (event.key !== "Escape") return;
        for (const menu of document.querySelectorAll("details[data-menu][open]")) {
            menu.open = false;
            menu.querySelector("summary")?.focus();
        }
    });
    document.addEventListener("click", (event) => {
        for (const menu of document.querySelectorAll("details[data-menu][open]")) {
            if (!menu.contains(event.target)) menu.open = false;
        }
    });
}

/** Asks before a page is left on which something was typed. */
function unsavedChanges() {
    const changed = new Set();
    for (const form of document.querySelectorAll("form[data-unsaved]")) {
        form.addEventListener("input", () => changed.add(form));
        form.addEventListener("submit", () => changed.clear());
    }
    addEventListener("beforeunload", (event) => {
        if (changed.size > 0) event.preventDefault();
    });
}

/** Asks in a dialog before a form is sent. */
function confirmations() {
    for (const form of document.querySelectorAll("form[data-confirm]")) {
        form.addEventListener("submit", async (event) => {
            if (form.dataset.confirmed) return;
            event.preventDefault();
            if (!(await confirmed(form.dataset.confirm, event.submitter))) return;
            form.dataset.confirmed = "yes";
            form.requestSubmit(event.submitter);
        });
    }
}

function confirmed(question, button) {
    const dialog = element("dialog", { "aria-labelledby": "question" });
    dialog.append(element("h2", { id: "question" }, question));
    const form = element("form", { method: "dialog", class: "actions" });
    const yes = element("button", { value: "yes" }, button?.textContent || "OK");
    yes.className = button?.className.includes("danger") ? "button danger" : "button primary";
    const no = element("button", { value: "no", class: "button" }, "Cancel");
    form.append(yes, no);
    dialog.append(form);
    document.body.append(dialog);
    dialog.showModal();
    no.focus();
    return new Promise((resolve) => {
        dialog.addEventListener("close", () => {
            resolve(dialog.returnValue === "yes");
            dialog.remove();
            button?.focus();
        });
    });
}

/** Searches while one types: the same page is asked for, and its list shown in place. */
function filters() {
    for (const form of document.querySelectorAll("form[data-filter]")) {
        const status = element("p", { class: "unseen", role: "status" });
        form.append(status);
        let timer;
        let running;
        const search = async () => {
            running?.abort();
            running = new AbortController();
            const query = new URLSearchParams(new FormData(form));
            for (const [name, value] of [...query]) if (!value) query.delete(name);
            const address = new URL(form.action);
            address.search = query.toString();
            const old = document.querySelector("[data-results]");
            if (!old) return;
            try {
                const answer = await fetch(address, { signal: running.signal });
                if (!answer.ok || answer.redirected) return;
                const page = new DOMParser().parseFromString(await answer.text(), "text/html");
                const results = page.querySelector("[data-results]");
                if (!results) return;
                old.replaceWith(results);
                history.replaceState(null, "", address);
                const words = results.querySelector(".paging p, .empty .title");
                status.textContent = words ? words.textContent : "";
            } catch (error) {
                if (error.name !== "AbortError") throw error;
            }
        };
        form.addEventListener("input", () => {
            clearTimeout(timer);
            timer = setTimeout(search, 250);
        });
    }
}

/** A button beside what one may want to copy. */
function copies() {
    for (const field of document.querySelectorAll("[data-copy]")) {
        const button = element("button", { type: "button", class: "button" }, "Copy");
        const status = element("span", { role: "status" });
        button.addEventListener("click", async () => {
            field.select?.();
            try {
                await navigator.clipboard.writeText(field.value ?? field.textContent);
                status.textContent = "Copied.";
            } catch {
                status.textContent = "Press Ctrl+C to copy.";
            }
        });
        const row = element("p", { class: "copy" });
        row.append(button, " ", status);
        field.after(row);
    }
}

/**
 * Sends a file in parts of some bytes, with `offset` and the file's `size` in the query of each;
 * the answer to the last one says where to go, or what was wrong.
 */
async function sendParts(form, file, length, show) {
    for (let offset = 0; offset < file.size; offset += length) {
        const address = new URL(form.dataset.upload, location.href);
        address.searchParams.set("offset", offset);
        address.searchParams.set("size", file.size);
        const answer = await fetch(address, {
            method: "PUT",
            headers: {
                "X-Form-Token": form.elements.form.value,
                "Content-Type": "application/octet-stream",
                "X-File-Name": encodeURIComponent(file.name),
            },
            body: file.slice(offset, offset + length),
        });
        const said = await answer.json().catch(() => ({}));
        if (!answer.ok || said.location || said.problem) return said;
        show(Math.min(100, Math.floor(((offset + length) / file.size) * 100)));
    }
    return {};
}

/**
 * Sends a file of a form by PUT to `data-upload`, with its progress. The answer is JSON:
 * `location`, where to go next, or `problem`, what was wrong.
 */
function uploads() {
    for (const form of document.querySelectorAll("form[data-upload]")) {
        form.addEventListener("submit", (event) => {
            const field = form.querySelector("input[type=file]");
            const file = field?.files[0];
            if (!file) return;
            event.preventDefault();
            const bar = element("progress", { max: "100", value: "0", "aria-label": "Upload" });
            const words = element("span", { role: "status" }, "Uploading…");
            const row = element("div", { class: "progress" });
            row.append(bar, words);
            form.querySelector(".progress")?.remove();
            form.append(row);
            const finish = (answer) => {
                if (answer.location) location.assign(answer.location);
                else words.textContent = answer.problem || "The store did not take the file.";
            };
            const lose = () => { words.textContent = "The connection was lost. Try again."; };
            if (form.dataset.parts) {
                sendParts(form, file, Number(form.dataset.parts), (percent) => {
                    bar.value = percent;
                    words.textContent = `${percent} %`;
                }).then(finish, lose);
                return;
            }
            const request = new XMLHttpRequest();
            request.open("PUT", form.dataset.upload);
            request.setRequestHeader("X-Form-Token", form.elements.form.value);
            request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
            request.setRequestHeader("X-File-Name", encodeURIComponent(file.name));
            request.upload.addEventListener("progress", (progress) => {
                if (!progress.lengthComputable) return;
                bar.value = Math.floor((progress.loaded / progress.total) * 100);
                words.textContent = `${bar.value} %`;
            });
            request.addEventListener("error", lose);
            request.addEventListener("load", () => {
                let answer = {};
                try { answer = JSON.parse(request.responseText); } catch { /* said below */ }
                finish(answer);
            });
            request.send(file);
        });
    }
}

function element(name, attributes = {}, text = "") {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
}

menus();
unsavedChanges();
confirmations();
filters();
copies();
uploads();
