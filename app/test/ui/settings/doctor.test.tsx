import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { PassingGatewayCode, type ProviderCapability, ProviderId, type Timestamp } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Finding } from "../../../src/api/ui-api.ts";
import { providerFindings } from "../../../src/doctor/finding.ts";
import { AgentList } from "../../../src/ui/agents/agent-list.tsx";
import { trials, tryAll } from "../../../src/ui/agents/provider-trials.ts";
import { readableLog } from "../../../src/ui/doctor/bridge-log-lines.ts";
import { agentsInOrder, doctorHead, doctorReport, ownFindings, pluginState } from "../../../src/ui/doctor/doctor-view.ts";
import SettingsPage from "../../../src/ui/settings/settings-page.tsx";
import { fakeCapabilities } from "../../support/fake-capabilities.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState, at } from "../stories.ts";

const features = { approvals: true, followUp: true, resume: true, attachments: true };

function provider(id: string, unavailable?: string, target: "agent" | "gateway" = "agent"): ProviderCapability {
	const why = unavailable === undefined ? {} : { unavailable: { code: unavailable, message: `${id} does not work`, fix: `mend ${id}` } };
	return { providerId: ProviderId.parse(id), label: id, target, available: unavailable === undefined, features, ...why };
}

const serverTime = new Date(2026, 0, 2, 10, 32).toISOString() as Timestamp;

function known(...providers: readonly ProviderCapability[]) {
	return { state: "connected" as const, capabilities: { providers: [...providers], serverTime } };
}

function head(...providers: readonly ProviderCapability[]) {
	return doctorHead(known(...providers)).title;
}

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
	trials.set(new Map());
});

