import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { type Agent, ProviderId } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import { AgentChoice } from "../../../src/ui/agents/agent-choice.tsx";
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
const here = (id: string) => ({ providerId: ProviderId.parse(id), label: id, target: "agent", available: true, features }) as const;
const variable = { optional: false, isSet: false };
const goose: Agent = {
	...{ agentId: ProviderId.parse("goose"), name: "goose", description: "", state: "needs_sign_in", source: "installed" },
	...{ offered: "1.0.0", hasUpdate: false, canInstall: true, command: "npm install -g goose" },
	signIn: [
		{
			...{ methodId: "key", kind: "variables", name: "A key" },
			variables: [
				{ ...variable, name: "KEY", label: "API key", secret: true },
				{ ...variable, name: "MODEL", label: "Model", secret: false, default: "usual" },
			],
		},
	],
};

it("an agent that isn't signed in is signed in to where it is chosen, and chosen once it has answered", async () => {
	const ready = { ...goose, state: "ready" };
	const calls = fakeApp({ agents: { agents: [goose], problems: [] }, testBridge: {}, signInAgent: goose, testAgent: ready });
	const capabilities = { ...fakeCapabilities({ maxActive: 1, maxQueued: 1 }, undefined), providers: [here("goose"), here("codex")] };
	const use = vi.fn();
	const frame = document.body.appendChild(document.createElement("div"));
	frame.className = "frame";
	render(<AgentChoice use={use} />, {
		wrapper: new InApp({ ...appState, bridge: { ...appState.bridge, capabilities } }).wrapper,
		container: frame,
	});
	const press = await screen.findByRole("button", { name: "Sign in to goose" });
	expect(screen.getAllByRole("button", { name: /^Use / }).map((one) => one.getAttribute("aria-label"))).toEqual(["Use codex"]);
	fireEvent.click(press);
	const key = await screen.findByLabelText("API key");
	expect(screen.getByLabelText("Model")).toHaveProperty("value", "usual");
	fireEvent.change(key, { target: { value: "a key" } });
	await act(async () => void fireEvent.click(screen.getByRole("button", { name: "Save and test" })));
	await waitFor(() => expect(use).toHaveBeenCalledOnce());
	const [sent] = calls.filter(({ method }) => method === "signInAgent");
	expect(sent?.params).toEqual({ agentId: "goose", methodId: "key", variables: { KEY: "a key", MODEL: "usual" } });
});
