import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../e2e/support/bridge/providers.ts";
import { turn } from "../../e2e/support/wire/turn.ts";
import { agentId } from "../bench-bridge.ts";
import { cpuDuring } from "../cpu-time.ts";
import { Inspector, inspectable } from "../profile/inspector.ts";
import { Program } from "../programs/program.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { endWithBench, hasEnded } from "../scratch.ts";
import { residentMiB } from "../until-ready.ts";
import { lagDuring, lagResult } from "./loop-lag.ts";
import { OpenStreams } from "./open-streams.ts";

const READERS = 100;
const EVENTS_PER_SECOND = 500;
/** After a burst of new streams, the memory that a process keeps has settled after this time. */
const SETTLE_MS = 2_000;

/** Memory of streams in which nothing happens, beside bare ones, and the cost of one event to one of many readers. */
export async function benchManyStreams(quick: boolean): Promise<readonly Result[]> {
	await using bridge = await startBridge({
		providers: [unrulyAgent(agentId)],
		env: { XWORKMATE_LOG_LEVEL: "warn", ...inspectable },
	});
	endWithBench(bridge.pid);
	using inspector = await Inspector.attach(bridge);
	const results = [...(await idle(bridge, quick)), ...(await readers(bridge, inspector, quick))];
	hasEnded(bridge.pid);
	return results;
}

type Bridge = Awaited<ReturnType<typeof startBridge>>;

/** Begins a turn and returns the call that subscribes to it. */
async function begin(
	bridge: Bridge,
	script: string,
): Promise<{ readonly call: object; readonly ended: Promise<unknown>; cancel(): Promise<unknown> }> {
	const params = turn({ prompt: `UNRULY:${script}`, providerId: agentId });
	const stream = await bridge.client().stream("session.start", params);
	const { runId } = await stream.until("the agent's first words", ({ update }) => update.kind === "message_delta");
	return {
		call: { jsonrpc: "2.0", id: 1, method: "xworkmate.tasks.subscribe", params: { runId } },
		ended: stream.ended,
		cancel: () => bridge.client().rpc("xworkmate.tasks.cancel", { runId }),
	};
}

async function idle(bridge: Bridge, quick: boolean): Promise<readonly Result[]> {
	const [some, many] = quick ? [200, 1_000] : [4_000, 10_000];
	const { call, cancel, ended } = await begin(bridge, "SAY waiting ;; HANG");
	await using bare = await Program.start("./idle-server.ts");
	const { port } = z.object({ port: z.number() }).parse(bare.ready);
	const ours = await kibPerStream({ pid: bridge.pid, port: bridge.port }, bridge.token, call, [some, many]);
	const theirs = await kibPerStream({ pid: bare.pid, port }, bridge.token, call, [some, many]);
	const results = [some, many].map((count, index) =>
		compare([{ ours: ours[index] ?? 0, theirs: theirs[index] ?? 0 }], {
			unit: "KiB",
			name: `idle stream, ${count} of them`,
			measured: "ours",
			against: "bare node:http stream",
			baseline: "theirs",
			...(count === many ? { aim: { measuredAtMost: 25 } } : {}),
		}),
	);
	await cancel();
	await ended;
	return results;
}

/**
 * The memory that each stream adds to a server, for each of these numbers of open streams. They are closed at the end, because the number
 * of sockets of a process is limited.
 */
async function kibPerStream(
	{ pid, port }: { readonly pid: number; readonly port: number },
	token: string,
	call: object,
	counts: readonly number[],
): Promise<readonly number[]> {
	const before = residentMiB(pid);
	using streams = new OpenStreams();
	const found: number[] = [];
	for (const count of counts) {
		await streams.open(count, port, token, call);
		await delay(SETTLE_MS);
		found.push(((residentMiB(pid) - before) * 1024) / count);
	}
	return found;
}

async function readers(bridge: Bridge, inspector: Inspector, quick: boolean): Promise<readonly Result[]> {
	const events = quick ? 500 : 2_000;
	const perTurn = (count: number) => async () => {
		const { call, ended } = await begin(bridge, `SAY begun ;; STEADY ${events} ${EVENTS_PER_SECOND}`);
		using streams = new OpenStreams();
		return await cpuDuring(bridge.pid, async () => {
			await streams.open(count, bridge.port, bridge.token, call);
			await ended;
		});
	};
	const measures = { one: perTurn(1), many: perTurn(READERS) };
	await interleave(1, measures);
	const samples = await interleave(quick ? 1 : 3, measures);
	const lag = await lagDuring(inspector, async () => void (await measures.many()));
	const perEvent = samples.map(({ one, many }) => ({ more: (many - one) / (events * (READERS - 1)), one: one / events }));
	return [
		compare(perEvent, {
			unit: "CPU us",
			name: `one event to one more of ${READERS} readers`,
			measured: "more",
			against: "the event itself, to its first reader",
			baseline: "one",
			aim: { measuredAtMost: 5 },
		}),
		lagResult(`event loop with ${READERS} readers`, lag),
	];
}
