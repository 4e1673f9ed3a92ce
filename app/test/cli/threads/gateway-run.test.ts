import { describe, expect, it } from "vitest";
import { cancelTask } from "../../../src/cli/threads/cancel-task.ts";
import { runCommand } from "../../../src/cli/threads/run-command.ts";
import type { RunFlags } from "../../../src/cli/threads/run-request.ts";
import { listThreads, showThread } from "../../../src/cli/threads/thread-commands.ts";
import { CoreScene, held } from "../../support/core-scene.ts";
import { RecordingConsole } from "../../support/recording-console.ts";
import { until } from "../../support/until.ts";

const gateway: RunFlags = { target: "gateway", provider: "openclaw", require: [], attach: [], approve: "none" };

/** `xworkmate run --target gateway --provider openclaw`, with a key to press. */
function command(scene: CoreScene, prompt: string, flags: Partial<RunFlags> = {}) {
	const console = new RecordingConsole();
	let interrupt = () => {};
	const onInterrupt = (listener: () => void) => {
		interrupt = listener;
		return () => {};
	};
	const ended = runCommand({ console, onInterrupt, withApp: (use) => use(scene.api) }, prompt, { ...gateway, ...flags });
	return { console, ended, interrupt: () => interrupt() };
}

/** A queue whose only slot is taken by a run that continues. */
async function busy(limits = { maxActive: 1, maxQueued: 1 }) {
	const scene = await CoreScene.open();
	scene.bridge.openclaw = limits;
	scene.bridge.onRun = (run) => void run.say({ kind: "status", progress: { stage: "working" } });
	const first = await scene.sendToGateway("first");
	await until("the first runs", () => scene.bridge.runs.length === 1);
	return { scene, first };
}

describe("a run on the gateway", () => {
	it("shows its place in the queue, then its progress, then its end", async () => {
		const { scene } = await busy();
		await using _scene = scene;
		const { console, ended } = command(scene, "second");
		await until("the place is shown", () => console.notes.length > 0);
		expect(console.notes).toEqual(["· waiting in the OpenClaw queue (1 of 1)"]);
		scene.bridge.onRun = (run) => {
			run.say({ kind: "status", progress: { stage: "queued", queuePosition: 2, queueLength: 3 } });
			run.say({ kind: "status", progress: { stage: "collecting" } });
			run.text("all done").end("completed", { "report.md": "# hello" });
		};
		scene.bridge.runs[0]?.end("completed");
		expect(await ended).toBe(0);
		expect(scene.bridge.calls.find(({ params }) => params.prompt === "second")?.params.routing).toEqual({
			executionTarget: "gateway",
			providerId: "openclaw",
		});
		expect(console.answers).toBe("all done\n");
		expect(console.notes.slice(1, 5)).toEqual(["· starting", "· queued (2 of 3)", "· collecting files", "· saving 1 file, 7 B"]);
		expect(console.notes).toContain("Succeeded");
	});

	it("says why the queue stands still, with the fix", async () => {
		const { scene } = await busy();
		await using _scene = scene;
		const { console, ended } = command(scene, "second");
		await until("the place is shown", () => console.notes.length > 0);
		const unavailable = { code: "GATEWAY_UNREACHABLE", message: "the gateway can't be reached.", fix: "Start it." };
		scene.bridge.gateway = { available: false, unavailable };
		scene.bridge.runs[0]?.end("interrupted", {}, "GATEWAY_LOST");
		await until("the pause is shown", () => console.notes.length > 1);
		expect(console.notes[1]).toBe(
			"· waiting in the OpenClaw queue (1 of 1); the queue is paused: the gateway can't be reached (GATEWAY_UNREACHABLE). Start it.",
		);
		scene.bridge.onRun = (run) => void run.end("completed");
		scene.bridge.gateway = { available: true };
		expect(await ended).toBe(0);
	});

	it("[D4] is never said to be interrupted by a bridge that ended: it goes on on the gateway", async () => {
		const scene = await CoreScene.open({ client: { recoveryMs: 30_000 } });
		await using _scene = scene;
		const release = held(scene.bridge);
		const { console, ended } = command(scene, "x");
		await until("it is at work", () => console.answers.includes("at work"));
		scene.app.bridgeTroubled({ what: "ended", own: true, attempt: 1 });
		await scene.bridge.down();
		const lost = "· Lost contact with the bridge (ACP_HTTP_CONNECTION_CLOSED). The run may still be running. Reconnecting…";
		await until("that is said", () => console.notes.includes(lost));
		release().end("completed");
		await scene.bridge.listen();
		scene.app.bridgeTroubled(undefined);
		expect(await ended).toBe(0);
		expect(console.notes.join()).not.toMatch(/interrupted/i);
	});

	it("[T4-54] Ctrl+C while it waits ends it at once; the bridge is not asked", async () => {
		const { scene } = await busy();
		await using _scene = scene;
		const { console, ended, interrupt } = command(scene, "second");
		await until("the place is shown", () => console.notes.length > 0);
		interrupt();
		expect(await ended).toBe(5);
		expect(scene.bridge.countOf("xworkmate.tasks.cancel")).toBe(0);
		expect(scene.submitted).toEqual(["first"]);
	});

	it("[T4-54] over a full queue is not sent, kept, and says what to do", async () => {
		const { scene } = await busy({ maxActive: 1, maxQueued: 0 });
		await using _scene = scene;
		// The bridge's own bounds are known once someone waited.
		await scene.sendToGateway("second");
		await until("the bounds are known", async () => (await scene.api.gatewayQueue()).limits.maxQueued === 0);
		const { console, ended } = command(scene, "third");
		expect(await ended).toBe(1);
		expect(console.notes.slice(0, 3)).toEqual([
			"Not sent (OPENCLAW_GATEWAY_QUEUE_FULL)",
			"  The OpenClaw queue is full, so this message was kept but not queued.",
			"  Wait until a run finishes, or stop one, then send it again.",
		]);
		const detached = command(scene, "fourth", { detach: true });
		expect(await detached.ended).toBe(1);
		expect(detached.console.lines[0]).toContain("Not sent because the OpenClaw queue is full (OPENCLAW_GATEWAY_QUEUE_FULL).");
		const program = command(scene, "fifth", { detach: true, json: true });
		expect(await program.ended).toBe(1);
		expect(JSON.parse(program.console.lines[0] ?? "")).toMatchObject({ code: "OPENCLAW_GATEWAY_QUEUE_FULL", threadId: expect.any(String) });
	});

	it("refused by the bridge it says why and what to do", async () => {
		await using scene = await CoreScene.open();
		const unavailable = { code: "GATEWAY_TOKEN_WRONG", message: "the token is wrong", fix: "Set the token." };
		scene.bridge.gateway = { available: false, unavailable };
		const { console, ended } = command(scene, "first");
		expect(await ended).toBe(1);
		expect(console.notes.slice(0, 3)).toEqual(["Not sent (GATEWAY_UNAVAILABLE)", "  The token is wrong.", "  Set the token."]);
		const detached = command(scene, "second", { detach: true });
		expect(await detached.ended).toBe(1);
		expect(detached.console.lines[0]).toBe(
			"Not sent (GATEWAY_UNAVAILABLE). The token is wrong. Set the token. The thread was removed, because nothing was sent.",
		);
	});
});

