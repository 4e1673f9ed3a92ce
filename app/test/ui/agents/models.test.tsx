import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { type ProviderCapability, ProviderId, type Routing, Timestamp } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { foundAgents } from "../../../src/ui/agents/agents-found.ts";
import { ModelChoice } from "../../../src/ui/agents/model-choice.tsx";
import { usableRouting } from "../../../src/ui/agents/routing.ts";
import { FirstRun } from "../../../src/ui/pages/first-run.tsx";
import { preferences, setPreferences } from "../../../src/ui/state/preferences.ts";
import type { FakeApp } from "../../support/fake-app.ts";
import { compose, composerApp, detail, leaveComposer, provider, stateOf } from "../composer/composer-scene.tsx";
import { InApp } from "../in-app.tsx";
import { at } from "../stories.ts";

let app: FakeApp;
beforeEach(() => {
	app = composerApp();
});
afterEach(() => {
	leaveComposer(app);
	setPreferences({ providerId: "codex", model: undefined });
});

const models = ["anthropic/claude-a", "anthropic/claude-b", "openai/local"];
const assistant = (more: Partial<ProviderCapability> = {}): ProviderCapability => ({ ...provider("assistant", true), models, ...more });

describe("the choice of a model", () => {
	const shown = () => screen.getByRole("combobox", { name: "Model" });
	const open = (routing?: Routing) => {
		const chosen: Routing[] = [];
		render(<ModelChoice provider={assistant()} routing={routing} choose={(one) => chosen.push(one)} />);
		return chosen;
	};

	it("offers the models of every maker and the default", () => {
		const chosen = open();
		expect([...shown().querySelectorAll("option")].map(({ value }) => value)).toEqual(["", ...models]);
		fireEvent.change(shown(), { target: { value: "openai/local" } });
		expect(chosen).toEqual([{ executionTarget: "agent", providerId: "assistant", model: "openai/local" }]);
	});

	it("does not say of an agent that was never started that it lists none", () => {
		const { models: _, ...silent } = assistant({ label: "Modeler" });
		render(<ModelChoice provider={silent} routing={undefined} choose={() => undefined} />);
		const hint =
			"XWorkmate doesn’t know the models of Modeler. An agent may list them once it has started. Type a model name if you know it.";
		expect(screen.getByText(hint)).toBeDefined();
	});

	it("does not show the default for a model that is no longer listed and would still be asked for", () => {
		open({ ...(usableRouting([assistant()], {}) as Routing), model: "anthropic/gone" });
		expect(shown()).toHaveProperty("value", "anthropic/gone");
		expect(shown().textContent).toContain("anthropic/gone (no longer listed)");
	});

	it("is remembered with the agent, as long as the agent offers it", async () => {
		const remembered = { providerId: "assistant", model: "openai/local" };
		expect(usableRouting([assistant()], remembered)?.model).toBe("openai/local");
		expect(usableRouting([assistant({ models: ["anthropic/claude-a"] })], remembered)).toEqual({
			executionTarget: "agent",
			providerId: "assistant",
		});
		// An agent that lists no models took the name as it was typed.
		const { models: _, ...silent } = assistant();
		expect(usableRouting([silent], remembered)?.model).toBe("openai/local");
		expect(usableRouting([provider("codex", true)], remembered)).toEqual({ executionTarget: "agent", providerId: "codex" });
	});

	it("goes with the message, and the next new thread begins with it", async () => {
		const routing = { executionTarget: "agent", providerId: ProviderId.parse("assistant"), model: "openai/local" } as const;
		const thread = detail({ draft: { prompt: "", routing, updatedAt: at(1) } });
		const { type, press, settled } = compose(app, { providers: [assistant()], thread });
		type("hello");
		press("Enter");
		await act(() => settled(1));
		expect(app.of("send")).toMatchObject([{ routing: { providerId: "assistant", model: "openai/local" } }]);
		expect(usableRouting([assistant()], preferences.value)).toEqual(routing);
		expect(JSON.parse(localStorage.getItem("xworkmate.look") ?? "")).toMatchObject({ model: "openai/local" });
	});
});

describe("without an account", () => {
	const unavailable = { code: "PROVIDER_AUTH_REQUIRED", message: "There is no account.", fix: "Add one." };
	const off = () => assistant({ available: false, unavailable });

	it("the first page leads to the accounts besides its presses, and does not call the assistant something to install", () => {
		const here = new InApp(stateOf(off(), provider("script", true), provider("goose", false)));
		render(<FirstRun />, { wrapper: here.wrapper });
		const block = screen.getByRole("region", { name: "Ask the assistant" });
		expect(block.querySelector("a")?.getAttribute("href")).toBe("#/settings/accounts");
		expect(screen.getByRole("button", { name: /^Send it/ })).toBeDefined();
		expect(document.querySelector(".installable [data-provider=assistant]")).toBeNull();
		cleanup();
		render(<FirstRun />, { wrapper: new InApp(stateOf(assistant(), provider("script", true))).wrapper });
		expect(foundAgents([assistant(), off()]).found).toHaveLength(1);
	});

	it("with one, it is the first suggestion, and none of the agents to add", () => {
		render(<FirstRun />, { wrapper: new InApp(stateOf(provider("script", true), provider("codex", true), assistant())).wrapper });
		const [first] = screen.getAllByRole("region");
		expect(first?.getAttribute("aria-label")).toBe("Ask the assistant");
		expect(first?.textContent).toContain("is set up");
		expect(document.querySelectorAll("button.pri")).toHaveLength(1);
		const add = screen.getByRole("region", { name: "Next: add an agent" });
		expect([...add.querySelectorAll("[data-provider]")].map((row) => row.getAttribute("data-provider"))).toEqual(["codex"]);
		expect(add.textContent).toContain("1 found");
		fireEvent.click(screen.getByRole("button", { name: "Write to the assistant" }));
		expect([location.hash, preferences.value.providerId]).toEqual(["#/new", "assistant"]);
		expect(foundAgents([provider("codex", true), assistant()]).found.map(({ providerId }) => providerId)).toEqual(["assistant", "codex"]);
	});

	it("it is called set up, and is not the first suggestion if its last run failed, which the page says", () => {
		const when = Timestamp.parse("2026-01-02T10:00:00.000Z");
		const page = (more: object) => {
			cleanup();
			render(<FirstRun />, { wrapper: new InApp(stateOf(provider("script", true), assistant(more))).wrapper });
			return screen.getByRole("region", { name: "Ask the assistant" });
		};
		expect(page({ answeredAt: when }).textContent).toContain("is set up");
		const problem = { code: "PROVIDER_ERROR", message: "The model could not be reached.", fix: "Test its accounts." };
		const failed = page({ failedRun: { at: when, problem } });
		expect(failed.textContent).toMatch(/is not ready: one of its runs failed\..*The model could not be reached\. Test its accounts\./);
		expect(screen.getAllByRole("region")[0]).not.toBe(failed);
		expect(document.querySelectorAll("button.pri")).toHaveLength(1);
	});
});