describe("the headline of Diagnostics", () => {
	const [script, goose, lost] = [
		provider("script"),
		{ ...provider("goose"), lastTest: { at: serverTime, tookMs: 9 } },
		provider("codex", "PROVIDER_NOT_INSTALLED"),
	];
	const away = provider("openclaw", "GATEWAY_UNREACHABLE", "gateway");
	it("says who can work", () => {
		expect(head(script, goose, provider("openclaw", "GATEWAY_NOT_CONFIGURED", "gateway"))).toBe("Ready to go");
		expect(head(script, goose, away)).toBe("Ready to go. OpenClaw isn’t connected.");
		expect(head(script, lost)).toBe("No agent is available. Only Script works.");
		expect(head(script, lost, away)).toBe("No agent is available, and OpenClaw isn’t connected. Only Script works.");
		expect(head(script, provider("openclaw", undefined, "gateway"))).toBe("Ready to go");
	});

	it("counts an agent as ready only once it was tested, and says so of one that was only found", () => {
		const found = provider("claude");
		const problem = { code: "PROVIDER_EXITED", message: "It ended.", fix: "Run it." };
		const failing = { ...provider("codex"), lastTest: { at: serverTime, tookMs: 9, problem } };
		expect(doctorHead(known(script, goose, found, failing))).toEqual({
			title: "Ready to go",
			lead: "1 of 3 agents ready, 1 found but not tested yet, 1 failed the last test or run, plus Script",
		});
		expect(head(script, found)).toBe("No agent has been tested yet. Test one below.");
		expect(head(script, failing)).toBe("No agent is ready. See below.");
	});

	it("counts an agent as ready that answered in a run without a test", () => {
		const answered = { ...provider("claude"), answeredAt: serverTime };
		expect(doctorHead(known(script, answered)).lead).toBe("1 of 1 agent ready, plus Script");
	});

	it("promises no script where there is none", () => {
		const broken = provider("script", "PROVIDER_ERROR");
		expect(head(broken, lost)).toBe("No agent is available, and neither is Script. Nothing can run.");
		expect(doctorHead(known(broken, goose)).lead).toBe("1 of 1 agent ready");
		expect(doctorHead(known(script, goose)).lead).toBe("1 of 1 agent ready, plus Script");
	});

	it("counts no file as an agent: what is wrong with it is a finding of its own", () => {
		const file = provider("providers.json", "PROVIDER_MISCONFIGURED");
		expect(doctorHead(known(script, goose, file)).lead).toBe("1 of 1 agent ready, plus Script");
		expect(agentsInOrder([goose, file])).toEqual([goose]);
		const [found] = providerFindings({ providers: [file] });
		expect(found).toMatchObject({ about: "providers.json", state: "problem" });
		expect(ownFindings(found ? [found] : [], [file])).toEqual([found]);
	});

	it("is true while the bridge starts, refuses, restarts or is silent, and says how old the rest is", () => {
		const { capabilities } = known(script, goose);
		const titleOf = (bridge: Parameters<typeof doctorHead>[0]) => doctorHead(bridge).title;
		expect(titleOf({ state: "starting" })).toBe("Connecting to the bridge…");
		expect(titleOf({ state: "unreachable", capabilities })).toBe("The bridge isn’t responding, so nothing can run.");
		expect(titleOf({ state: "refused", capabilities })).toBe("The bridge rejected the connection, so nothing can run.");
		expect(titleOf({ state: "connected", trouble: { what: "silent", own: true }, capabilities })).toContain("isn’t responding");
		expect(titleOf({ state: "connected", trouble: { what: "ended", own: true }, capabilities })).toContain("The bridge is restarting.");
		expect(doctorHead(known(script, goose), false).title).toBe("The app isn’t responding, so nothing can be checked.");
		expect(doctorHead({ state: "unreachable", capabilities }).lead).toBe("Last known status below, as of 2 Jan 10:32.");
		expect(doctorHead({ state: "unreachable", capabilities, clockAheadMs: 120_000 }).lead).toContain("as of 2 Jan 10:30");
		expect(doctorHead({ state: "unreachable" }).lead).toBe("");
	});

	it("does not say that all is well on a full disk", () => {
		const { capabilities } = known(script, goose);
		const full = { state: "connected", capabilities: { ...capabilities, storage: { freeBytes: 0, totalBytes: 9 } } } as const;
		expect(doctorHead(full).title).toBe("The disk is full. Runs wait until there is space.");
	});

	it("does not say that all is well above a problem that the checks have found", () => {
		const finding = (about: string, state: Finding["state"] = "problem") => ({ about, state, message: "" });
		const titleOf = (providers: readonly ProviderCapability[], ...findings: readonly Finding[]) =>
			doctorHead(known(...providers), true, { findings }).title;
		expect(titleOf([script, goose], finding("home"))).toBe("Problem found: Data folder. See below.");
		expect(titleOf([script, lost], finding("tools stock"))).toBe("Problem found: tools stock. See below.");
		expect(titleOf([script, goose], finding("home"), finding("permissions"))).toBe("2 problems found. See below.");
		expect(titleOf([script, goose], finding("home", "ok"), finding("disk", "note"))).toBe("Ready to go");
		// What the title itself says of the bridge, the agents and the gateway is not replaced by a hint at it.
		expect(titleOf([provider("script", "PROVIDER_ERROR"), lost], finding("providers"))).toContain("Nothing can run.");
		expect(titleOf([script, goose], finding("bridge"))).toBe("Ready to go");
		expect(titleOf([script, goose, away], finding("OpenClaw queue"))).toBe("Ready to go. OpenClaw isn’t connected.");
		expect(titleOf([script, goose], finding("OpenClaw queue"))).toBe("Problem found: OpenClaw queue. See below.");
	});

	it("does not say that all is well before the checks have answered, or if they failed", () => {
		const titleOf = (findings: readonly Finding[] | undefined, problem?: string, ...more: readonly ProviderCapability[]) =>
			doctorHead(known(script, goose, ...more), true, { findings, problem }).title;
		expect(titleOf(undefined)).toBe("Checking…");
		expect(titleOf(undefined, undefined, away)).toBe("Checking…");
		expect([titleOf(undefined, "It failed."), titleOf([], "It failed.")]).toEqual(
			Array(2).fill("Not everything could be checked. See below."),
		);
		expect(titleOf([])).toBe("Ready to go");
		expect(doctorHead(known(script, lost), true, { findings: undefined }).title).toBe("No agent is available. Only Script works.");
	});

	it.each([
		["not answered yet", () => new Promise(() => {}), "Checking…"],
		["failed", new Refused("INTERNAL", "It failed."), "Not everything could be checked. See below."],
	])("is neutral while the checks have %s", async (_, doctor, title) => {
		fakeApp({ doctor, settings: { set: [] }, listSettings: { settings: [] } });
		const capabilities = { ...fakeCapabilities({ maxActive: 1, maxQueued: 1 }, undefined), providers: [script, goose] };
		const { wrapper } = new InApp({ ...appState, bridge: { ...appState.bridge, capabilities } });
		render(<SettingsPage part="diagnostics" />, { wrapper });
		await screen.findByRole("heading", { name: title });
	});

	it("is about the findings below it", async () => {
		const message = "/home/me is on a read-only file system. Nothing can be saved.";
		fakeApp({ doctor: [{ about: "home", state: "problem", message }], settings: { set: [] }, listSettings: { settings: [] } });
		const capabilities = { ...fakeCapabilities({ maxActive: 1, maxQueued: 1 }, undefined), providers: [script, goose] };
		const { wrapper } = new InApp({ ...appState, bridge: { ...appState.bridge, capabilities } });
		render(<SettingsPage part="diagnostics" />, { wrapper });
		await screen.findByText(message);
		expect(screen.queryByRole("heading", { name: "Ready to go" })).toBeNull();
		screen.getByRole("heading", { name: "Problem found: Data folder. See below." });
	});

	it("lists what can be used first, and shows nothing twice", () => {
		expect(agentsInOrder([lost, goose, away, script]).map(({ providerId }) => providerId)).toEqual(["script", "goose", "codex"]);
		const findings = ["node", "agent goose", "gateway openclaw"].map((about) => ({ about, state: "ok", message: "" }) as const);
		expect(ownFindings(findings, [goose, away]).map(({ about }) => about)).toEqual(["node"]);
	});

	it("knows the plugin only from a gateway that answers", () => {
		expect(pluginState(away)).toBe("unknown");
		for (const code of PassingGatewayCode.options) expect(pluginState(provider("openclaw", code, "gateway"))).toBe("unknown");
		expect(pluginState(provider("openclaw", undefined, "gateway"))).toBe("ready");
	});

	it.each(["GATEWAY_PLUGIN_VERSION", "CONVERSATION_ACCESS_DENIED", "GATEWAY_SCOPE_MISSING", "STATE_NOT_WRITABLE"])(
		"does not call a gateway disconnected that answered with %s",
		(code) => {
			const answering = provider("openclaw", code, "gateway");
			expect(pluginState(answering)).toBe("wrong");
			expect(head(script, goose, answering)).toBe("Ready to go. OpenClaw is connected, but can’t be used yet.");
			expect(head(script, lost, answering)).toBe("No agent is available, and OpenClaw can’t be used yet. Only Script works.");
		},
	);

	it("can be taken along as text", () => {
		const findings = [{ about: "disk", state: "problem", message: "0 B free", fix: "Free some" }] as const;
		const report = doctorReport({ findings, at: at(1) }, { version: "0.1.0", set: ["XWORKMATE_HOME"] });
		expect(report).toBe(`XWorkmate 0.1.0\nchecked ${at(1)}\nproblem disk: 0 B free\n        Free some\nset: XWORKMATE_HOME\n`);
	});
});

