import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { type Agent, ProviderId } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import SettingsPage from "../../../src/ui/settings/settings-page.tsx";
import { fakeCapabilities } from "../../support/fake-capabilities.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

afterEach(() => {
	cleanup();
	document.body.replaceChildren();
	vi.unstubAllGlobals();
});

const at = "2026-01-01T10:03:00.000Z";
const agent = (id: string, more: Partial<Agent> = {}): Agent => ({
	...{ agentId: ProviderId.parse(id), name: id, description: "", state: "missing", offered: "1.0.0", hasUpdate: false, canInstall: true },
	...{ command: `npm install -g ${id}`, signIn: [], ...more },
});
const key = { methodId: "key", kind: "variables", name: "API key" } as const;
const secret = { name: "KEY", label: "API key", secret: true, optional: false, isSet: false };

const capabilitiesWith = (providers: readonly (readonly [string, boolean])[]) => ({
	...fakeCapabilities({ maxActive: 1, maxQueued: 1 }, undefined),
	providers: providers.map(([id, available]) => ({
		...{ providerId: ProviderId.parse(id), label: id, target: "agent" as const, available },
		...(id === "script" ? { own: "programs" as const } : available && id !== "newcomer" && { lastTest: { at, tookMs: 300 } }),
		...(!available && { unavailable: { code: "PROVIDER_NOT_INSTALLED" as const, message: "not installed", fix: "install it" } }),
		features: { approvals: true, followUp: true, resume: true, attachments: true },
	})),
});

async function open(agents: readonly Agent[], answers: object = {}, providers: readonly (readonly [string, boolean])[] = []) {
	const app = new InApp({ ...appState, bridge: { ...appState.bridge, capabilities: capabilitiesWith(providers) } });
	const calls = fakeApp({ agents: { agents, problems: [] }, testBridge: {}, settings: { set: [] }, ...answers });
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	render(<SettingsPage part="agents" />, { wrapper: app.wrapper, container: frame });
	await act(async () => undefined);
	const called = (method: string) => calls.filter((call) => call.method === method).map(({ params }) => params);
	return { app, called };
}

const row = (id: string) => {
	const found = document.querySelector<HTMLElement>(`[data-agent=${id}]`);
	if (found === null) throw new Error(`no row of ${id}`);
	return found;
};
const press = async (name: string) => {
	fireEvent.click(screen.getByRole("button", { name }));
	await act(async () => undefined);
};

