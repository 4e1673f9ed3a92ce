import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { z } from "zod";
import { type BridgeProcess, startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import { startFakeModel } from "../../e2e/support/model/fake-model.ts";
import { turn } from "../../e2e/support/wire/turn.ts";
import { cpuDuring } from "../cpu-time.ts";
import { Program } from "../programs/program.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { endWithBench, hasEnded } from "../scratch.ts";

/** As models stream: they think first, then say a few words at a time. */
const FIRST_MS = 500;
const PIECES = 200;
const prompt = `FAKE:PACE ${FIRST_MS} 5 ${PIECES}`;
/** Turns at once, so that their CPU time can be measured. */
const TURNS = 20;
const First = z.object({ firstMs: z.number() });

/** The first words and the CPU time of a turn without a tool, beside the SDK's stream alone. */
export async function benchTurnWithoutTools(quick: boolean): Promise<readonly Result[]> {
	await using model = await startFakeModel();
	await using bridge = await startBridge({
		env: {
			XWORKMATE_LOG_LEVEL: "warn",
			ANTHROPIC_API_KEY: "sk-bench-0000000000000000",
			XWORKMATE_ANTHROPIC_URL: model.url,
			XWORKMATE_ANTHROPIC_MODEL: "fake-model",
		},
	});
	endWithBench(bridge.pid);
	await using bare = await Program.start("./bare-model.ts", [model.url]);
	const measures = {
		bareFirst: async () => First.parse(await bare.ask({ prompt, turns: 1 })).firstMs,
		first: () => firstWordsMs(bridge),
		bareCpu: () => cpuDuring(bare.pid, async () => void (await bare.ask({ prompt, turns: TURNS }))),
		cpu: () => cpuDuring(bridge.pid, async () => void (await Promise.all(Array.from({ length: TURNS }, () => firstWordsMs(bridge))))),
	};
	await interleave(quick ? 1 : 3, measures);
	const samples = await interleave(quick ? 3 : 7, measures);
	hasEnded(bridge.pid);
	return [
		compare(samples, {
			name: `first words of an assistant's turn, by a model that takes ${FIRST_MS} ms`,
			unit: "ms",
			against: "the SDK's stream alone",
			baseline: "bareFirst",
			measured: "first",
			aim: { atMost: 1.1 },
		}),
		compare(samples, {
			name: `${TURNS} turns of an assistant of ${PIECES} pieces each, without a tool`,
			unit: "CPU us",
			against: "the SDK's streams alone",
			baseline: "bareCpu",
			measured: "cpu",
			aim: { atMost: 3 },
		}),
	];
}

/** Runs a turn in a thread of its own to its end. Milliseconds until its first words. @throws Error for a turn that did not complete */
async function firstWordsMs(bridge: BridgeProcess): Promise<number> {
	const params = turn({ prompt, providerId: "assistant", threadId: `bench-${randomUUID()}` });
	const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session.start", params });
	const headers = {
		authorization: `Bearer ${bridge.token}`,
		accept: "application/json, text/event-stream",
		"content-type": "application/json",
		"content-length": Buffer.byteLength(body),
	};
	const { promise, resolve, reject } = Promise.withResolvers<number>();
	const from = performance.now();
	request({ host: "127.0.0.1", port: bridge.port, path: "/acp/rpc", method: "POST", agent: false, headers }, (response) => {
		let firstMs: number | undefined;
		let last = "";
		response.setEncoding("utf8");
		response.on("data", (text: string) => {
			if (firstMs === undefined && /"kind":"(?:message|thought)_delta"/.test(text)) firstMs = performance.now() - from;
			last = (last + text).slice(-100_000);
		});
		response.once("end", () => {
			if (firstMs !== undefined && last.includes('"status":"completed"')) resolve(firstMs);
			else reject(new Error(`a turn of the assistant ended with ${last.slice(-1_000)}`));
		});
	})
		.once("error", reject)
		.end(body);
	return promise;
}
