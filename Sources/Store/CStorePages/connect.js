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

/**
 * Searches while one types: the same page is asked for, and what is behind its
 * search shown in place.
 */
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
            try {
                const answer = await fetch(address, { signal: running.signal });
                if (!answer.ok || answer.redirected) return;
                const page = new DOMParser().parseFromString(await answer.text(), "text/html");
                const found = page.querySelector("form[data-filter]");
                if (!found) return;
                for (const old of behind(form)) old.remove();
                form.after(...behind(found));
                history.replaceState(null, "", address);
                const words = form.parentElement.querySelector(".paging p, .empty .title");
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

/** What stands behind an element in the same place. */
function behind(element) {
    const all = [...element.parentElement.children];
    return all.slice(all.indexOf(element) + 1);
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
 * Sends a file in parts of some bytes, with `offset` and the file's `size` in the query of each,
 * and in all but the first the `asset` that the store has begun; the answer to the last one says
 * where to go, or what was wrong.
 */
async function sendPicture(form, file, length, show) {
    let asset = "";
    for (let offset = 0; offset < file.size; offset += length) {
        const address = new URL(form.dataset.upload, location.href);
        address.searchParams.set("offset", offset);
        address.searchParams.set("size", file.size);
        if (asset) address.searchParams.set("asset", asset);
        const answer = await fetch(address, {
            method: "PUT",
            headers: {
                "X-Form-Token": form.elements.form.value,
                "Content-Type": "application/octet-stream",
                "X-File-Name": encodeURIComponent(file.name),
            },
            body: file.slice(offset, offset + length),
        });
        const said = await read(answer);
        if (!answer.ok || said.location || said.problem) return said;
        asset = said.asset;
        show(Math.min(100, Math.floor(((offset + length) / file.size) * 100)));
    }
    return {};
}

/**
 * Sends a file of a form to `data-upload`, in parts of `data-parts` bytes, with its progress. The
 * answers are JSON: `location`, where to go next, or `problem`, what was wrong.
 */
function uploads() {
    for (const form of document.querySelectorAll("form[data-upload]")) {
        let isBusy = false;
        form.addEventListener("submit", async (event) => {
            const file = form.querySelector("input[type=file]")?.files[0];
            if (!file) return;
            event.preventDefault();
            if (isBusy) return;
            isBusy = true;
            const bar = element("progress", { max: "100", value: "0", "aria-label": "Upload" });
            const words = element("span", { role: "status" }, "Uploading…");
            const row = element("div", { class: "progress" });
            row.append(bar, words);
            form.querySelector(".progress")?.remove();
            form.append(row);
            try {
                const answer = await sendPicture(
                    form, file, Number(form.dataset.parts), (percent) => {
                        bar.value = percent;
                        words.textContent = `${percent} %`;
                    });
                if (answer.location) location.assign(answer.location);
                else words.textContent = answer.problem || "The store did not take the file.";
            } catch (error) {
                words.textContent = error instanceof Refused
                    ? error.message : "The connection was lost. Try again.";
            }
            isBusy = false;
        });
    }
}

/** SHA-256 of bytes that come piece by piece; the browser's own takes whole files only. */
class Digest {
    static {
        const primes = [];
        for (let number = 2; primes.length < 64; number++) {
            if (primes.every((prime) => number % prime !== 0)) primes.push(number);
        }
        const bits = (root) => ((root - Math.floor(root)) * 2 ** 32) >>> 0;
        Digest.start = primes.slice(0, 8).map((prime) => bits(prime ** (1 / 2)));
        Digest.rounds = Uint32Array.from(primes, (prime) => bits(prime ** (1 / 3)));
    }

    #state = Uint32Array.from(Digest.start);
    #words = new Uint32Array(64);
    #rest = new Uint8Array(64);
    #filled = 0;
    #length = 0;

    update(bytes) {
        this.#length += bytes.length;
        let index = 0;
        if (this.#filled > 0) {
            index = Math.min(64 - this.#filled, bytes.length);
            this.#rest.set(bytes.subarray(0, index), this.#filled);
            this.#filled += index;
            if (this.#filled < 64) return this;
            this.#block(this.#rest, 0);
            this.#filled = 0;
        }
        for (; index + 64 <= bytes.length; index += 64) this.#block(bytes, index);
        this.#rest.set(bytes.subarray(index));
        this.#filled = bytes.length - index;
        return this;
    }

    /** Ends it. */
    hex() {
        const length = this.#length;
        const end = new Uint8Array(72);
        // So many bytes that with the length behind them the last block is full.
        const padding = ((119 - (length % 64)) % 64) + 1;
        end[0] = 0x80;
        const view = new DataView(end.buffer);
        view.setUint32(padding, Math.floor(length / 2 ** 29));
        view.setUint32(padding + 4, (length * 8) >>> 0);
        this.update(end.subarray(0, padding + 8));
        return [...this.#state].map((word) => word.toString(16).padStart(8, "0")).join("");
    }

    #block(bytes, start) {
        const words = this.#words;
        for (let i = 0; i < 16; i++) {
            const at = start + i * 4;
            words[i] =
                (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
        }
        for (let i = 16; i < 64; i++) {
            const [x, y] = [words[i - 15], words[i - 2]];
            const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
            const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
            words[i] = words[i - 16] + s0 + words[i - 7] + s1;
        }
        let [a, b, c, d, e, f, g, h] = this.#state;
        for (let i = 0; i < 64; i++) {
            const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
            const t1 = (h + s1 + ((e & f) ^ (~e & g)) + Digest.rounds[i] + words[i]) | 0;
            const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
            const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
            h = g; g = f; f = e; e = (d + t1) | 0; d = c; c = b; b = a; a = (t1 + t2) | 0;
        }
        const state = this.#state;
        state[0] += a; state[1] += b; state[2] += c; state[3] += d;
        state[4] += e; state[5] += f; state[6] += g; state[7] += h;
    }
}

/**
 * Sends packages of content in parts. The store keeps what has arrived: after a reload, or on
 * another day, the same file goes on where it was.
 */
function packages() {
    for (const form of document.querySelectorAll("form[data-package]")) {
        const field = form.querySelector("input[type=file]");
        let isBusy = false;
        addEventListener("beforeunload", (event) => {
            if (isBusy) event.preventDefault();
        });
        form.addEventListener("submit", async (event) => {
            const file = field?.files[0];
            if (!file) return;
            event.preventDefault();
            if (isBusy) return;
            isBusy = true;
            const bar = element("progress", { max: "100", value: "0", "aria-label": "Upload" });
            const words = element("span", { role: "status" });
            const row = element("div", { class: "progress" });
            row.append(bar, words);
            form.querySelector(".progress")?.remove();
            form.append(row);
            const show = (text, part) => {
                bar.value = Math.floor(part * 100);
                words.textContent = `${text} ${bar.value} %`;
            };
            try {
                const answer = await sendPackage(form, file, show);
                isBusy = false;
                location.assign(answer.location);
            } catch (error) {
                isBusy = false;
                words.textContent = error.message;
            }
        });
    }
    for (const place of document.querySelectorAll("[data-poll]")) {
        const bar = place.querySelector("progress");
        const look = async () => {
            try {
                const answer = await read(await fetch(place.dataset.poll));
                if (answer.state !== "UPLOAD_COMPLETE") return location.reload();
                if (bar && answer.size) bar.value = (answer.processedBytes / answer.size) * 100;
            } catch (error) {
                if (error instanceof Refused) {
                    place.append(element("p", { role: "alert" }, error.message));
                    return;
                }
                // The next look may succeed.
            }
            setTimeout(look, 2000);
        };
        setTimeout(look, 1000);
    }
}

/** @returns where the upload stands when the store has all of it. */
async function sendPackage(form, file, show) {
    const address = form.dataset.package;
    const token = form.elements.form.value;
    const piece = 1 << 20;
    const whole = new Digest();
    for (let at = 0; at < file.size; at += piece) {
        whole.update(new Uint8Array(await file.slice(at, at + piece).arrayBuffer()));
        show("Reading the file…", at / file.size);
    }
    const post = (path, fields = {}) =>
        ask(path, { method: "POST", body: new URLSearchParams({ ...fields, form: token }) });
    let upload = await post(address, {
        fileName: file.name, fileSize: file.size, sha256: whole.hex(),
    });
    // Where the store finds parts missing in the end, they are sent once more.
    for (let turn = 0; turn < 3 && upload.state === "AWAITING_UPLOAD"; turn++) {
        await sendParts(`${address}/${upload.id}`, upload, file, token, show);
        try {
            return await post(`${address}/${upload.id}/commit`);
        } catch (error) {
            upload = await ask(`${address}/${upload.id}`);
            if (upload.missing.length === 0) throw error;
        }
    }
    return upload;
}

/** Sends what is missing, a few parts at a time. */
async function sendParts(address, upload, file, token, show) {
    const numbers = upload.missing.flatMap(([first, last]) =>
        Array.from({ length: last - first + 1 }, (_, index) => first + index));
    let sent = upload.partCount - numbers.length;
    const worker = async () => {
        for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
            const start = number * upload.partSize;
            const bytes = new Uint8Array(
                await file.slice(start, start + upload.partSize).arrayBuffer());
            await ask(`${address}/parts/${number}`, {
                method: "PUT", body: bytes,
                headers: {
                    "X-Form-Token": token, "Content-Type": "application/octet-stream",
                    "X-Part-Digest": new Digest().update(bytes).hex(),
                },
            });
            sent += 1;
            show("Uploading…", sent / upload.partCount);
        }
    };
    await Promise.all([worker(), worker(), worker()]);
}

/** Asks the store, again and again for a while where the connection or the store fails. */
async function ask(address, request = {}) {
    for (let attempt = 0; ; attempt++) {
        try {
            const answer = await fetch(address, request);
            if (answer.status < 500 && answer.status !== 429) {
                const body = await read(answer);
                if (answer.ok) return body;
                throw new Refused(body.problem || "The store did not take the package.");
            }
        } catch (error) {
            if (error instanceof Refused) throw error;
        }
        if (attempt === 5) {
            throw new Error("The store can’t be reached. Choose the same file again to go on.");
        }
        await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
    }
}

/** What the store says to a script. To whom it shows a page, it has no more to say here. */
async function read(answer) {
    if (answer.redirected) {
        throw new Refused("Sign in again in another tab, then choose the same file to go on.");
    }
    if (answer.status < 500 && !answer.headers.get("Content-Type")?.includes("json")) {
        throw new Refused("The store did not take it. Reload the page; sign in again if it asks.");
    }
    return answer.json();
}

class Refused extends Error {}

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
packages();
