import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { type Agent, ProviderId } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import SettingsPage from "../../../src/ui/settings/settings-page.tsx";
import { formatWhen } from "../../../src/ui/text/format.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

afterEach(() => {
	cleanup();
	document.body.replaceChildren();
	vi.unstubAllGlobals();
});

const at = "2026-01-01T10:03:00.000Z";
const when = formatWhen(at, Date.now());
const missing: Agent = {
	...{ agentId: ProviderId.parse("goose"), name: "goose", description: "", state: "missing", offered: "1.1.0", hasUpdate: false },
	...{ canInstall: true, command: "npm install -g goose", signIn: [] },
};
const found: Agent = { ...missing, state: "ready", source: "found" };
const installed: Agent = { ...missing, state: "ready", source: "installed", version: "1.0.0", test: { at, tookMs: 1 } };
const full = { code: "DISK_FULL", message: "There is no space left on the disk.", fix: "Free some space." };
const job = { version: "1.1.0", stage: "downloading", startedAt: at } as const;
const failed = { ...job, state: "failed", endedAt: at, problem: full } as const;

/** Settings > Agents with one agent, and what replaces the agent at the next change. */
async function open(agent: Agent, answers: object = {}) {
	let now = agent;
	const app = new InApp(appState);
	fakeApp({ agents: () => ({ agents: [now], problems: [] }), testBridge: {}, settings: { set: [] }, ...answers });
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	render(<SettingsPage part="agents" />, { wrapper: app.wrapper, container: frame });
	await act(async () => undefined);
	const become = async (next: Agent) => {
		now = next;
		await act(async () => app.appLink.agentNews.set(1));
	};
	return { app, become };
}

const row = () => document.querySelector("[data-agent=goose]")?.textContent ?? "";

describe("what is wrong with an agent of the settings", () => {
	it("is shown beside a failed update and a failed sign-in, each with its time", async () => {
		const own = { code: "PROVIDER_AUTH_REQUIRED", message: "It isn't signed in.", fix: "Sign in." };
		const refused = { code: "PROVIDER_ERROR", message: "The sign-in was refused.", fix: "Try again." };
		await open({
			...{ ...installed, state: "needs_sign_in", test: { at, tookMs: 1, problem: own } },
			...{ signingIn: { methodId: "own", startedAt: at, problem: refused }, job: { ...failed, kind: "update" } },
		});
		expect(row()).toContain("It isn't signed in.");
		expect(row()).toContain(`Sign-in failed (begun ${when}):The sign-in was refused.`);
		expect(row()).toContain(`Update to 1.1.0 failed, ${when}. 1.0.0 is still in use.There is no space left on the disk.`);
	});

	it("does not include an installation that failed if the agent is there all the same", async () => {
		const { become } = await open({ ...missing, job: { ...failed, kind: "install" } });
		expect(row()).toContain(`Installation failed, ${when}There is no space left on the disk.`);
		await become({ ...found, job: { ...failed, kind: "install" } });
		expect(row()).toContain("Readyfound on the bridge’s computer");
		expect(row()).not.toMatch(/failed|no space/);
		expect(document.querySelector("[data-agent=goose] > .full")).toBeNull();
	});
});

describe("what is announced of the agents of the settings", () => {
	it.each([
		["install", missing, "Installing goose was interrupted. Nothing was changed."],
		["install", found, "Installing goose was interrupted. Nothing was changed."],
		["update", installed, "Updating goose was interrupted. 1.0.0 is still in use."],
	] as const)("is that an %s was interrupted of which a restarted bridge knows nothing", async (kind, before, said) => {
		const { app, become } = await open({ ...before, job: { ...job, kind, state: "running" } });
		await become(before);
		expect(app.said).toEqual([said]);
	});

	it("is not that an installation was interrupted, if the agents were asked for before it began and are answered later", async () => {
		const installing = { ...missing, job: { ...job, kind: "install", state: "running" } } as const;
		const earlier = Promise.withResolvers<unknown>();
		const answers = [{ agents: [missing], problems: [] }, earlier.promise];
		const agents = () => answers.shift() ?? { agents: [installing], problems: [] };
		const { app } = await open(missing, { agents, installAgent: installing });
		await act(async () => app.appLink.agentNews.set(1));
		fireEvent.click(screen.getByRole("button", { name: "Install goose" }));
		await act(async () => undefined);
		earlier.resolve({ agents: [missing], problems: [] });
		await act(async () => undefined);
		expect([app.said, row()]).toEqual([[], expect.stringContaining("Installing")]);
	});

	it("is that an agent is gone that was removed after its update had begun", async () => {
		const { app, become } = await open({ ...installed, job: { ...job, kind: "update", state: "running" } });
		await become(missing);
		expect(app.said).toEqual(["goose is no longer installed."]);
	});

	it("is that they could not be checked for updates, if so, and why", async () => {
		const unchecked = { ...installed, newest: { at, problem: { ...full, message: "The npm registry can't be reached." } } };
		const { app } = await open(installed, { checkAgents: { agents: [unchecked], problems: [] } });
		fireEvent.click(screen.getByRole("button", { name: "Check for updates" }));
		await act(async () => undefined);
		expect(app.said).toEqual(["1 agent could not be checked for updates: The npm registry can't be reached."]);
	});
});
