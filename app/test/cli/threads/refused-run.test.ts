import type { ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { runCommand } from "../../../src/cli/threads/run-command.ts";
import type { RunFlags } from "../../../src/cli/threads/run-request.ts";
import { CoreScene, routing } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

/** A bridge that refuses every message. */
async function refusing(): Promise<CoreScene> {
	const scene = await CoreScene.open();
	scene.bridge.fault = ({ method }) => (method.startsWith("session.") ? { kind: "error", code: "PROVIDER_NOT_FOUND" } : undefined);
	return scene;
}

async function run(scene: CoreScene, more: Partial<RunFlags> = {}) {
	const console = new RecordingConsole();
	const flags = { target: "agent", require: [], attach: [], approve: "none", ...more } as const;
	const context = { console, onInterrupt: () => () => undefined };
	const code = await runCommand({ ...context, withApp: (use) => use(scene.api) }, "hello", flags);
	return { code, console };
}

const listed = async (scene: CoreScene) => (await scene.api.listThreads({ archived: false })).map(({ threadId }) => threadId);

it.each([{}, { detach: true }])("a message that is refused before anything was sent leaves no thread behind: %j", async (more) => {
	await using scene = await refusing();
	const { code, console } = await run(scene, more);
	expect(code).toBe(1);
	expect([...console.notes, ...console.lines].join()).toContain("Not sent (PROVIDER_NOT_FOUND)");
	expect([...console.notes, ...console.lines].join()).toContain("The thread was removed, because nothing was sent.");
	// An id of what is gone leads nowhere.
	expect(console.notes.join("\n")).not.toMatch(/^ {2}thread /m);
	expect(await listed(scene)).toEqual([]);
});

it("a thread that was there before, or that something else was written in meanwhile, stays", async () => {
	await using scene = await refusing();
	const { threadId, turnId } = await scene.send("first");
	await scene.end({ threadId, turnId });
	expect((await run(scene, { thread: threadId })).code).toBe(1);
	expect(await listed(scene)).toEqual([threadId]);
	const api = {
		...scene.api,
		readThread: async (given: { readonly threadId: ThreadId }) => {
			await scene.api.saveDraft({ threadId: given.threadId, draft: { prompt: "and more", routing } });
			return await scene.api.readThread(given);
		},
	};
	const flags = { target: "agent", require: [], attach: [], approve: "none" } as const;
	const context = { console: new RecordingConsole(), onInterrupt: () => () => undefined };
	expect(await runCommand({ ...context, withApp: (use) => use(api) }, "hello", flags)).toBe(1);
	expect(await listed(scene)).toHaveLength(2);
});
