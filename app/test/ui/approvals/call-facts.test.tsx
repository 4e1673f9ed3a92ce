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

const tools = [tool("calendar.events.delete", "destructive", { rule: "ask" })];
const listed = { integrations: [integration("calendar", { toolHash: NEW, tools })] };
const expiresAt = new Date(Date.now() + 900_000).toISOString();
const buttons = () => screen.getAllByRole("button", { name: /^(Allow|Deny)/ }).map(({ textContent }) => textContent);

it.each(["toolNews", "connections"] as const)(
	"an open request says what is so of its tool after news of %s, and until then what was so",
	async (of) => {
		const reads: PromiseWithResolvers<object>[] = [];
		fakeApp({
			approvalInput: () => {
				const read = Promise.withResolvers<object>();
				reads.push(read);
				return read.promise;
			},
			listTools: listed,
			listReceipts: { items: [] },
		});
		const here = new InApp(appState);
		const { container } = render(<ApprovalPrompt approval={typedCall({ expiresAt, unaccepted: true })} provider="Script" />, {
			wrapper: here.wrapper,
		});
		const next = (read: number, more: object) =>
			act(async () => reads[read]?.resolve({ record: typedCall({ expiresAt, ...more }), input: INPUT }));
		const news = async (read: number) => {
			act(() => here.appLink[of].set(here.appLink[of].value + 1));
			await vi.waitFor(() => expect(reads).toHaveLength(read + 1));
		};
		await vi.waitFor(() => expect(reads).toHaveLength(1));
		await next(0, { unaccepted: true });
		await screen.findByText(UNACCEPTED, { exact: false });
		await news(1);
		expect(container.textContent).toContain(UNACCEPTED);
		await next(1, {});
		await vi.waitFor(() => expect(container.textContent).not.toContain(UNACCEPTED));
		expect(screen.getByRole("button", { name: /^Allow once/ })).toHaveProperty("disabled", false);
		await news(2);
		await next(2, { toolChanged: true, options: ["deny"] });
		await screen.findByText("The tool has changed or was removed after this request.", { exact: false });
		expect(buttons()).toEqual(["DenyD"]);
		await news(3);
		await next(3, {});
		await vi.waitFor(() => expect(buttons()).toEqual(["Allow onceA", "DenyD"]));
	},
);

it("an open request keeps what it knew of its call while that cannot be read again, and says what is so once it can", async () => {
	let isAway = false;
	let isAccepted = true;
	const unlessAway = (answer: object) => (isAway ? new Refused("BRIDGE_UNREACHABLE", "The bridge doesn't respond.") : answer);
	const calls = fakeApp({
		approvalInput: () => unlessAway({ record: typedCall(isAccepted ? {} : { unaccepted: true }), input: INPUT }),
		listTools: () => unlessAway(listed),
		listReceipts: () =>
			unlessAway({ items: [{ type: "tool.call.approved", at: at(1), toolHash: OLD, decision: { decision: "allow_once" } }] }),
	});
	const here = new InApp(appState);
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