describe("the agents of the settings", () => {
	it("come with those that are there first, each with the one thing to do next", async () => {
		await open([
			agent("gone"),
			agent("python", { canInstall: false, command: "uv tool install python" }),
			agent("older", { state: "ready", source: "installed", version: "0.9.0", hasUpdate: true, test: { at, tookMs: 300 } }),
			agent("locked", { state: "needs_sign_in", source: "found" }),
		]);
		expect([...document.querySelectorAll("[data-agent]")].map((one) => one.getAttribute("data-agent"))).toEqual([
			...["older", "locked", "gone", "python"],
		]);
		expect(row("older").textContent).toMatch(/Ready0\.9\.01\.0\.0 is availableanswered in 0\.3 sas of /);
		expect(within(row("older")).getByRole("button", { name: "Update older to 1.0.0" })).toBeDefined();
		expect(within(row("locked")).getByRole("button", { name: "Sign in to locked" }).className).toContain("pri");
		expect(within(row("locked")).queryByRole("button", { name: "Remove locked" })).toBeNull();
		expect(within(row("gone")).getByRole("button", { name: "Install gone" })).toBeDefined();
		expect(within(row("python")).queryAllByRole("button", { name: /Install/ })).toEqual([]);
		expect(row("python").textContent).toContain("uv tool install python");
	});

	it("that were not tested and answered in a run are ready, and say when that was, in place of a test", async () => {
		await open([agent("answered", { state: "ready", source: "found", answeredAt: at })]);
		expect(row("answered").textContent).toMatch(/Ready.*answered in a run, .*\d/);
		expect(row("answered").textContent).not.toContain("as of");
	});

	it("whose last run failed because of them say when that was, why, and what to do", async () => {
		const problem = { code: "PROVIDER_EXITED", message: "It could not be started.", fix: "Test it: xw test" };
		await open([agent("moved", { state: "failed", source: "found", failedRun: { at, problem } })]);
		expect(row("moved").textContent).toMatch(/Doesn’t work.*a run failed, .*It could not be started\.Test it: xw test/s);
	});

	it.each([
		[[], [["script", true]], "Only Script is ready. Installing an agent takes one click."],
		[[], [], "No agent is ready. Installing one takes one click."],
		[[], [["newcomer", true]], "No agent is ready yet. Test one below."],
		[
			[],
			[
				["script", true],
				["newcomer", true],
			],
			"Only Script is ready. Test an agent below.",
		],
		[
			[],
			[
				["script", true],
				["liar", true],
			],
			"1 agent is ready, plus Script.",
		],
		[
			["codex"],
			[
				["codex", true],
				["liar", true],
			],
			"2 agents are ready.",
		],
		[["codex"], [["liar", false]], "1 agent is ready."],
	] as const)("are counted at the top with those that XWorkmate does not install: %j and %j", async (ready, providers, lead) => {
		await open([agent("gone"), ...ready.map((id) => agent(id, { state: "ready", source: "installed", version: "1" }))], {}, providers);
		expect(document.querySelector(".doctor-head p")?.textContent).toBe(lead);
	});

	it("are checked for newer versions when asked, each answer with its age, and nothing is installed", async () => {
		const older = agent("older", { state: "ready", source: "installed", version: "0.9.0" });
		const problem = { code: "REGISTRY_UNREACHABLE", message: "The npm registry can't be reached.", fix: "Check the connection." };
		let agents = [
			older,
			agent("same", { ...older, agentId: ProviderId.parse("same") }),
			agent("away", { ...older, agentId: ProviderId.parse("away") }),
		];
		const { called } = await open([], {
			agents: () => ({ agents, problems: [] }),
			checkAgents: () => {
				const found = [{ version: "2.0.0" }, { version: "0.9.0" }, { problem }];
				agents = agents.map((one, index) => ({ ...one, newest: { at, ...found[index] } }));
				return { agents, problems: [] };
			},
		});
		expect(called("checkAgents")).toEqual([]);
		await press("Check for updates");
		expect(row("older").textContent).toMatch(/the newest version in the registry is 2\.0\.0, as of .*; XWorkmate installs 1\.0\.0/);
		expect(row("same").textContent).toContain("the newest version in the registry");
		expect(row("away").textContent).toMatch(/not checked for updates, as of .+: The npm registry can't be reached\./);
		expect([called("checkAgents"), called("updateAgent"), called("installAgent")]).toEqual([[{}], [], []]);
	});

	it("are installed by one press; how far it is, is shown, and the end is said aloud", async () => {
		const job: NonNullable<Agent["job"]> = {
			...{ kind: "install", state: "running", version: "1.0.0", stage: "downloading", startedAt: at },
			...{ packages: { done: 1, total: 4 }, bytes: 112_000_000 },
		};
		let now = [agent("goose", { bytes: 301_000_000 })];
		const { app, called } = await open(now, {
			agents: () => ({ agents: now, problems: [] }),
			installAgent: () => {
				now = now.map((one) => ({ ...one, job }));
				return now[0];
			},
			cancelAgent: () => ({ ...now[0], job: { ...job, state: "cancelled" }, cancelled: true }),
		});
		await press("Install goose");
		expect(called("installAgent")).toEqual([{ agentId: "goose" }]);
		expect(row("goose").textContent).toContain("Downloading1 of 4 packages112 MB of about 301 MB");
		expect(screen.getByRole("progressbar", { name: "Progress of goose" }).getAttribute("value")).toBe(String(0.25 + 112 / 301 / 4));
		now = [agent("goose", { state: "ready", source: "installed", version: "1.0.0", test: { at, tookMs: 100 } })];
		await act(async () => app.appLink.agentNews.set(1));
		expect(app.said).toEqual(["goose is ready."]);
		expect(called("testBridge")).toHaveLength(1);
	});

	const running = { kind: "install", state: "running", version: "1.1.0", stage: "starting", startedAt: at } as const;
	const installing: Partial<Agent> = { job: running };
	const updating: Partial<Agent> = { job: { ...running, kind: "update" } };
	const signing: Partial<Agent> = { signingIn: { methodId: "key", startedAt: at } };
	const failedUpdate: Partial<Agent> = { job: { ...running, kind: "update", state: "failed" } };
	const version = "1.1.0";
	it.each<[string, Partial<Agent>, Partial<Agent>, string]>([
		["an installation", installing, { state: "ready", version }, "goose is ready."],
		["an installation", installing, { state: "needs_sign_in", version }, "goose is installed and needs a sign-in."],
		["an installation", installing, { state: "failed", version }, "goose is installed, but doesn’t work."],
		["an installation", installing, { state: "untested", version }, "goose is installed, but not tested yet."],
		["an installation", installing, { state: "missing", job: { ...running, state: "failed" } }, "goose was not installed."],
		["an update", updating, failedUpdate, "goose was not updated. 1.0.0 is still in use."],
		["an update", updating, { job: { ...running, kind: "update", state: "cancelled" } }, "goose was not updated. 1.0.0 is still in use."],
		["a sign-in", signing, { state: "ready" }, "goose is ready."],
		["a sign-in", signing, { state: "needs_sign_in" }, "goose still needs a sign-in."],
		["a sign-in", signing, { state: "untested" }, "The sign-in to goose has ended. The test result isn’t available yet."],
		["a sign-in after a failed update", { ...failedUpdate, ...signing }, { ...failedUpdate, state: "ready" }, "goose is ready."],
	])("the end of %s is said as it is: %j, %j", async (_, during, after, said) => {
		const goose = agent("goose", { state: "ready", source: "installed", version: "1.0.0" });
		let now = [{ ...goose, ...during }];
		const { app } = await open(now, { agents: () => ({ agents: now, problems: [] }) });
		now = [{ ...goose, ...after }];
		await act(async () => app.appLink.agentNews.set(1));
		expect(app.said).toEqual([said]);
	});

	it.each([
		["update", "Update cancelled, 1.0.0 is still in use"],
		["install", "Installation cancelled, nothing was kept"],
	] as const)("say what a cancelled %s leaves", async (kind, says) => {
		const installed = { state: "ready", source: "installed", version: "1.0.0" } as const;
		await open([agent("goose", { ...(kind === "update" && installed), job: { ...running, kind, state: "cancelled" } })]);
		expect(row("goose").textContent).toContain(says);
	});

	it("show why an installation failed, with what to do and the log", async () => {
		const problem = { code: "DISK_FULL", message: "There is no space left on the disk.", fix: "Free some space, then try again." };
		await open([
			agent("goose", {
				job: {
					...{ kind: "install", state: "failed", version: "1.0.0", stage: "downloading", startedAt: at, endedAt: at },
					...{ problem, log: "npm error code ENOSPC\n\u202Eevil" },
				},
			}),
		]);
		expect(row("goose").textContent).toContain("Installation failed");
		expect(row("goose").textContent).toContain("no space left on the disk. DISK_FULL");
		expect(screen.getByRole("region", { name: "Log of goose" }).textContent).toContain("npm error code ENOSPC");
		expect(row("goose").textContent).not.toContain("\u202E");
		expect(within(row("goose")).getByRole("button", { name: "Try again: install goose" }).textContent).toBe("Try again");
	});

	it("are signed in to: a secret leaves the page once, whatever becomes of it", async () => {
		const locked = agent("goose", {
			state: "needs_sign_in",
			source: "installed",
			version: "1.0.0",
			signIn: [{ ...key, variables: [secret] }],
		});
		let isRefused = true;
		const { called } = await open([locked], {
			signInAgent: () => (isRefused ? new Refused("INVALID_PARAMS", "It must be one line.") : locked),
			testAgent: () => ({ ...locked, state: "ready" }),
		});
		await press("Sign in to goose");
		const field = () => screen.getByLabelText("API key") as HTMLInputElement;
		expect(field().type).toBe("password");
		const save = async (text: string) => {
			fireEvent.input(field(), { target: { value: text } });
			fireEvent.submit(field());
			await act(async () => undefined);
		};
		await save("a-secret");
		expect([field().value, screen.getByRole("alert").textContent]).toEqual(["", expect.stringContaining("It must be one line.")]);
		isRefused = false;
		await save("another-secret");
		expect(called("signInAgent")).toEqual([
			{ agentId: "goose", methodId: "key", variables: { KEY: "a-secret" } },
			{ agentId: "goose", methodId: "key", variables: { KEY: "another-secret" } },
		]);
		expect(screen.queryByRole("dialog")).toBeNull();
		expect(document.body.innerHTML).not.toContain('secret"');
	});

	it("are removed after a question", async () => {
		let now = agent("goose", { state: "ready", source: "installed", version: "1.0.0" });
		const { called } = await open([], {
			agents: () => ({ agents: [now], problems: [] }),
			removeAgent: () => {
				now = agent("goose");
				return { ...now, removed: true };
			},
		});
		await press("Remove goose");
		expect(called("removeAgent")).toEqual([]);
		await press("Remove");
		expect(called("removeAgent")).toEqual([{ agentId: "goose" }]);
		expect(row("goose").textContent).toContain("Not installed");
	});
});
