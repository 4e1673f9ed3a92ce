import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { ApprovalId, ThreadId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ThreadSummary } from "../../../src/api/ui-api.ts";
import { DisconnectedPage } from "../../../src/ui/disconnected-page.tsx";
import { Frame } from "../../../src/ui/frame.tsx";
import { HomePage } from "../../../src/ui/pages/home-page.tsx";
// Loaded on demand in a browser; here the first one would wait for its compilation.
import "../../../src/ui/overlays/overlays.tsx";
import "../../../src/ui/pages/new-thread-page.tsx";
import "../../../src/ui/pages/thread-page.tsx";
import { useKeys, useRequest } from "../../../src/ui/keys/keys.ts";
import { useConnectionNotices } from "../../../src/ui/notices/connection-notices.ts";
import { useNotices } from "../../../src/ui/notices/notices.ts";
import { setPreferences } from "../../../src/ui/state/preferences.ts";
import { go, route } from "../../../src/ui/state/route.ts";
import { FakeApp } from "../../support/fake-app.ts";
import { InApp } from "../in-app.tsx";
import { approval, appState, ended, summary } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
	app.answers.set("readThread", () => Promise.reject(new Error("it is not read here")));
});
afterEach(() => {
	cleanup();
	app[Symbol.dispose]();
	location.hash = "";
	setPreferences({ singleKeys: true });
});

const last = (status: ReturnType<typeof ended>["turn"]["status"]) => ({ lastTurn: { ...ended({}, undefined).turn, status } });
const running = (name: string): ThreadSummary => summary(name, 1, { ...last("running"), lifecycleStatus: "running" });

describe("the page's title", () => {
	it("counts what needs the person, and shows a thread's name with nothing hidden in it", () => {
		const here = new InApp({ ...appState, threads: [summary("a", 1, { title: "my \u202Etxt.exe" })] });
		location.hash = "#/t/a";
		act(() => route.set({ page: "thread", threadId: ThreadId.parse("a") }));
		render(<Frame />, { wrapper: here.wrapper });
		expect(document.title).toBe("my ⟨U+202E⟩txt.exe - XWorkmate");
		act(() => here.app.set({ ...here.app.value, approvals: [approval(), approval({ threadId: ThreadId.parse("b") })] }));
		expect(document.title).toBe("(2) my ⟨U+202E⟩txt.exe - XWorkmate");
		act(() => here.app.set({ ...here.app.value, approvals: [] }));
		expect(document.title).not.toContain("(");
	});

	it("has no number that may be out of date: while the app is away, the page is displaced, or its access is gone", () => {
		const here = new InApp({ ...appState, approvals: [approval()] });
		act(() => route.set({ page: "home" }));
		render(<Frame />, { wrapper: here.wrapper });
		expect(document.title).toBe("(1) Home - XWorkmate");
		act(() => here.link.set("gone"));
		expect(document.title).toBe("Home - XWorkmate");
		act(() => here.link.set("live"));
		expect(document.title).toBe("(1) Home - XWorkmate");
		act(() => here.appLink.parked.set(true));
		expect(document.title).toBe("Home - XWorkmate");
		act(() => here.appLink.parked.set(false));
		cleanup();
		render(<DisconnectedPage state="signed_out" tryNow={() => undefined} />);
		expect(document.title).toBe("XWorkmate");
	});
});

/** What the system was asked to show. */
function notified(permission: NotificationPermission): string[] {
	const shown: string[] = [];
	class Shown {
		static readonly permission = permission;
		onclick: unknown;
		constructor(_title: string, { body = "" }: NotificationOptions = {}) {
			shown.push(body);
		}
		close(): void {}
		addEventListener(): void {}
	}
	Object.assign(globalThis, { Notification: Shown });
	return shown;
}

function hide(hidden: boolean): void {
	Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
	document.hasFocus = () => !hidden;
}

function Listener() {
	useNotices();
	useConnectionNotices();
	return null;
}

const commanded = (command: string) => ({ text: JSON.stringify({ command }), truncated: false });

