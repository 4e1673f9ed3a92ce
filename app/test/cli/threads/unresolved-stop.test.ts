import { RunId, ThreadId, TurnId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { cancelTask } from "../../../src/cli/threads/cancel-task.ts";
import { CoreScene, held } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";
import { until } from "../../support/until.ts";

async function cancelled(api: AppApi, id: string): Promise<readonly string[]> {
	const console = new RecordingConsole();
	// The code is 0 unless the command throws.
	await cancelTask({ api, console, json: false }, ThreadId.parse(id));
	return console.lines;
}

/** A thread whose run is in progress, and whose bridge doesn't answer from now on. */
async function unreachable(bounds?: Parameters<typeof CoreScene.open>[0]) {
	const scene = await CoreScene.open(bounds);
	held(scene.bridge);
	const { threadId } = await scene.send("tidy up");
	const newest = async () => (await scene.api.showThread({ threadId })).thread.turns.at(-1);
	await until("it runs", async () => (await newest())?.status === "running");
	scene.bridge.fault = () => ({ kind: "destroy" });
	return { scene, threadId, newest, runId: RunId.parse((await newest())?.runId) };
}

const passedOn =
	"XWorkmate can't tell whether this run is still running. Stop requested. The request will be passed on when the run's bridge responds.";

it("cancel of a thread whose run may still be running requests the stop, which is passed on", async () => {
	const { scene, threadId, newest } = await unreachable();
	await using _scene = scene;
	await until("the app gave up", async () => (await newest())?.status === "unresolved");
	expect(await cancelled(scene.api, threadId)).toEqual([passedOn]);
	expect((await newest())?.cancelRequestedAt).toBeDefined();
	await scene.restart(() => {
		scene.bridge.fault = () => undefined;
	});
	await until("it was stopped", async () => (await newest())?.status === "cancelled");
});

it("cancel says that the app has stopped asking about a run, and doesn't claim that a stop will be passed on", async () => {
	const { scene, threadId, newest, runId } = await unreachable();
	await using _scene = scene;
	await until("the app gave up", async () => (await newest())?.status === "unresolved");
	const api: AppApi = {
		...scene.api,
		showThread: async (of) => {
			const shown = await scene.api.showThread(of);
			const turns = shown.thread.turns.map((turn) => ({ ...turn, unresolvedSince: "2026-01-01T00:00:00.000Z" as typeof turn.createdAt }));
			return { ...shown, thread: { ...shown.thread, turns } };
		},
	};
	expect(await cancelled(api, threadId)).toEqual([
		"XWorkmate can't tell whether this run is still running. The app has stopped asking the bridge. No stop was requested.",
		`  Ask the bridge to stop it: npm run -s xworkmate -- cancel ${runId}`,
	]);
	expect((await newest())?.cancelRequestedAt).toBeUndefined();
});

it("cancel of a run by its id succeeds if the stop is saved, although the bridge can't be reached", async () => {
	const { scene, runId, newest } = await unreachable({ client: { recoveryMs: 60_000 } });
	await using _scene = scene;
	const [line] = await cancelled(scene.api, runId);
	expect(line).toMatch(/^The bridge hasn't confirmed the stop yet\. .* XWorkmate sends the request again when it reaches the bridge\.$/);
	expect((await newest())?.cancelRequestedAt).toBeDefined();
	// The app knows nothing of this run, so it has saved nothing.
	await expect(cancelled(scene.api, "run-of-another-app")).rejects.toMatchObject({ code: expect.stringMatching(/^ACP_HTTP_/) });
});

it("cancel of a run by its id says that it may no longer be running", async () => {
	const { scene, runId, newest } = await unreachable();
	await using _scene = scene;
	await until("the app gave up", async () => (await newest())?.status === "unresolved");
	expect(await cancelled(scene.api, runId)).toEqual([passedOn]);
});

it("cancel of a run by its id fails if nothing would pass the stop on", async () => {
	const { scene, newest, runId } = await unreachable();
	await using _scene = scene;
	await until("the app gave up", async () => (await newest())?.status === "unresolved");
	const api: AppApi = {
		...scene.api,
		listThreads: async (of) =>
			(await scene.api.listThreads(of)).map((thread) => ({
				...thread,
				turns: thread.turns.map((turn) => ({ ...turn, unresolvedSince: "2026-01-01T00:00:00.000Z" as typeof turn.createdAt })),
			})),
	};
	await expect(cancelled(api, runId)).rejects.toMatchObject({ code: expect.stringMatching(/^ACP_HTTP_/) });
});

it("cancel of a thread also stops an earlier run that may still be running, after a later one has ended", async () => {
	const { scene, threadId, newest } = await unreachable();
	await using _scene = scene;
	await until("the app gave up", async () => (await newest())?.status === "unresolved");
	const api: AppApi = {
		...scene.api,
		showThread: async (of) => {
			const shown = await scene.api.showThread(of);
			const last = shown.thread.turns.map((turn) => ({ ...turn, turnId: TurnId.parse("later"), status: "completed" as const }));
			return { ...shown, thread: { ...shown.thread, turns: [...shown.thread.turns, ...last] } };
		},
	};
	expect(await cancelled(api, threadId)).toEqual([passedOn]);
	expect((await newest())?.cancelRequestedAt).toBeDefined();
});
