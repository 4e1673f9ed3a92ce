import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { ProviderId } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AppState, ThreadSummary } from "../../../src/api/ui-api.ts";
import { trials } from "../../../src/ui/agents/provider-trials.ts";
import { DiagnosticsSettings } from "../../../src/ui/settings/diagnostics-settings.tsx";
import { FakeApp } from "../../support/fake-app.ts";
import { fakeCapabilities } from "../../support/fake-capabilities.ts";
import { InApp } from "../in-app.tsx";
import { appState, ended, summary } from "../stories.ts";

const features = { approvals: true, followUp: true, resume: true, attachments: true };
const provider = (id: string, more: object = {}) => ({
	...{ providerId: ProviderId.parse(id), label: id, target: "agent" as const, available: true, features },
	...more,
});
const bridge: AppState["bridge"] = {
	...appState.bridge,
	capabilities: {
		...fakeCapabilities({ maxActive: 1, maxQueued: 1 }, undefined),
		providers: [provider("codex"), provider("xworkmate", { own: "agent" })],
	},
};
const { turn } = ended({}, undefined);
const thread = (name: string, status: "running" | "queued", providerId = "codex"): ThreadSummary =>
	summary(name, 5, { lastTurn: { ...turn, status }, pendingTurnId: turn.turnId, providerId: ProviderId.parse(providerId) });

let app: FakeApp;
beforeEach(() => {
	app = new FakeApp();
	app.answers.set("doctor", () => []);
	app.answers.set("settings", () => ({ set: [], operators: [], profiles: [], channels: [] }));
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
});
afterEach(() => {
	cleanup();
	document.body.replaceChildren();
	trials.set(new Map());
	app[Symbol.dispose]();
});

async function open(threads: readonly ThreadSummary[] = []): Promise<InApp> {
	const here = new InApp({ ...appState, bridge, threads });
	const container = document.querySelector<HTMLElement>(".frame") ?? document.body;
	render(<DiagnosticsSettings />, { wrapper: here.wrapper, container });
	await act(async () => undefined);
	return here;
}
const press = async (name: string) => {
	fireEvent.click(screen.getByRole("button", { name }));
	await act(async () => undefined);
};
const heading = () => document.querySelector("h2")?.textContent;

describe("a restart of the bridge", () => {
	it("is not offered if the user started the bridge, because the app can't restart it", async () => {
		const here = await open();
		expect(screen.queryByRole("button", { name: "Restart bridge" })).not.toBeNull();
		act(() => here.app.set({ ...here.app.value, bridge: { ...bridge, startedByUser: true } }));
		expect(screen.queryByRole("button", { name: "Restart bridge" })).toBeNull();
	});

	it("is asked about while runs are at work, names how many, and Cancel leaves them alone", async () => {
		await open([thread("a", "running"), thread("b", "running"), thread("c", "queued"), thread("d", "running", "xworkmate")]);
		await press("Restart bridge");
		expect(screen.getByRole("alertdialog").textContent).toContain("2 runs are in progress and may be interrupted.");
		await press("Cancel");
		expect(app.of("restartBridge")).toEqual([]);
	});

	it("is done once it is confirmed", async () => {
		await open([thread("a", "running")]);
		await press("Restart bridge");
		const dialog = screen.getByRole("alertdialog");
		expect(dialog.textContent).toContain("1 run is in progress and may be interrupted.");
		fireEvent.click(dialog.querySelector("button.danger") ?? dialog);
		await act(async () => undefined);
		expect(app.of("restartBridge")).toHaveLength(1);
	});

	it("needs no question when it interrupts nothing, and is called a restart while it lasts", async () => {
		const done = Promise.withResolvers<void>();
		app.answers.set("restartBridge", () => done.promise);
		const here = await open([thread("a", "queued")]);
		await press("Restart bridge");
		expect(screen.queryByRole("alertdialog")).toBeNull();
		expect(screen.getByRole("button", { name: "Restarting…" })).toBeDefined();
		const refusal = { code: "BRIDGE_NOT_RUNNING", message: "No bridge is running for the data folder /h.", fix: "Start it." };
		act(() => here.app.set({ ...here.app.value, bridge: { ...bridge, state: "unreachable", refusal } }));
		expect(screen.queryByText(/No bridge is running/)).toBeNull();
		expect(heading()).toBe("The bridge is restarting. Nothing can run until it’s back.");
		expect(screen.getByText("Restarting the bridge")).toBeDefined();
		await press("Restarting…");
		expect(app.of("restartBridge")).toHaveLength(1);
		await act(async () => {
			here.app.set({ ...here.app.value, bridge });
			done.resolve();
		});
		await screen.findByRole("button", { name: "Restart bridge" });
		expect(heading()).not.toContain("restarting");
	});
});

it("a test that a restart cut off does not say that the bridge is away once it is back", async () => {
	const gone = Object.assign(new Error("No bridge is running for the data folder /h."), { name: "BRIDGE_NOT_RUNNING" });
	app.answers.set("testProvider", () => Promise.reject(gone));
	const here = await open();
	act(() => here.app.set({ ...here.app.value, bridge: { ...bridge, state: "unreachable" } }));
	await press("Test codex");
	await screen.findByText(/No bridge is running/);
	act(() => here.app.set({ ...here.app.value, bridge }));
	expect(screen.queryByText(/No bridge is running/)).toBeNull();
	expect(screen.getByText("Not tested: the bridge couldn’t be reached.")).toBeDefined();
	// A test that was under way when the bridge ended was interrupted.
	const closed = Object.assign(new Error("The connection to the bridge was closed."), { name: "ACP_HTTP_CONNECTION_CLOSED" });
	app.answers.set("testProvider", () => Promise.reject(closed));
	await press("Test codex");
	expect(await screen.findByText("The last test was interrupted.")).toBeDefined();
});