describe("what is said of ends and requests", () => {
	afterEach(() => {
		hide(false);
		Reflect.deleteProperty(globalThis, "Notification");
	});

	const listen = (permission: NotificationPermission, hidden: boolean) => {
		hide(hidden);
		const shown = notified(permission);
		const here = new InApp({ ...appState, threads: [running("a"), summary("old", 0, last("failed"))], approvals: [] });
		render(<Listener />, { wrapper: here.wrapper });
		return { here, shown };
	};
	const end = (here: InApp) =>
		act(() => here.app.set({ ...here.app.value, threads: [summary("a", 2, last("completed")), summary("old", 0, last("failed"))] }));

	it("is said once, and to the system only while nobody looks at the page", () => {
		const { here, shown } = listen("granted", true);
		expect(here.said).toEqual([]);
		end(here);
		end(here);
		expect(here.said).toHaveLength(1);
		expect(here.said[0]).toContain("a");
		expect(shown).toHaveLength(1);
		hide(false);
		act(() => here.app.set({ ...here.app.value, threads: [running("b")] }));
		act(() => here.app.set({ ...here.app.value, threads: [summary("b", 3, last("failed"))] }));
		expect(here.said).toHaveLength(2);
		expect(shown).toHaveLength(1);
	});

	it("is no plain success if files were rejected", () => {
		const { here } = listen("default", false);
		act(() => here.app.set({ ...here.app.value, threads: [summary("a", 2, { ...last("completed"), lacking: "rejected" })] }));
		expect(here.said).toEqual(["a: Files rejected"]);
	});

	it("is not said to a system that was not allowed to", () => {
		const { here, shown } = listen("default", true);
		end(here);
		expect([here.said.length, shown.length]).toEqual([1, 0]);
	});

	it("is a request that came, with what it wants written out; not one that was there before", () => {
		hide(true);
		const shown = notified("granted");
		const here = new InApp({ ...appState, approvals: [approval()] });
		render(<Listener />, { wrapper: here.wrapper });
		expect([here.said, shown]).toEqual([[], []]);
		act(() => here.app.set({ ...here.app.value, approvals: [] }));
		act(() => here.app.set({ ...here.app.value, approvals: [approval({ title: "Read README", input: commanded("rm \u202E-rf") })] }));
		expect(shown).toHaveLength(1);
		expect(shown[0]).toContain("rm ⟨U+202E⟩-rf");
		expect(shown[0]).not.toContain("README");
	});

	it("is how many requests wait when several came, and of one no more of its title than can be listened to", () => {
		const { here } = listen("denied", false);
		act(() =>
			here.app.set({ ...here.app.value, approvals: [approval({ input: { text: "x", truncated: true }, title: "x".repeat(5_000) })] }),
		);
		expect(here.said[0]?.length).toBeLessThan(200);
		const three = [approval(), approval(), approval()].map((one, index) => ({ ...one, approvalId: ApprovalId.parse(`other${index}`) }));
		act(() => here.app.set({ ...here.app.value, approvals: three }));
		expect(here.said.slice(1)).toEqual(["3 requests are waiting for you"]);
	});

	it("is a request that expired", () => {
		const { here } = listen("denied", false);
		const input = { text: '{"path":"/etc/a.txt"}', truncated: false };
		const expired = approval({ title: "Read README", toolKind: "delete", input, state: "expired" });
		act(() => here.appLink.seeAnswer(expired));
		act(() => here.appLink.seeAnswer(expired));
		expect(here.said).toEqual(["delete /etc/a.txt: Expired, denied automatically"]);
	});

	it("is that the app is away, what Reconnect did, and that the app is back", () => {
		const { here } = listen("denied", false);
		act(() => here.link.set("gone"));
		act(() => here.appLink.failedTries.set(1));
		act(() => here.appLink.failedTries.set(2));
		act(() => here.link.set("live"));
		const still = "Still not responding. This page keeps trying.";
		expect(here.said).toEqual([
			"The app isn’t responding. This page will reconnect automatically.",
			still,
			still,
			"XWorkmate is responding again.",
		]);
	});

	it("is that the bridge is away, and that it is back, but not how long it takes to restart", () => {
		const { here } = listen("denied", false);
		const bridge = (more: object) => act(() => here.app.set({ ...here.app.value, bridge: { ...here.app.value.bridge, ...more } }));
		bridge({ trouble: { what: "ended", own: true, startsAt: "2026-01-02T10:00:03.000Z" } });
		bridge({ trouble: { what: "ended", own: true, startsAt: "2026-01-02T10:00:09.000Z", attempt: 2 } });
		bridge({ trouble: undefined });
		expect(here.said).toEqual(["Restarting the bridge", "XWorkmate is responding again."]);
	});
});

