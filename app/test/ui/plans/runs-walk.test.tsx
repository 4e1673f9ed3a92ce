import { act, cleanup, render, screen } from "@testing-library/react";
import type { Occurrence, RunId } from "@xworkmate/contracts";
import { afterEach, expect, it, vi } from "vitest";
import type { ThreadSummary } from "../../../src/api/ui-api.ts";
import PlansPage from "../../../src/ui/plans/plans-page.tsx";
import { fakeApp } from "../fake-app.ts";
import { InApp } from "../in-app.tsx";
import { occurrence, plan } from "../plan-stories.ts";
import { approval, appState, summary } from "../stories.ts";

afterEach(() => {
	cleanup();
	vi.unstubAllGlobals();
});

const running = { turnId: "p3-1-1", status: "running", lastSeq: 3, createdAt: appState.serverTime } as never;

/** A plan whose work is running in a thread of its own, with several pieces of work. */
function working(planId: string) {
	const runs = [{ runId: `run-${planId}`, threadId: `plan-${planId}`, turnId: `${planId}-1-1` }] as Occurrence["runs"];
	const one = occurrence({ occurrenceId: `${planId}-1`, planId, status: "running", runs, delivery: [], deliverable: undefined });
	return plan({ planId, threadId: `plan-${planId}`, title: `Plan ${planId}`, status: "running", needsReview: 0, occurrence: one });
}

/** A new list of threads, as every change to a thread makes one. It counts how often its thread is asked for the newest turn. */
function countedThreads() {
	const asked = { times: 0 };
	const one = {
		...summary("plan-p3", 1),
		get lastTurn() {
			asked.times += 1;
			return running;
		},
	};
	return { asked, threads: [one] as readonly ThreadSummary[] };
}

/** How often the plans page with this many cards asks for the turn of a thread: at first, with new threads, and with a new request. */
async function walksWith(cards: number): Promise<readonly number[]> {
	const plans = Array.from({ length: cards }, (_, index) => working(`p${index + 1}`));
	fakeApp({ planBook: { known: true, needsReview: 0, unread: 0, plans }, channels: { channels: [] }, contacts: { contacts: [] } });
	const first = countedThreads();
	const here = new InApp({ ...appState, threads: first.threads });
	const page = render(<PlansPage />, { wrapper: here.wrapper });
	expect(await screen.findAllByRole("article")).toHaveLength(cards);
	const second = countedThreads();
	act(() => here.app.set({ ...here.app.value, threads: second.threads }));
	const withThreads = second.asked.times;
	expect(screen.queryByText("The agent is waiting for your answer")).toBeNull();
	act(() => here.app.set({ ...here.app.value, approvals: [approval({ runId: "run-p1" as RunId })] }));
	expect(screen.getAllByText("The agent is waiting for your answer")).toHaveLength(1);
	page.unmount();
	return [first.asked.times, withThreads, second.asked.times - withThreads];
}

it("the plans page walks the threads once for all its cards, and once more when a thread or a request changes", async () => {
	const walks = await walksWith(20);
	expect(Math.min(...walks)).toBeGreaterThan(0);
	// The page's bar asks each thread too, once for each time that it is shown.
	expect(Math.max(...walks)).toBeLessThan(10);
});
