import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { type BridgeProcess, startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../e2e/support/bridge/providers.ts";
import { turn } from "../../e2e/support/wire/turn.ts";
import { agentId } from "../bench-bridge.ts";
import { cpuDuring } from "../cpu-time.ts";
import { Inspector, inspectable } from "../profile/inspector.ts";
import { Program } from "../programs/program.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { endWithBench, hasEnded } from "../scratch.ts";
import { lagDuring, lagResult } from "./loop-lag.ts";

/** More updates than the bridge can take in a second, so that the agent is always ahead. */
const PER_SECOND = 50_000;

/** A run with very many events: its replay beside a plain GET of the same bytes, and the deletion of its thread. */
export async function benchLongRun(quick: boolean): Promise<readonly Result[]> {
	const events = quick ? 5_000 : 100_000;
	await using bridge = await startBridge({
		providers: [unrulyAgent(agentId)],
		env: { XWORKMATE_LOG_LEVEL: "warn", XWORKMATE_RUN_LOG_BYTES: "1000000000", ...inspectable },
	});
	endWithBench(bridge.pid);
	using inspector = await Inspector.attach(bridge);
	const { threadId, runId } = await run(bridge, events);
	const results = [...(await replay(bridge, inspector, { runId, events, quick })), await deletion(bridge, inspector, { threadId, events })];
	hasEnded(bridge.pid);
	return results;
}

async function run(bridge: BridgeProcess, events: number): Promise<{ threadId: string; runId: string }> {
	const params = turn({ prompt: `UNRULY:STEADY ${events} ${PER_SECOND}`, providerId: agentId });
	const stream = await bridge.client().stream("session.start", params);
	const end = await stream.ended;
	if (end.kind !== "response") throw new Error(`the long run ended with ${JSON.stringify(end)}`);
	return { threadId: params.threadId, runId: end.snapshot.runId };
}

async function replay(
	bridge: BridgeProcess,
	inspector: Inspector,
	{ runId, events, quick }: { runId: string; events: number; quick: boolean },
): Promise<readonly Result[]> {
	const read = async () => {
		const response = await bridge.client().respond({
			method: "POST",
			path: "/acp/rpc",
			headers: { accept: "application/json, text/event-stream" },
			body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "xworkmate.tasks.subscribe", params: { runId, afterSeq: 0 } }),
		});
		const chunks: Buffer[] = [];
		for await (const chunk of response) chunks.push(Buffer.from(chunk));
		return Buffer.concat(chunks);
	};
	const folder = await mkdtemp(join(tmpdir(), "replay-"));
	await writeFile(join(folder, "replay"), await read());
	await using bare = await Program.start("./file-server.ts", [folder]);
	const { port } = z.object({ port: z.number() }).parse(bare.ready);
	const get = async () => {
		const answer = await fetch(`http://127.0.0.1:${port}/replay`);
		for await (const chunk of answer.body ?? []) void chunk;
	};
	// One read is too short for the kernel's clock.
	const times = quick ? 5 : 3;
	const several = async (act: () => Promise<unknown>) => {
		for (let index = 0; index < times; index++) await act();
	};
	const measures = {
		replay: () => cpuDuring(bridge.pid, () => several(read)),
		get: () => cpuDuring(bare.pid, () => several(get)),
	};
	await interleave(1, measures);
	const samples = (await interleave(3, measures)).map(({ replay, get }) => ({ replay: replay / times / 1000, get: get / times / 1000 }));
	const lag = await lagDuring(inspector, async () => void (await read()));
	await rm(folder, { recursive: true });
	return [
		compare(samples, {
			unit: "CPU ms",
			name: `replay of ${events} events`,
			measured: "replay",
			against: "plain GET of as many bytes",
			baseline: "get",
			aim: { atMost: 3 },
		}),
		lagResult(`event loop in a replay of ${events} events`, lag, 20),
	];
}

async function deletion(
	bridge: BridgeProcess,
	inspector: Inspector,
	{ threadId, events }: { threadId: string; events: number },
): Promise<Result> {
	const lag = await lagDuring(inspector, async () => void (await bridge.client().rpc("xworkmate.threads.delete", { threadId })));
	return lagResult(`event loop in the deletion of ${events} events`, lag, 20);
}