function Keys({ stop }: { readonly stop: () => void }) {
	useKeys();
	useRequest("stop", stop);
	return (
		<>
			<input aria-label="field" />
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: as a request's card has it */}
			<section tabIndex={0} data-approval="one" aria-label="first request" />
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: as a request's card has it */}
			<section tabIndex={0} data-approval="two" aria-label="second request" />
		</>
	);
}

describe("the keyboard", () => {
	const keys = (threads: readonly ThreadSummary[] = []) => {
		const stopped: string[] = [];
		const here = new InApp({ ...appState, threads });
		render(<Keys stop={() => stopped.push("stop")} />, { wrapper: here.wrapper });
		return stopped;
	};
	const press = (key: string, more: Partial<KeyboardEventInit> = {}, target: Element = document.body) =>
		fireEvent.keyDown(target, { key, ...more });

	it("stops a run by Esc twice, not by one, and not while an IME composes", () => {
		const stopped = keys();
		press("Escape");
		expect(stopped).toEqual([]);
		press("Escape", { isComposing: true });
		expect(stopped).toEqual([]);
		press("Escape");
		expect(stopped).toEqual(["stop"]);
	});

	it("brings the next request into reach, one after the other", () => {
		keys();
		press("y", { altKey: true });
		expect(document.activeElement).toBe(screen.getByLabelText("first request"));
		// As a Mac types it.
		press("¥", { altKey: true, code: "KeyY" });
		expect(document.activeElement).toBe(screen.getByLabelText("second request"));
		press("y", { altKey: true });
		expect(document.activeElement).toBe(screen.getByLabelText("first request"));
	});

	it("[D14] closes what is open by Esc, which is then none of the two that stop a run", () => {
		const stopped = keys();
		const open = ["preview", "files"];
		const close = (event: Event) => {
			if (open.pop() !== undefined) event.preventDefault();
		};
		addEventListener("xworkmate:close", close);
		for (let n = 0; n < 3; n++) press("Escape");
		expect([open.length, stopped.length]).toEqual([0, 0]);
		press("Escape");
		expect(stopped).toEqual(["stop"]);
		removeEventListener("xworkmate:close", close);
	});

	it("[D14] leaves Esc to an image that is as large as the window", () => {
		const stopped = keys();
		const asked: string[] = [];
		const close = () => void asked.push("close");
		addEventListener("xworkmate:close", close);
		const dialog = document.body.appendChild(document.createElement("dialog"));
		dialog.setAttribute("open", "");
		for (let n = 0; n < 3; n++) expect(press("Escape", {}, dialog)).toBe(true);
		dialog.remove();
		expect([asked, stopped]).toEqual([[], []]);
		press("Escape");
		expect(asked).toEqual(["close"]);
		removeEventListener("xworkmate:close", close);
	});

	it("takes no single letter from a field, nor when they are switched off", () => {
		keys();
		expect(press("/", {}, screen.getByLabelText("field"))).toBe(true);
		expect(press("/")).toBe(false);
		setPreferences({ singleKeys: false });
		expect(press("/")).toBe(true);
	});

	it("goes through the threads that are not put away", () => {
		const list = [summary("a", 3), summary("b", 2, { lifecycleStatus: "archived" }), summary("c", 1)];
		keys(list);
		act(() => go({ page: "thread", threadId: ThreadId.parse("a") }));
		route.set({ page: "thread", threadId: ThreadId.parse("a") });
		press("ArrowDown", { altKey: true });
		expect(location.hash).toBe("#/t/c");
	});
});

it("Home leads to a new thread, on a phone too, where the list with its button is another page", () => {
	const here = new InApp({ ...appState, threads: [running("a")] });
	act(() => route.set({ page: "home" }));
	render(<HomePage />, { wrapper: here.wrapper });
	expect(screen.getByRole("link", { name: "New thread" }).getAttribute("href")).toBe("#/new");
});
