import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { AgentConnection } from "../../../src/providers/acp/process/agent-connection.ts";
import { AcpBench } from "./support/acp-bench.ts";
import { MemorySink } from "./support/memory-sink.ts";

const TURNS = 5;

/** Turns of one session, one after another, that are all stopped by the same signal. */
async function run(bench: AcpBench, signal: AbortSignal, afterEach: () => void): Promise<void> {
	let session: MemorySink["session"];
	for (let index = 0; index < TURNS; index++) {
		const { turn } = await bench.turn("UNRULY:SAY done", session === undefined ? {} : { session });
		const sink = new MemorySink();
		expect(await bench.provider().runTurn(turn, sink, signal)).toEqual({ kind: "ended" });
		session ??= sink.session;
		afterEach();
	}
}

describe("what a turn leaves behind", () => {
	it("is no listener on a signal that outlives it, and no signal that depends on it", async () => {
		await using bench = await AcpBench.open();
		const { signal } = new AbortController();
		const joined = vi.spyOn(AbortSignal, "any");
		await run(bench, signal, () => expect(getEventListeners(signal, "abort")).toEqual([]));
		expect(joined).not.toHaveBeenCalled();
		joined.mockRestore();
	});

	it("is nothing that waits for its agent's end, which the first turn alone waits for", async () => {
		await using bench = await AcpBench.open();
		const closed = vi.spyOn(AgentConnection.prototype, "closed", "get");
		const waits: number[] = [];
		await run(bench, new AbortController().signal, () => waits.push(closed.mock.calls.length));
		expect(waits).toEqual(Array(TURNS).fill(waits[0]));
		closed.mockRestore();
	});
});
