import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ApprovalPrompt } from "../../../src/ui/approvals/approval-prompt.tsx";
import { INPUT, integration, NEW, OLD, tool, typedCall } from "../action-stories.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState, at } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const UNACCEPTED = "You haven’t accepted this version of the tool.";

it.each(["toolNews", "connections"] as const)(
	"an open request says what is so of its tool after news of %s, and until then what was so",
	async (of) => {
		const tools = [tool("calendar.events.delete", "destructive", { rule: "ask" })];
		const accepted = { toolHash: NEW, at: at(1), by: "person" };
		const reads: PromiseWithResolvers<object>[] = [];
		fakeApp({
			approvalInput: { record: typedCall(), input: INPUT },
			listTools: () => {
				const read = Promise.withResolvers<object>();
				reads.push(read);
				return read.promise;
			},
			listReceipts: { items: [] },
		});
		const here = new InApp(appState);
		const expiresAt = new Date(Date.now() + 900_000).toISOString();
		const { container } = render(<ApprovalPrompt approval={typedCall({ expiresAt })} provider="Script" />, { wrapper: here.wrapper });
		await vi.waitFor(() => expect(reads).toHaveLength(1));
		await act(async () => reads[0]?.resolve({ integrations: [integration("calendar", { toolHash: NEW, tools })] }));
		await screen.findByText(UNACCEPTED, { exact: false });
		act(() => here.appLink[of].set(here.appLink[of].value + 1));
		await vi.waitFor(() => expect(reads).toHaveLength(2));
		expect(container.textContent).toContain(UNACCEPTED);
		await act(async () => reads[1]?.resolve({ integrations: [integration("calendar", { toolHash: NEW, accepted, tools })] }));
		await screen.findByText("You set this tool to Ask.", { exact: false });
		expect(container.textContent).not.toContain(UNACCEPTED);
		expect(screen.getByRole("button", { name: /^Allow once/ })).toHaveProperty("disabled", false);
	},
);

it("an open request keeps what it knew of its call while that cannot be read again, and says what is so once it can", async () => {
	const tools = [tool("calendar.events.delete", "destructive", { rule: "ask" })];
	const accepted = { toolHash: NEW, at: at(1), by: "person" };
	let isAway = false;
	let isAccepted = true;
	const unlessAway = (answer: object) => (isAway ? new Refused("BRIDGE_UNREACHABLE", "The bridge doesn't respond.") : answer);
	const calls = fakeApp({
		approvalInput: () => unlessAway({ record: typedCall(), input: INPUT }),
		listTools: () => unlessAway({ integrations: [integration("calendar", { toolHash: NEW, tools, ...(isAccepted && { accepted }) })] }),
		listReceipts: () =>
			unlessAway({ items: [{ type: "tool.call.approved", at: at(1), toolHash: OLD, decision: { decision: "allow_once" } }] }),
	});
	const here = new InApp(appState);
	const expiresAt = new Date(Date.now() + 900_000).toISOString();
	const { container } = render(<ApprovalPrompt approval={typedCall({ expiresAt })} provider="Script" />, { wrapper: here.wrapper });
	await screen.findByText("You set this tool to Ask.", { exact: false });
	const known = container.textContent;
	expect(known).toContain("This tool has changed since it was last allowed.");
	isAway = true;
	const before = calls.length;
	act(() => here.appLink.connections.set(2));
	await vi.waitFor(() => expect(calls.length).toBe(before + 3));
	await act(async () => undefined);
	expect(container.textContent).toBe(known);
	isAway = false;
	isAccepted = false;
	await screen.findByText(UNACCEPTED, { exact: false }, { timeout: 3_000 });
});
