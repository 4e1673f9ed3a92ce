import type { ProviderId, ToolCallId } from "@xworkmate/contracts";
import { expect, it, vi } from "vitest";
import type { Provider } from "../../src/ports/agents/provider.ts";
import { systemClock } from "../../src/ports/clock.ts";
import { Core } from "../runs/core-fixture.ts";
import { CountingHosts } from "./counting-hosts.ts";

vi.setConfig({ testTimeout: 120_000 });

const MANY = 1_000;
const tool = new CountingHosts({ destroy: { risk: "destructive" } }).tool("destroy");

/** A program whose one call waits for a person, without a sandbox; run again, it has ended. */
function askingProvider(turns: { count: number }): Provider {
	return {
		providerId: "asks" as ProviderId,
		label: "Asks",
		target: "agent",
		features: { approvals: true, followUp: false, resume: false, attachments: false },
		durable: "once_acted",
		availability: async () => ({ available: true }),
		runTurn: async (turn, sink) => {
			turns.count++;
			await sink.handOver();
			const { program } = sink;
			if (program === undefined) throw new Error("a durable provider gets a log");
			if ((await program.recorded()) !== undefined) return { kind: "failed", code: "PROVIDER_ERROR", message: turn.runId };
			const { toolId, toolHash, risk } = tool;
			const facts = { toolCallId: "call-1" as ToolCallId, inputHash: "0".repeat(64) };
			const step = { kind: "began", call: 1, toolId, inputHash: facts.inputHash } as const;
			program.write([step], [{ type: "tool.call.requested", origin: "executed", toolId, toolHash, risk, ...facts }]);
			program.ask({ ...facts, tool, words: "destroy it", input: {}, mayWindow: false, policyVersion: "1" });
			await program.durable();
			return { kind: "parked", waiting: 1 };
		},
		releaseSession: async () => undefined,
		close: async () => undefined,
	};
}

it(`${MANY} parked runs take no place and no turn, also after a restart, and each goes on with its own decision`, async () => {
	const turns = { count: 0 };
	const limits = { maxQueued: 2 * MANY, maxActiveRuns: 4 };
	await using core = await Core.open(
		async () => ({ kind: "ended" }),
		limits,
		undefined,
		undefined,
		systemClock,
		() => askingProvider(turns),
	);
	const runs = await Promise.all(Array.from({ length: MANY }, (_, n) => core.submit(`t${n}`, { sessionId: `s${n}`, threadId: `s${n}` })));
	await vi.waitFor(() => expect(core.parked).toHaveLength(MANY), { timeout: 60_000 });
	expect(core.runs.admission.activeCount).toBe(0);
	expect(turns.count).toBe(MANY);
	await core.crash();
	expect(core.parked).toHaveLength(2 * MANY);
	expect([core.runs.admission.activeCount, turns.count]).toEqual([0, MANY]);
	const waiting = await core.service.listApprovals({ state: "pending", limit: 200 });
	const decided = new Set(waiting.items.map(({ runId }) => runId));
	await Promise.all(waiting.items.map(({ approvalId }) => core.service.decideApproval(approvalId, "deny", "person")));
	for (const runId of decided) expect((await core.settled(runId)).message).toBe(runId);
	expect(turns.count).toBe(MANY + decided.size);
	const others = runs.filter((runId) => !decided.has(runId));
	expect(others).toHaveLength(MANY - decided.size);
	const statuses = await Promise.all(others.map(async (runId) => (await core.service.snapshot(runId)).status));
	expect(new Set(statuses)).toEqual(new Set(["running"]));
});
