import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { type Approval, ApprovalId } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { answerOf } from "../../../src/ui/approvals/answer-of.ts";
import { ApprovalPrompt } from "../../../src/ui/approvals/approval-prompt.tsx";
import { decide } from "../../../src/ui/approvals/decide.ts";
import { formatTime } from "../../../src/ui/text/format.ts";
import { INPUT, typedCall } from "../action-stories.ts";
import { fakeApp, Refused } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { approval, appState, at } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.useRealTimers();
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

	/** A request whose answer fails, until the bridge says what became of it. */
	async function unheard(fail: () => Refused, record: () => Approval, more: Partial<Approval> = {}) {
		vi.useFakeTimers({ shouldAdvanceTime: true });
		fakeApp({ approvalInput: () => ({ record: record(), input: INPUT }), decideApproval: fail });
		const here = new InApp({ ...appState, serverTime: appState.serverTime });
		const expiresAt = new Date(Date.now() + 900_000).toISOString();
		render(<ApprovalPrompt approval={approval({ expiresAt, ...more })} provider="Script" />, { wrapper: here.wrapper });
		fireEvent.click(await screen.findByRole("button", { name: /Deny/ }));
		await screen.findByRole("alert");
		return formatTime(new Date().toISOString());
	}
	const gone = () => {
		throw new TypeError("nobody answers");
	};

	it("is said not to have arrived once the bridge says that the request is still open", async () => {
		let isBack = false;
		const time = await unheard(gone, () => (isBack ? approval() : gone()));
		await vi.advanceTimersByTimeAsync(5_000);
		expect(screen.getByRole("alert").textContent).toContain("the app isn’t responding");
		isBack = true;
		await vi.advanceTimersByTimeAsync(3_000);
		expect(screen.getByRole("alert").textContent).toBe(
			`Your answer at ${time} hasn’t arrived, and the request is still open. Answer again.`,
		);
	});

	it("is the answer if the bridge has it after all", async () => {
		await unheard(gone, () => approval({ state: "decided", decision: "deny", decidedBy: "person", decidedAt: at(1) }));
		await vi.advanceTimersByTimeAsync(3_000);
		expect(screen.queryByRole("alert")).toBeNull();
		expect(document.body.textContent).toContain("Denied by you");
	});

	it("did not arrive if the bridge stopped before it had the answer", async () => {
		const lapsed = approval({ approvalId: ApprovalId.parse("ask-lapsed"), state: "withdrawn", reason: "bridge_stopped", decidedAt: at(1) });
		await unheard(gone, () => lapsed, { approvalId: lapsed.approvalId });
		await vi.advanceTimersByTimeAsync(3_000);
		expect(document.body.textContent).toContain("Your answer didn’t arrive: the bridge stopped");
		expect(document.body.textContent).not.toContain("Not answered");
	});

	it("did arrive if it came too late, unless an earlier one was lost", async () => {
		const record = approval({ approvalId: ApprovalId.parse("ask-late"), state: "withdrawn", reason: "bridge_stopped", decidedAt: at(1) });
		let isBack = true;
		fakeApp({ decideApproval: () => (isBack ? { record, applied: false } : gone()) });
		await decide(record, "allow_once");
		expect(answerOf(record).what).toBe("Not answered: the bridge stopped");
		isBack = false;
		await expect(decide(record, "allow_once")).rejects.toThrow();
		isBack = true;
		await decide(record, "allow_once");
		expect(answerOf(record).what).toBe("Your answer didn’t arrive: the bridge stopped");
	});

	it("is not said not to have arrived if there was none, or if it was refused", async () => {
		const lapsed = { approvalId: ApprovalId.parse("ask-refused"), state: "withdrawn", reason: "bridge_stopped" } as const;
		await unheard(
			() => new Refused("TOOL_CHANGED", "The tool changed."),
			() => approval(lapsed),
			{ approvalId: lapsed.approvalId },
		);
		expect(answerOf(approval(lapsed)).what).toBe("Not answered: the bridge stopped");
		expect(answerOf(approval({ ...lapsed, approvalId: ApprovalId.parse("ask-untouched") })).what).toBe("Not answered: the bridge stopped");
	});
});
