import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { ProviderId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AppState, Draft } from "../../../src/api/ui-api.ts";
import { HomePage } from "../../../src/ui/pages/home-page.tsx";
import type { FakeApp } from "../../support/fake-app.ts";
import { until } from "../../support/until.ts";
import { compose, composerApp, detail, leaveComposer, provider, stateOf } from "../composer/composer-scene.tsx";
import { InApp } from "../in-app.tsx";
import { at, ended, summary } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = composerApp();
});
afterEach(() => leaveComposer(app));

/** What an agent list shows, in its order. */
const offered = (place: HTMLElement) => [...place.querySelectorAll("[data-provider]")].map((row) => row.getAttribute("data-provider"));

describe("[D11] plain words to Script", () => {
	const toScript = {
		draft: { prompt: "", routing: { executionTarget: "agent", providerId: ProviderId.parse("script") }, updatedAt: at(1) } as Draft,
	};
	const providers = [provider("goose", false), provider("script", true), provider("codex", true), provider("qwen", false)];
	const offer = () => screen.getByRole("region", { name: "Choose an agent" });

	it("lead to an offer of agents in place of a run, found ones first, and one press uses one: nothing typed is lost", async () => {
		const { field, type, press, settled } = compose(app, { providers, thread: detail(toScript) });
		type("Write me a haiku");
		press("Enter");
		await act(async () => undefined);
		expect(offer().textContent).toContain("Script can only run TypeScript. To write in plain words, choose an agent.");
		expect(app.of("send")).toEqual([]);
		expect(offered(offer())).toEqual(["codex", "goose", "qwen"]);
		expect(offer().textContent).toContain("npm i goose");
		const use = within(offer()).getByRole("button", { name: "Use codex" });
		expect(document.activeElement).toBe(use);
		fireEvent.click(use);
		expect(field).toHaveProperty("value", "Write me a haiku");
		expect([screen.queryByRole("region", { name: "Choose an agent" }), document.activeElement]).toEqual([null, field]);
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ prompt: "Write me a haiku", routing: { providerId: "codex" } }]);
	});

	it("say so quietly while they are typed, and a program is sent at once", async () => {
		const { field, type, press, settled } = compose(app, { providers, thread: detail(toScript) });
		const hint = () => document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent;
		expect(hint()).toBe("Script runs TypeScript programs.");
		type("Write me a haiku");
		expect(hint()).toBe("Script runs TypeScript programs, and this looks like ordinary text.");
		type("return 1");
		expect(hint()).toBe("Script runs TypeScript programs.");
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ prompt: "return 1", routing: { providerId: "script" } }]);
	});

	it("are sent to Script all the same when that is asked for", async () => {
		const { type, press, settled } = compose(app, { providers, thread: detail(toScript) });
		type("Write me a haiku");
		press("Enter");
		fireEvent.click(within(offer()).getByRole("button", { name: "Send to Script anyway" }));
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ prompt: "Write me a haiku", routing: { providerId: "script" } }]);
	});

	it("do not get into the queue unasked either, and Escape goes back to the text", async () => {
		const { field, type, press } = compose(app, { providers, thread: detail(toScript), busy: true });
		type("Write me a haiku");
		press("Enter");
		fireEvent.keyDown(offer(), { key: "Escape" });
		expect([screen.queryByRole("region", { name: "Choose an agent" }), document.activeElement]).toEqual([null, field]);
		expect([app.of("queueMessage"), field]).toMatchObject([[], { value: "Write me a haiku" }]);
	});

	it("wait while an agent is installed: the offer asks again, and then has it first", async () => {
		const { here, field, type, press } = compose(app, {
			providers: [provider("script", true), provider("codex", false)],
			thread: detail(toScript),
		});
		type("Write me a haiku");
		press("Enter");
		expect(within(offer()).queryByRole("button", { name: /^Use/ })).toBeNull();
		const found = stateOf(provider("script", true), provider("codex", true));
		app.answers.set("testBridge", () => {
			here.app.set(found);
			return found.bridge;
		});
		await act(async () => fireEvent.click(within(offer()).getByRole("button", { name: "Check again" })));
		await act(() => until("it is found", () => within(offer()).queryByRole("button", { name: "Use codex" }) !== null));
		expect(here.said).toEqual(["1 found"]);
		expect(field).toHaveProperty("value", "Write me a haiku");
	});
});

describe("[D11] the way to an agent", () => {
	const home = (providers: ReturnType<typeof provider>[], threads: AppState["threads"]) => {
		const here = new InApp({ ...stateOf(...providers), threads });
		render(<HomePage />, { wrapper: here.wrapper });
		return screen.queryByRole("region", { name: /add an agent/i });
	};
	const asked = (name: string, who: string, status: "completed" | "failed") =>
		summary(name, 1, { providerId: who, lastTurn: { ...ended({}, undefined).turn, status } });
	const providers = [provider("goose", false), provider("script", true), provider("codex", true)];

	it("is on the first page, with the agents that were found before those that were not", () => {
		const first = home(providers, []);
		expect(first && offered(first)).toEqual(["codex", "goose"]);
		expect(first?.textContent).toContain("1 found");
	});

	it("offers no file of providers as an agent to install, and lists none in the first file", () => {
		const first = home([provider("script", true), provider("providers.json", false), provider("goose", false)], []);
		expect(first && offered(first)).toEqual(["goose"]);
		const programs = [...document.querySelectorAll("details.program")].map(({ textContent }) => textContent).join();
		expect(programs).toContain('"goose"');
		expect(programs).not.toContain("providers.json");
	});

	it("says how many were found only once the bridge has looked, and counts no gateway, which may be elsewhere", () => {
		expect(home([], [])?.textContent).not.toContain("found");
		cleanup();
		const openclaw = { ...provider("openclaw", true), target: "gateway" as const };
		expect(home([provider("script", true), openclaw], [])?.textContent).toContain("None found");
		cleanup();
		expect(home([provider("codex", true), openclaw], [])?.textContent).toContain("1 found");
	});

	it("stays on Home until one agent has worked, not until the first thread is there", () => {
		expect(home(providers, [asked("a", "script", "completed"), asked("b", "codex", "failed")])).not.toBeNull();
		cleanup();
		expect(home(providers, [asked("a", "script", "completed"), asked("b", "codex", "completed")])).toBeNull();
	});

	it("goes through a first file on Home, as long as no run of this home has succeeded", () => {
		const first = () => screen.queryByRole("button", { name: "Create my first file" });
		home([provider("script", true)], [asked("a", "script", "failed")]);
		expect(first()).not.toBeNull();
		cleanup();
		home([provider("script", true)], [{ ...asked("a", "script", "failed"), artifactCount: 1 }]);
		expect(first()).toBeNull();
		cleanup();
		home([provider("script", true)], [asked("a", "script", "failed"), asked("b", "script", "completed")]);
		expect(first()).toBeNull();
	});

	it("leads by one press to a new message for that agent, and keeps what was typed for a new thread", async () => {
		compose(app, { providers: [provider("script", true)] }).type("Write me a haiku");
		cleanup();
		home(providers, []);
		fireEvent.click(screen.getByRole("button", { name: "Use codex" }));
		expect(location.hash).toBe("#/new");
		await until("the choice is kept", () => app.of("saveDraft").length === 2);
		const kept = (providerId: string) => ({ draft: { prompt: "Write me a haiku", routing: { providerId } } });
		expect(app.of("saveDraft")).toMatchObject([kept("script"), kept("codex")]);
	});
});
