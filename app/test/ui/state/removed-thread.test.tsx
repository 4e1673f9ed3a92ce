import { afterEach, expect, it, vi } from "vitest";
import { remove } from "../../../src/ui/state/thread-actions.ts";
import { untold } from "../../../src/ui/state/toasts.ts";
import { fakeApp } from "../fake-app.ts";
import { summary } from "../stories.ts";

afterEach(() => {
	untold.set([]);
	vi.unstubAllGlobals();
});

it.each([
	[{}, "Deleted “The site”"],
	[{ keptBranch: "xworkmate/draft-1" }, "Deleted “The site”. Its changes are on the branch xworkmate/draft-1, which is kept."],
])("says which branch is kept when a thread is deleted: %j", async (more, said) => {
	fakeApp({ deleteThread: { deletedRuns: 1, freedBytes: 2, ...more } });
	await remove(summary("a", 1, { title: "The site" }));
	expect(untold.value.map(({ text }) => text)).toEqual([said]);
});
