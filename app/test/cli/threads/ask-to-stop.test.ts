import { ThreadId, TurnId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { APP_GONE, RemoteAppError } from "../../../src/api/remote-app.ts";
import { askToStop } from "../../../src/cli/threads/ask-to-stop.ts";
import { cancelTask } from "../../../src/cli/threads/cancel-task.ts";
import { runCommand } from "../../../src/cli/threads/run-command.ts";
import type { Thread } from "../../../src/threads/index.ts";
import { CoreScene, held } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";
import { freshThread } from "../../support/thread-story.ts";
import { until } from "../../support/until.ts";

const full = () => new RemoteAppError({ code: "DISK_FULL", message: "Nothing was saved because the disk is full." });
const threadId = ThreadId.parse("draft:2026-01-02-abcdefghjk");
const again = `npm run -s xworkmate -- cancel ${threadId}`;
const bounds = { everyMs: 5, boundMs: 100 };

/** The core behind an app whose disk is full for the first `times` stops. */
function fullFor(scene: CoreScene, times: number) {
	let asked = 0;
	const refuse = () => {
		asked += 1;
		return asked <= times;
	};
	const api = new Proxy<AppApi>(scene.api, {
		get: (core, name) => {
			const own = Reflect.get(core, name);
			if (name !== "cancelTurn") return typeof own === "function" ? own.bind(core) : own;
			return (...turn: Parameters<AppApi["cancelTurn"]>) => (refuse() ? Promise.reject(full()) : core.cancelTurn(...turn));
		},
	});
	return { api, asked: () => asked };
}

it("asks again while the disk is full, says so once, and says when the request is saved", async () => {
	const console = new RecordingConsole();
	let left = 3;
	await askToStop(
		async () => {
			if (left-- > 0) throw full();
		},
		{ console, threadId, bounds },
	);
	expect(left).toBe(-1);
	expect(console.notes).toEqual([
		"· The stop request can't be saved yet, because the disk is full. Free some space; this command keeps trying.",
		"· The stop request is now saved.",
	]);
});

it("gives up after its bound, and at once where asking again can't help", async () => {
	const console = new RecordingConsole();
	await expect(askToStop(() => Promise.reject(full()), { console, threadId, bounds })).rejects.toMatchObject({
		code: "STOP_NOT_SAVED",
		message: "The stop request might not have been saved, because the disk is full.",
		fix: `Free some space, then try again: ${again}`,
	});
	const other = new RemoteAppError({ code: "TURN_NOT_FOUND", message: "no" });
	await expect(askToStop(() => Promise.reject(other), { console, threadId, bounds })).rejects.toBe(other);
});

it("says nothing more of a stop once the run is over", async () => {
	const console = new RecordingConsole();
	const over = new AbortController();
	const asking = askToStop(
		() => {
			over.abort();
			return Promise.reject(full());
		},
		{ console, threadId, signal: over.signal, bounds },
	);
	await expect(asking).rejects.toMatchObject({ code: "DISK_FULL" });
	expect(console.notes).toEqual([]);
});

it("run asks again for a stop until the app has it, and its end says what came of it", async () => {
	await using scene = await CoreScene.open();
	held(scene.bridge);
	const { api, asked } = fullFor(scene, 1);
	const console = new RecordingConsole();
	let interrupt = () => {};
	const onInterrupt = (listener: () => void) => {
		interrupt = listener;
		return () => {};
	};
	const flags = { target: "agent", require: [], attach: [], approve: "none" } as const;
	const ended = runCommand({ console, onInterrupt, withApp: (use) => use(api) }, "work", flags);
	await until("it works", () => console.answers.includes("at work"));
	interrupt();
	expect(await ended).toBe(5);
	expect(asked()).toBe(2);
	expect(console.notes.join("\n")).toMatch(/disk is full[\s\S]*is now saved[\s\S]*Cancelled/);
});

it("a run that is left with a second Ctrl+C is named, with the commands to see it and to stop it", async () => {
	await using scene = await CoreScene.open();
	held(scene.bridge);
	const console = new RecordingConsole();
	const pressed: ((() => void) | undefined)[] = [];
	const onInterrupt = (...listeners: readonly ((() => void) | undefined)[]) => {
		// The latest listeners are in force.
		pressed.splice(0, pressed.length, ...listeners);
		return () => {};
	};
	const flags = { target: "agent", require: [], attach: [], approve: "none" } as const;
	const ended = runCommand({ console, onInterrupt, withApp: (use) => use(scene.api) }, "work", flags);
	await until("it works", () => console.answers.includes("at work"));
	const [run] = scene.bridge.runs;
	pressed[1]?.();
	expect(console.notes.slice(-3)).toEqual([
		`This command exited before the stop was confirmed. The run may still be in progress: thread ${run?.threadId}, run ${run?.runId}.`,
		`  See it: npm run -s xworkmate -- threads show ${run?.threadId}`,
		`  Stop it: npm run -s xworkmate -- cancel ${run?.threadId}`,
	]);
	pressed[0]?.();
	expect(await ended).toBe(5);
});

it("a Ctrl+C while the message is being sent stops its run", async () => {
	await using scene = await CoreScene.open();
	held(scene.bridge);
	const console = new RecordingConsole();
	const pressed: ((() => void) | undefined)[] = [];
	const onInterrupt = (...listeners: readonly ((() => void) | undefined)[]) => {
		// The latest listeners are in force.
		pressed.splice(0, pressed.length, ...listeners);
		return () => {};
	};
	const api = new Proxy<AppApi>(scene.api, {
		get: (core, name) => {
			const own = Reflect.get(core, name);
			if (name !== "send") return typeof own === "function" ? own.bind(core) : own;
			return async (...message: Parameters<AppApi["send"]>) => {
				const sent = await core.send(...message);
				pressed[0]?.();
				pressed[1]?.();
				return sent;
			};
		},
	});
	const flags = { target: "agent", require: [], attach: [], approve: "none" } as const;
	expect(await runCommand({ console, onInterrupt, withApp: (use) => use(api) }, "work", flags)).toBe(5);
	const [run] = scene.bridge.runs;
	expect(run?.cancelRequested).toBe(true);
	expect(console.notes[0]).toMatch(/^Cancelling…/);
	expect(console.notes[1]).toBe(
		`This command exited before the stop was confirmed. The run may still be in progress: thread ${run?.threadId}.`,
	);
});

it("run asks the next app for a stop that was asked for when the app before it went away", async () => {
	await using scene = await CoreScene.open();
	held(scene.bridge);
	const console = new RecordingConsole();
	const gone = new RemoteAppError({ code: APP_GONE, message: "XWorkmate stopped." });
	let apps = 0;
	let interrupt = () => {};
	const onInterrupt = (listener: () => void) => {
		interrupt = listener;
		return () => {};
	};
	const goes = Promise.withResolvers<never>();
	const first = new Proxy<AppApi>(scene.api, {
		get: (core, name) => {
			const own = Reflect.get(core, name);
			if (name === "cancelTurn") return () => Promise.reject(gone);
			if (name !== "watch") return typeof own === "function" ? own.bind(core) : own;
			return async function* (...turn: Parameters<AppApi["watch"]>) {
				for await (const event of core.watch(...turn)) {
					yield event;
					if (event.type === "update" && event.update.update.kind === "message_delta") await goes.promise;
				}
			};
		},
	});
	const flags = { target: "agent", require: [], attach: [], approve: "none" } as const;
	const ended = runCommand({ console, onInterrupt, withApp: (use) => use(apps++ === 0 ? first : scene.api) }, "work", flags);
	await until("it works", () => console.answers.includes("at work"));
	interrupt();
	goes.reject(gone);
	expect(await ended).toBe(5);
	expect(console.notes.join("\n")).not.toMatch(/didn't arrive/);
});

it("cancel asks again while the disk is full, and then says how far the stop is", async () => {
	await using scene = await CoreScene.open();
	held(scene.bridge);
	const sent = await scene.send("x");
	await until(
		"the run is known",
		async () => (await scene.api.showThread({ threadId: sent.threadId })).thread.turns.at(-1)?.runId !== undefined,
	);
	const { api, asked } = fullFor(scene, 1);
	const console = new RecordingConsole();
	await cancelTask({ api, console, json: false }, sent.threadId);
	expect(asked()).toBe(2);
	expect(console.lines.at(-1)).toMatch(/^(Cancelled\.|Stop requested, waiting for confirmation\.)$/);
});

it.each([
	["cancelled", undefined, false, "Cancelled."],
	["completed", undefined, false, "Already ended: Succeeded."],
	["failed", "SCRIPT_ERROR", false, "Already ended: Failed (SCRIPT_ERROR)."],
	// Its files are being saved.
	["completed", undefined, true, "Already ended: Succeeded."],
	["running", undefined, true, "Stop requested, waiting for confirmation."],
] as const)(
	"cancel of a turn that is %s by then (%s, pending: %s) never calls another end cancelled",
	async (status, code, pending, says) => {
		const turnId = TurnId.parse("turn-1");
		const resultDetail = code && { code, message: "It failed." };
		const turn = {
			turnId,
			status,
			lastSeq: 1,
			syncedPaths: [],
			createdAt: "2026-01-02T00:00:00.000Z",
			...(resultDetail && { resultDetail }),
		};
		const thread: Thread = { ...freshThread(), turns: [turn], ...(pending && { pendingTurnId: turnId }) };
		let isAsked = false;
		const api: Pick<AppApi, "cancelTurn" | "showThread"> = {
			cancelTurn: async () => {
				isAsked = true;
				return { applied: true };
			},
			showThread: async () => {
				const now = isAsked ? thread : { ...thread, pendingTurnId: turnId };
				return { thread: now, prompts: {}, answers: {}, folder: "/x" };
			},
		};
		const console = new RecordingConsole();
		await cancelTask({ api: api as AppApi, console, json: false }, thread.threadId);
		expect(console.lines).toEqual([says]);
	},
);
