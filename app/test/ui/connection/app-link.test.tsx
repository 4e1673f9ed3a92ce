import { ThreadId } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { AppState } from "../../../src/api/ui-api.ts";
import { AppLink } from "../../../src/ui/connection/app-link.ts";
import { AppRefusal, sayError } from "../../../src/ui/connection/app-refusal.ts";
import { applyChange } from "../../../src/ui/connection/app-state.ts";
import { callApp } from "../../../src/ui/connection/call-app.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { approval, appState as state, summary } from "../stories.ts";

const opened: Disposable[] = [];
afterEach(() => {
	for (const one of opened.splice(0)) one[Symbol.dispose]();
	Object.defineProperty(document, "hidden", { configurable: true, get: () => false });
});

async function follow() {
	const app = new FakeApp();
	const link = new AppLink();
	opened.push(app, { [Symbol.dispose]: () => link.close() });
	link.start();
	await until("the page follows", () => app.streams.length === 1);
	app.stream?.line({ type: "state", state });
	await until("it has the state", () => link.link.value.state === "live");
	return { app, link };
}

describe("a page that follows the app", () => {
	it("keeps what it knew while the app is away, and comes back by itself to what is so now", async () => {
		const { app, link } = await follow();
		app.stream?.line({ type: "thread", thread: summary("a", 1) });
		await until("the thread is there", () => link.link.value.app?.threads.length === 1);
		app.isThere = false;
		app.stream?.break();
		await until("it is away", () => link.link.value.state === "gone");
		expect(link.link.value.app?.threads).toHaveLength(1);
		app.isThere = true;
		await until("it asks again", () => app.streams.length === 2);
		app.stream?.line({ type: "state", state: { ...state, threads: [summary("b", 2)] } });
		await until("it is back", () => link.link.value.state === "live");
		expect(link.link.value.app?.threads.map(({ threadId }) => threadId)).toEqual(["b"]);
	});

	it("counts each connection, also after one that the app ended in order, so that what was read before is read again", async () => {
		const { app, link } = await follow();
		app.stream?.line({ type: "thread", thread: summary("a", 1) });
		await until("the thread is there", () => link.link.value.app?.threads.length === 1);
		expect(link.connections.value).toBe(1);
		app.stream?.end();
		await until("it asks again", () => app.streams.length === 2);
		app.stream?.line({ type: "state", state });
		await until("it has the state", () => link.connections.value === 2);
	});

	it("counts the attempts that the user asked for and that failed, and no others", async () => {
		const { app, link } = await follow();
		app.isThere = false;
		app.stream?.break();
		await until("it is away", () => link.link.value.state === "gone");
		expect(link.failedTries.value).toBe(0);
		link.tryNow();
		await until("the attempt failed", () => link.failedTries.value === 1);
		app.isThere = true;
		link.tryNow();
		await until("it asks again", () => app.streams.length === 2);
		app.stream?.line({ type: "state", state });
		await until("it is back", () => link.link.value.state === "live");
		app.isThere = false;
		app.stream?.break();
		await until("it is away again", () => link.link.value.state === "gone");
		expect(link.failedTries.value).toBe(1);
	});

	it("takes a line that comes in pieces, two in one, and one that it does not know", async () => {
		const { app, link } = await follow();
		const line = JSON.stringify({ type: "thread", thread: summary("Grüße 漢字", 1) });
		const bytes = [...line].length;
		app.stream?.write(line.slice(0, bytes - 20));
		app.stream?.write(`${line.slice(bytes - 20)}\n${JSON.stringify({ type: "something new" })}\n${line}\n`);
		await until("the lines were read", () => link.link.value.app?.threads.length !== 0);
		expect(link.link.value).toMatchObject({ state: "live", app: { threads: [{ title: "Grüße 漢字" }] } });
	});

	it("says that it was signed out, and that is not the same as away", async () => {
		const { app, link } = await follow();
		app.status = 401;
		app.stream?.end();
		await until("it knows", () => link.link.value.state !== "live");
		expect(link.link.value.state).toBe("signed_out");
	});

	it("counts a stream that could not go on as away", async () => {
		const { app, link } = await follow();
		app.stream?.line({ type: "refused", failure: { code: "INTERNAL", message: "the app failed" } });
		await until("it knows", () => link.link.value.state === "gone");
		expect(link.link.value.app).toBeDefined();
	});

	it("whose place another took waits until somebody looks at it", async () => {
		const { app, link } = await follow();
		Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
		app.stream?.line({ type: "parked" });
		app.stream?.end();
		await until("it knows that it is out of date", () => link.parked.value);
		expect(link.link.value).toMatchObject({ state: "connecting", app: state, heardAt: expect.any(String) });
		for (let frame = 0; frame < 5; frame++) {
			link.tryNow();
			await new Promise((resolve) => requestAnimationFrame(resolve));
		}
		expect(app.streams).toHaveLength(1);
		Object.defineProperty(document, "hidden", { configurable: true, get: () => false });
		document.dispatchEvent(new Event("visibilitychange"));
		await until("it follows again", () => {
			link.tryNow();
			return app.streams.length === 2;
		});
		expect(link.parked.value).toBe(true);
		app.stream?.line({ type: "state", state });
		await until("it is up to date", () => !link.parked.value);
		expect(link.link.value.state).toBe("live");
	});

	it("whose place another took follows again at once when somebody looks at it, and only a visible page rests before it does", async () => {
		const { app, link } = await follow();
		const rests = vi.spyOn(globalThis, "setTimeout");
		onTestFinished(() => rests.mockRestore());
		const hasRested = () => rests.mock.calls.some(([, milliseconds]) => milliseconds === 400 || milliseconds === 2_000);
		Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
		app.stream?.line({ type: "parked" });
		app.stream?.end();
		await until("it knows that it is out of date", () => link.parked.value);
		Object.defineProperty(document, "hidden", { configurable: true, get: () => false });
		document.dispatchEvent(new Event("visibilitychange"));
		await until("it follows again", () => app.streams.length === 2);
		expect(hasRested()).toBe(false);
		app.stream?.line({ type: "state", state });
		await until("it is up to date", () => !link.parked.value);
		app.stream?.line({ type: "parked" });
		await until("it was displaced", () => link.parked.value);
		expect([link.link.value.state, hasRested()]).toEqual(["live", true]);
	});

	it("remembers who answered what", async () => {
		const { app, link } = await follow();
		app.stream?.line({ type: "approval", approval: approval({ state: "decided", decision: "deny", decidedBy: "the command" }) });
		await until("the answer is known", () => link.answers.value.size === 1);
		expect(link.answers.value.get("ask1")).toMatchObject({ decision: "deny", decidedBy: "the command" });
	});
});

