import { act, cleanup, render, screen } from "@testing-library/react";
import { ApprovalId, ThreadId } from "@xworkmate/contracts";
import { afterEach, expect, it } from "vitest";
import { PermissionsSettings } from "../../../src/ui/settings/permissions-settings.tsx";
import { FakeApp } from "../../support/fake-app.ts";
import { InApp } from "../in-app.tsx";
import { approval, appState, summary } from "../stories.ts";

afterEach(cleanup);

it("[D2] a permission is listed with the thread in which it holds", () => {
	using app = new FakeApp();
	app.answers.set("listSettings", () => ({ path: "", settings: [], inEffect: true }));
	const given = {
		...({ state: "decided", decision: "allow_window" } as const),
		...{ decidedAt: new Date().toISOString(), windowSeconds: 900, grantScope: { kind: "program" as const, words: ["npm", "test"] } },
	};
	const grants = [
		approval({ ...given, threadId: ThreadId.parse("thread1") }),
		approval({ ...given, threadId: ThreadId.parse("thread2"), approvalId: ApprovalId.parse("ask2") }),
	];
	render(<PermissionsSettings />, { wrapper: new InApp({ ...appState, grants, threads: [summary("thread1", 1)] }).wrapper });
	const rows = screen.getAllByRole("listitem").map(({ textContent }) => textContent);
	expect(rows).toEqual([
		expect.stringMatching(/^Commands “npm test …”, allowed until .*Only in the thread “thread1”Revoke$/),
		expect.stringMatching(/^Commands “npm test …”, allowed until .*Only in a thread that is not in the listRevoke$/),
	]);
});

it("says of permissions that were not listed that they are not known, and of others since when they may have changed", () => {
	using app = new FakeApp();
	app.answers.set("listSettings", () => ({ path: "", settings: [], inEffect: true }));
	const { wrapper, app: shown } = new InApp(appState);
	render(<PermissionsSettings />, { wrapper });
	expect(screen.getByText("Not known yet, because the bridge hasn’t responded.")).toBeTruthy();
	act(() => shown.set({ ...appState, grants: [] }));
	expect(screen.getByText(/^None\. Temporary permissions/)).toBeTruthy();
	expect(screen.queryByText(/^As of /)).toBeNull();
	act(() => shown.set({ ...appState, grants: [], plans: { known: true, needsReview: 0, unread: 0, asOf: appState.serverTime } as never }));
	expect(screen.getByText(/^As of /)).toBeTruthy();
});
