import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { type ProviderCapability, ProviderId, Timestamp } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AgentList } from "../../../src/ui/agents/agent-list.tsx";
import { AgentPicker } from "../../../src/ui/agents/agent-picker.tsx";
import { trials } from "../../../src/ui/agents/provider-trials.ts";
import { doctorHead } from "../../../src/ui/doctor/doctor-view.ts";
import { stateOf } from "../composer/composer-scene.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";

afterEach(() => {
	cleanup();
	document.body.replaceChildren();
	vi.unstubAllGlobals();
	trials.set(new Map());
});

const at = Timestamp.parse("2026-01-02T10:00:00.000Z");
const problem = { code: "PROVIDER_ERROR", message: "The model could not be reached.", fix: "Test its accounts." };
const assistant = (more: Partial<ProviderCapability> = { failedRun: { at, problem } }): ProviderCapability => ({
	...{ providerId: ProviderId.parse("assistant"), own: "agent", label: "Assistant", target: "agent", available: true },
	...{ features: { approvals: true, followUp: true, resume: true, attachments: false }, ...more },
});

describe("a provider whose last run failed because of it", () => {
	it("is not counted as ready", () => {
		const known = { state: "connected" as const, capabilities: { providers: [assistant()], serverTime: at } };
		expect(doctorHead(known)).toEqual({
			title: "No agent is ready. See below.",
			lead: "0 of 1 agent ready, 1 failed the last test or run",
		});
	});

	it("says so in the list, with the time, the reason and what to do, also after a test that starts nothing", async () => {
		vi.stubGlobal("fetch", async () => Response.json({ result: { provider: assistant(), tookMs: 4 } }));
		const { container, rerender } = render(<AgentList providers={[assistant()]} canTry />);
		const said = /Not ready.*a run failed, .*The model could not be reached\..*Test its accounts\./;
		expect(container.textContent).toMatch(said);
		fireEvent.click(screen.getByRole("button", { name: "Test Assistant" }));
		await screen.findByText("Testing");
		await screen.findByText("Not ready");
		expect(container.textContent).toMatch(said);
		// It has answered since.
		rerender(<AgentList providers={[assistant({ answeredAt: at })]} canTry />);
		expect(container.textContent).toMatch(/Ready.*answered in a run, /);
	});

	it("says so where it is chosen", async () => {
		fakeApp({ testBridge: {} });
		const picker = <AgentPicker isOpen setOpen={() => undefined} choose={() => undefined} />;
		const container = document.body.appendChild(document.createElement("div"));
		container.className = "frame";
		render(picker, { wrapper: new InApp(stateOf(assistant())).wrapper, container });
		expect((await screen.findByRole("option", { name: /Assistant/ })).textContent).toMatch(/a run failed, /);
	});
});
