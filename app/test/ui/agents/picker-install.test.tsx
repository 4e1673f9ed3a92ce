import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { type Agent, ProviderId } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import { AgentPicker } from "../../../src/ui/agents/agent-picker.tsx";
import { fakeCapabilities } from "../../support/fake-capabilities.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

afterEach(() => {
	cleanup();
	document.body.replaceChildren();
	vi.unstubAllGlobals();
});

const features = { approvals: true, followUp: true, resume: true, attachments: true };
const unavailable = { code: "PROVIDER_NOT_INSTALLED", message: "It was not found.", fix: "Install it." };
const missing = (id: string) =>
	({ providerId: ProviderId.parse(id), label: id, target: "agent", available: false, unavailable, features }) as const;
const goose: Agent = {
	...{ agentId: ProviderId.parse("goose"), name: "goose", description: "", state: "missing", offered: "1.0.0", hasUpdate: false },
	...{ canInstall: true, command: "npm install -g goose", signIn: [] },
};

it("an agent that is missing is installed where it is picked, by one press; one that XWorkmate can't install has its command", async () => {
	const startedAt = "2026-01-01T10:00:00.000Z";
	let now = goose;
	const calls = fakeApp({
		testBridge: {},
		agents: () => ({ agents: [now, { ...goose, agentId: ProviderId.parse("hermes"), canInstall: false }], problems: [] }),
		installAgent: () => {
			now = { ...goose, job: { kind: "install", state: "running", version: "1.0.0", stage: "resolving", startedAt } };
			return now;
		},
	});
	const capabilities = { ...fakeCapabilities({ maxActive: 1, maxQueued: 1 }, undefined), providers: [missing("goose"), missing("hermes")] };
	const choose = vi.fn();
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	render(<AgentPicker isOpen setOpen={() => undefined} choose={choose} />, {
		wrapper: new InApp({ ...appState, bridge: { ...appState.bridge, capabilities } }).wrapper,
		container: frame,
	});
	expect(screen.queryByRole("button", { name: "Install goose" })).toBeNull();
	fireEvent.click(await screen.findByRole("option", { name: /hermes/ }));
	await act(async () => undefined);
	expect(screen.queryByRole("button", { name: /^Install / })).toBeNull();
	fireEvent.click(screen.getByRole("option", { name: /goose/ }));
	fireEvent.click(await screen.findByRole("button", { name: "Install goose" }));
	await screen.findByRole("button", { name: "Cancel installing goose" });
	expect(calls.filter(({ method }) => method === "installAgent").map(({ params }) => params)).toEqual([{ agentId: "goose" }]);
	expect(choose).not.toHaveBeenCalled();
});
