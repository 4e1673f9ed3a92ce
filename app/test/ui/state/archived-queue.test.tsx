import { afterEach, expect, it, vi } from "vitest";
import { toggleArchived } from "../../../src/ui/state/thread-actions.ts";
import { untold } from "../../../src/ui/state/toasts.ts";
import { until } from "../../support/until.ts";
import { fakeApp } from "../fake-app.ts";
import { ended, summary } from "../stories.ts";

afterEach(() => {
	untold.set([]);
	vi.unstubAllGlobals();
});

it.each([
	[0, "Archived “The site”"],
	[2, "Archived “The site” (2 queued messages on hold)"],
])("says with the archiving that %i messages stay queued", async (queuedCount, said) => {
	fakeApp({ archiveThread: {} });
	const lastTurn = { ...ended({}, undefined).turn, status: "failed" as const };
	toggleArchived(summary("a", 1, { title: "The site", lastTurn, queuedCount }));
	await until("it is said", () => untold.value.length === 1);
	expect(untold.value[0]?.text).toBe(said);
});