describe("what a run must produce", () => {
	it("is at least one file with --require-any", async () => {
		await using scene = await CoreScene.open();
		scene.bridge.onRun = (run) => void run.end("completed");
		for (const requireAny of [false, true]) {
			await command(scene, `any: ${requireAny}`, { requireAny }).ended;
			const sent = scene.bridge.calls.find(({ params }) => params.prompt === `any: ${requireAny}`);
			expect(sent?.params.metadata).toMatchObject({ xworkmateTaskArtifactContract: { requiresExport: requireAny } });
		}
	});
});

describe("the queue in the other commands", () => {
	it("is seen in the list and in the thread, and left by cancel", async () => {
		const { scene, first } = await busy();
		await using _scene = scene;
		const detached = command(scene, "second", { detach: true });
		expect(await detached.ended).toBe(0);
		expect(detached.console.lines[0]).toMatch(
			/^Saved, waiting in the OpenClaw queue \(1 of 1\)\. XWorkmate must be running to send the message\. To start it: npm start/,
		);
		const console = new RecordingConsole();
		const output = { api: scene.api, console, json: false };
		await listThreads(output, false);
		const [second] = (await scene.api.gatewayQueue()).waiting;
		if (second === undefined) throw new Error("nobody waits");
		expect(console.lines.find((line) => line.startsWith(second.threadId))).toContain("  Queued 1 of 1  ");
		await showThread(output, second.threadId);
		expect(console.lines).toContain("waiting in the OpenClaw queue (1 of 1)");
		console.lines.length = 0;
		await cancelTask(output, second.threadId);
		await cancelTask(output, first.threadId);
		await until(
			"the first is over",
			async () => (await scene.api.showThread({ threadId: first.threadId })).thread.pendingTurnId === undefined,
		);
		expect(console.lines[0]).toBe("Cancelled.");
		expect(scene.bridge.countOf("xworkmate.tasks.cancel")).toBe(1);
		await cancelTask(output, first.threadId);
		expect(console.lines.at(-1)).toBe("Nothing is running or queued in this thread.");
	});
});
