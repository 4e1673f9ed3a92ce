import { expect } from "vitest";
import { writeProviders } from "../bridge/bridge-process.ts";
import { poisonousAgent } from "../bridge/providers.ts";
import { sayLines, waitFor, writeReport } from "../bridge/scripts.ts";
import { endByPid } from "../machine/live-processes.ts";
import { temporaryHome } from "../machine/temporary-home.ts";
import { turn } from "../wire/turn.ts";
import { TaskSnapshot } from "../wire/wire.ts";
import { BridgeOutages, backWithin, clientOf, endOf } from "./kept-bridge.ts";
import { startApp } from "./started-app.ts";

const END_MS = 60_000;

export interface PoisonedQueueOptions {
	/** What the prompt does to the bridge that starts it. */
	readonly signal: "SIGKILL" | "SIGSTOP";
	/** App and bridge are killed while it is still queued, and the app is started again in the same home. */
	readonly overnight?: boolean;
}

/** A prompt that ends or hangs its bridge, queued behind one run and before others, under `xworkmate start`. */
export async function poisonedQueue({ signal, overnight = false }: PoisonedQueueOptions): Promise<void> {
	await using home = await temporaryHome();
	await writeProviders(home, [poisonousAgent(signal)]);
	const env = { XWORKMATE_MAX_ACTIVE_RUNS: "1" };
	await using stack = new AsyncDisposableStack();
	const startedAt = performance.now();
	let app = await startApp(home, env);
	const bound = backWithin(performance.now() - startedAt);
	stack.defer(() => app[Symbol.asyncDispose]());
	await app.command.until(/XWorkmate is running/);
	const client = await clientOf(home);
	const submit = async (prompt: string, providerId: string, threadId?: string) => {
		const params = turn({ prompt, providerId, ...(threadId !== undefined && { threadId }) });
		return TaskSnapshot.parse(await client.rpc("session.start", params));
	};
	const first = await submit(overnight ? waitFor(60_000) : sayLines(3, 100), "script");
	const poison = await submit("do it", "poison", first.threadId);
	const sameThread = await submit(writeReport, "script", first.threadId);
	const otherThread = await submit(writeReport, "script");
	expect([poison.status, sameThread.status, otherThread.status]).toEqual(["queued", "queued", "queued"]);
	if (overnight) {
		// A run whose program has not begun would be started again by the next bridge, instead of ending with BRIDGE_RESTARTED.
		const stream = await client.stream("xworkmate.tasks.subscribe", { runId: first.runId });
		await stream.until("its first words", ({ update }) => update.kind === "message_delta");
		endByPid(app.command.pid);
		endByPid(app.bridgePid);
		await app.command.ended;
		app = await startApp(home, env);
	}
	await using bridges = new BridgeOutages(home);
	const end = (runId: string) => endOf(home, runId, END_MS);
	expect(await end(first.runId)).toMatchObject(overnight ? { code: "BRIDGE_RESTARTED" } : { status: "completed" });
	expect(await end(poison.runId)).toMatchObject({ status: "interrupted", code: "POISONED", success: false });
	for (const { runId } of [sameThread, otherThread]) {
		expect(await end(runId)).toMatchObject({ status: "completed", artifacts: { count: 1 } });
	}
	expect(bridges.longest, `away for ${bridges.outages.map(Math.round).join(", ")} ms`).toBeLessThan(bound);
	await app.command.until(/XWorkmate is running/);
	expect(app.command.stderr).toContain(
		signal === "SIGSTOP" ? "The bridge isn't responding and is being restarted." : "The bridge stopped unexpectedly. Restarting it.",
	);
	expect(app.command.stderr.split("The bridge is running again.").length - 1).toBe(2);
}
