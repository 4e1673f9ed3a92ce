import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ApprovalPrompt } from "../../../src/ui/approvals/approval-prompt.tsx";
import { INPUT, typedCall } from "../action-stories.ts";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { appState } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

describe("an answer that does not reach the app", () => {
	it("may not have arrived, and is not sent later", async () => {
		fakeApp({
			approvalInput: { record: typedCall(), input: INPUT },
			decideApproval: () => {
				throw new TypeError("nobody answers");
			},
		});
		const here = new InApp({ ...appState, serverTime: appState.serverTime });
		const expiresAt = new Date(Date.now() + 900_000).toISOString();
		render(<ApprovalPrompt approval={typedCall({ expiresAt })} provider="Script" />, { wrapper: here.wrapper });
		fireEvent.click(await screen.findByRole("button", { name: /Allow once/ }));
		expect((await screen.findByRole("alert")).textContent).toBe(
			"Your answer may not have arrived, because the app isn’t responding. When the app is back, the request appears here again, unless it was answered or its run has ended.",
		);
	});
});