describe("the bridge's log", () => {
	it("is told in lines for a person, and what is no entry stays", () => {
		const text = readableLog('{"level":40,"time":0,"pid":1,"hostname":"h","code":"X","msg":"it is gone"}\n{broken\nplain\n{"level":"odd"}');
		expect(text).toMatch(/^19(?:69|70)-\d\d-\d\d [\d:]{8} {2}warn {3}it is gone {2}code=X\n\{broken\nplain\nodd$/);
	});
});

describe("trying agents", () => {
	it("asks the app for each, one after the other, and shows what came of it", async () => {
		const [goose, codex] = [provider("goose"), provider("codex")];
		const asked: string[] = [];
		let open = 0;
		vi.stubGlobal("fetch", async (_path: string, { body }: { readonly body: string }) => {
			expect(++open).toBe(1);
			const { providerId } = JSON.parse(body);
			asked.push(providerId);
			await Promise.resolve();
			open--;
			const tried = providerId === "goose" ? goose : provider("codex", "PROVIDER_AUTH_REQUIRED");
			return Response.json({ result: { provider: tried, tookMs: 420 } });
		});
		render(<AgentList providers={[goose, codex]} canTry />);
		const trying = tryAll([goose, codex]);
		expect(await screen.findAllByText("Testing")).toHaveLength(2);
		await trying;
		expect(asked).toEqual(["goose", "codex"]);
		await screen.findByText(/^Tested: responded in 0\.4 s, \d/);
		// Capabilities call it ready; the trial knows better, and says what helps.
		await screen.findByText("Sign-in needed");
		await screen.findByText("mend codex");
	});

	it.each([
		["failed here, passed elsewhere", "PROVIDER_AUTH_REQUIRED", undefined],
		["passed here, failed elsewhere", undefined, "PROVIDER_EXITED"],
	])("shows what is newest, not what this page saw last: %s", async (_, here, elsewhere) => {
		const at = (minute: number) => new Date(2026, 0, 2, 10, minute).toISOString() as Timestamp;
		const test = (minute: number, code: string | undefined) => ({
			...{ at: at(minute), tookMs: 9 },
			...(code !== undefined && { problem: { code, message: "goose does not work", fix: `mend goose at ${minute}` } }),
		});
		const tested = provider("goose", here);
		const answer = { provider: here === undefined ? { ...tested, lastTest: test(30, undefined) } : tested, tookMs: 420 };
		vi.stubGlobal("fetch", async () => Response.json({ result: answer }));
		const list = (lastTest?: ReturnType<typeof test>) => (
			<AgentList providers={[{ ...provider("goose"), ...(lastTest && { lastTest }) }]} canTry />
		);
		const { container, rerender } = render(list());
		fireEvent.click(screen.getByRole("button", { name: "Test goose" }));
		const own = here === undefined ? /^Tested: responded in 0\.4 s, \d/ : /^failed its last test, \d/;
		await screen.findByText(own);
		// The bridge reports the test that this page made.
		rerender(list(test(30, here)));
		expect(screen.getByText(own)).toBeTruthy();
		// A later test was not this page's.
		rerender(list(test(40, elsewhere)));
		expect(screen.queryByText(own) !== null).toBe(false);
		expect(container.textContent).toContain(elsewhere === undefined ? "Readyanswered its last test" : "failed its last test");
		expect(container.textContent?.includes("mend goose at 40")).toBe(elsewhere !== undefined);
	});

	it("says when the app or an older bridge cannot", async () => {
		vi.stubGlobal("fetch", async () => Response.json({ error: { code: "METHOD_NOT_FOUND", message: "no such method" } }, { status: 400 }));
		render(<AgentList providers={[provider("goose")]} canTry />, { wrapper: new InApp().wrapper });
		fireEvent.click(screen.getByRole("button", { name: "Test goose" }));
		await screen.findByText(/No such method/);
	});
});
