import { describe, expect, it } from "vitest";
import type { StoredThread } from "../../../src/api/app-api.ts";
import { asOwner } from "../../../src/process/app/with-app.ts";

/** An owned app whose threads are read by `list`, and how it is closed. */
function owned(list: () => Promise<readonly Pick<StoredThread, "lifecycleStatus">[]>) {
	const closed: { readonly leaveBridge: boolean }[] = [];
	const app: Parameters<typeof asOwner>[0] = {
		api: { listThreads: list } as never,
		gone: new Promise(() => undefined),
		idle: async () => undefined,
		close: async (how) => void closed.push(how),
	};
	return { app, closed };
}

describe("an app that a command owns", () => {
	it.each([
		["running", true],
		["queued", false],
		["ready", false],
	] as const)("is closed with its bridge unless a run is active: %s", async (lifecycleStatus, leaveBridge) => {
		const { app, closed } = owned(async () => [{ lifecycleStatus }]);
		expect(await asOwner(app, async () => "done")).toBe("done");
		expect(closed).toEqual([{ leaveBridge, keepAddress: true }]);
	});

	it("is closed even if its threads can't be read, with the error of the command, and leaves a run that may be active", async () => {
		const { app, closed } = owned(() => Promise.reject(new Error("the database is damaged")));
		const failing = asOwner(app, () => Promise.reject(new Error("the command failed")));
		await expect(failing).rejects.toThrow("the command failed");
		expect(closed).toEqual([{ leaveBridge: true, keepAddress: true }]);
	});
});