describe("the small state", () => {
	it("has the thread that changed last at its head, each once, and none that is deleted", () => {
		const steps = [summary("a", 1), summary("b", 2), summary("c", 3), summary("a", 4, { title: "a again" })];
		const after = steps.reduce<AppState | undefined>((before, thread) => applyChange(before, { type: "thread", thread }), state);
		expect(after?.threads.map(({ title }) => title)).toEqual(["a again", "c", "b"]);
		const less = applyChange(after, { type: "thread_deleted", threadId: ThreadId.parse("c") });
		expect(less?.threads.map(({ title }) => title)).toEqual(["a again", "b"]);
	});
});

describe("a call", () => {
	it("is refused with the app's own code, and says when nobody answers", async () => {
		const app = new FakeApp();
		opened.push(app);
		app.answers.set("gatewayQueue", () => {
			throw Object.assign(new Error("a turn is not over"), { name: "THREAD_BUSY" });
		});
		await expect(callApp("gatewayQueue", {})).rejects.toMatchObject({ code: "THREAD_BUSY" });
		expect(sayError(new AppRefusal("X", "no \u202E file", "Look\nthere."))).toBe("No ⟨U+202E⟩ file. Look\nthere.");
		app.isThere = false;
		await expect(callApp("gatewayQueue", {})).rejects.toMatchObject({ code: "APP_GONE" });
	});
});
