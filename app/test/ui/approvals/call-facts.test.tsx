import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { ApprovalPrompt } from "../../../src/ui/approvals/approval-prompt.tsx";
import { INPUT, integration, NEW, tool, typedCall } from "../action-stories.ts";
import { fakeApp } from "../fake-app.ts";
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
