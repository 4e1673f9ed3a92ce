import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { Approval } from "@xworkmate/contracts";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApprovalCard } from "../../../src/ui/approvals/approval-card.tsx";
import { useFocusKeeper } from "../../../src/ui/focus-keeper.ts";
import { approval, BEGIN } from "../stories.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => {
	cleanup();
	vi.useRealTimers();
});

const titles = ["npm test", "rm notes.md", "git push"] as const;

/** Three open requests, each of which disappears once it is answered. */
function Requests({ answered }: { readonly answered: string[] }) {
	useFocusKeeper();
	const [open, setOpen] = useState<readonly Approval[]>(() =>
		titles.map((title) => approval({ approvalId: title as Approval["approvalId"], title })),
	);
	return (
		<main tabIndex={-1}>
			{open.map((one) => (
				<ApprovalCard
					key={one.approvalId}
					approval={one}
					provider="Codex"
					now={BEGIN}
					singleKeys
					decide={(decision) => {
						answered.push(`${decision} ${one.approvalId}`);
						setOpen(open.filter((other) => other !== one));
					}}
				/>
			))}
		</main>
	);
}

/** Presses a letter where the focus is, and lets the page move the focus. */
async function press(key: string, repeat = false): Promise<void> {
	await act(async () => void fireEvent.keyDown(document.activeElement ?? document.body, { key, repeat }));
}

async function begin(): Promise<string[]> {
	const answered: string[] = [];
	render(<Requests answered={answered} />);
	act(() => document.querySelector<HTMLElement>("[data-approval]")?.focus());
	return answered;
}

const focused = () => document.activeElement?.getAttribute("data-approval");

it("a letter that is held down answers one request, however long it is held", async () => {
	const answered = await begin();
	await press("a");
	expect(focused()).toBe("rm notes.md");
	await press("a", true);
	vi.advanceTimersByTime(10_000);
	await press("a", true);
	expect(answered).toEqual(["allow_once npm test"]);
	expect(screen.getAllByRole("button", { name: /^Allow once/ })).toHaveLength(2);
});

it("a letter typed again at once doesn't answer the next request, which has not been seen yet; a moment later it does", async () => {
	const answered = await begin();
	await press("a");
	await press("a");
	vi.advanceTimersByTime(400);
	await press("d");
	expect(answered).toEqual(["allow_once npm test"]);
	vi.advanceTimersByTime(200);
	await press("d");
	expect(answered).toEqual(["allow_once npm test", "deny rm notes.md"]);
});
