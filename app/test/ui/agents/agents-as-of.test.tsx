import { act, cleanup, render, screen } from "@testing-library/react";
import { type Agent, ProviderId } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { BridgeView } from "../../../src/api/ui-api.ts";
import SettingsPage from "../../../src/ui/settings/settings-page.tsx";
import { formatTime } from "../../../src/ui/text/format.ts";
import { fakeCapabilities } from "../../support/fake-capabilities.ts";
import { until } from "../../support/until.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const agentId = ProviderId.parse("hermes");
const missing: Agent = {
	...{ agentId, name: "hermes", description: "", state: "missing", offered: "1.0.0", hasUpdate: false, canInstall: false },
	...{ command: "install-hermes", signIn: [] },
};
const found: Agent = { ...missing, state: "ready", source: "found" };

/** A bridge on whose PATH the agent is or isn't. */
function bridgeWith(available: boolean): BridgeView {
	const features = { approvals: true, followUp: true, resume: true, attachments: true };
	const hermes = { providerId: agentId, label: "hermes", target: "agent", available, features } as const;
	const capabilities = { ...fakeCapabilities({ maxActive: 1, maxQueued: 1 }, undefined), providers: [hermes] };
	return { ...appState.bridge, capabilities };
}

/** Settings > Agents with the agent that is there at first, and how often the agents were asked for. */
async function open(agent: Agent) {
	const here = new InApp({ ...appState, bridge: bridgeWith(agent.state !== "missing") });
	const now: { agent: Agent | Refused } = { agent };
	const agents = () => (now.agent instanceof Refused ? now.agent : { agents: [now.agent], problems: [] });
	const calls = fakeApp({ agents, testBridge: {}, settings: { set: [] } });
	render(<SettingsPage part="agents" />, { wrapper: here.wrapper });
	await act(async () => undefined);
	const reads = () => calls.filter(({ method }) => method === "agents").length;
	const bridge = (view: Partial<BridgeView>) => {
		const { trouble: _, ...before } = here.app.value.bridge;
		return act(async () => here.app.set({ ...here.app.value, bridge: { ...before, ...view } }));
	};
	return { here, now, reads, bridge };
}

const row = () => document.querySelector("[data-agent=hermes]")?.textContent;
const lead = () => document.querySelector(".doctor-head p")?.textContent;

describe("the agents of the settings, while the page stays open", () => {
	it.each([
		["the window", () => window.dispatchEvent(new Event("focus"))],
		["the tab", () => document.dispatchEvent(new Event("visibilitychange"))],
	])("are read again when the user comes back from a terminal to %s", async (_, comeBack) => {
		const { now } = await open(missing);
		expect(row()).toContain("Not installed");
		now.agent = found;
		await act(async () => comeBack());
		expect(row()).toContain("Readyfound on the bridge’s computer");
	});

	it("are read once per return, which the browser reports twice", async () => {
		const { reads } = await open(found);
		const before = reads();
		await act(async () => {
			document.dispatchEvent(new Event("visibilitychange"));
			window.dispatchEvent(new Event("focus"));
		});
		expect(reads()).toBe(before + 1);
	});

	it("are read again after a read that failed, without waiting for a change or a return", async () => {
		const { now } = await open(missing);
		now.agent = new Refused("INTERNAL", "Something broke.");
		await act(async () => window.dispatchEvent(new Event("focus")));
		screen.getByRole("alert");
		now.agent = found;
		await act(() => until("it is read again", () => row()?.includes("Ready") === true));
		expect(screen.queryByRole("alert")).toBeNull();
	});

	it("are read again when the bridge reports that one was installed or removed on its computer", async () => {
		const { now, bridge } = await open(found);
		now.agent = missing;
		await bridge(bridgeWith(false));
		expect(row()).toContain("Not installed");
		now.agent = found;
		await bridge(bridgeWith(true));
		expect(row()).toContain("Ready");
	});

	it("are read again from each connection to the app", async () => {
		const { here, now } = await open(found);
		now.agent = missing;
		await act(async () => here.appLink.connections.set(2));
		expect(row()).toContain("Not installed");
	});
});

describe("the agents of the settings, while the bridge is away", () => {
	it.each([
		["unreachable", { state: "unreachable" }, "The bridge isn’t responding, so nothing can run."],
		["silent", { trouble: { what: "silent", own: false } }, "The bridge isn’t responding, so nothing can run."],
		["restarting", { trouble: { what: "ended", own: true } }, "The bridge is restarting. Nothing can run until it’s back."],
	] as const)("say as of when they are, and are read again once it is back: %s", async (_, away, why) => {
		const { now, reads, bridge } = await open(found);
		expect(lead()).toBe("1 agent is ready.");
		now.agent = new Refused("BRIDGE_NOT_RUNNING", "The bridge isn't responding.");
		const [asked] = [reads()];
		await bridge(away);
		await act(async () => window.dispatchEvent(new Event("focus")));
		expect(lead()).toMatch(new RegExp(`^${why} Last known status below, as of .*\\d\\d:\\d\\d\\.$`));
		expect([reads(), screen.queryByRole("alert")]).toEqual([asked, null]);
		now.agent = missing;
		await bridge(bridgeWith(true));
		expect([row()?.includes("Not installed"), lead()]).toEqual([true, "No agent is ready. Installing one takes one click."]);
	});

	it("say as of when they are if a later read has failed for another reason", async () => {
		const before = formatTime(new Date().toISOString());
		const { here, now } = await open(found);
		now.agent = new Refused("INTERNAL", "Something broke.");
		await act(async () => here.appLink.agentNews.set(1));
		const after = formatTime(new Date().toISOString());
		const said = screen.getByRole("alert").textContent ?? "";
		const times = [before, after].map((time) => `Something broke. Last known status below, as of ${time}.`);
		expect(times.some((one) => said.includes(one))).toBe(true);
		now.agent = found;
		await act(async () => here.appLink.agentNews.set(2));
		expect(screen.queryByRole("alert")).toBeNull();
	});
});
