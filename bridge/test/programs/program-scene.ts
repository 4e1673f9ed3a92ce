import type { ApprovalDecision, Receipt, RunId } from "@xworkmate/contracts";
import { pino } from "pino";
import type { LedgerEntry } from "../../src/ports/agents/process-ledger.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { systemClock } from "../../src/ports/clock.ts";
import type { LoggedEvent } from "../../src/ports/runs/run-event.ts";
import type { RunLimits } from "../../src/ports/runs/run-limits.ts";
import { Inflow } from "../../src/processes/frames/inflow.ts";
import { createScriptProvider } from "../../src/providers/script/script-provider.ts";
import { createTypeScriptChecker } from "../../src/sandbox/compiler/typescript-checker.ts";
import { createProcessSandbox } from "../../src/sandbox/process-sandbox.ts";
import { MemoryLedger } from "../providers/acp/support/memory-ledger.ts";
import { Core } from "../runs/core-fixture.ts";
import type { CountingHosts } from "./counting-hosts.ts";
import { RiskPolicy } from "./risk-policy.ts";

interface SceneOptions {
	readonly hosts: CountingHosts;
	readonly parkMs?: number;
	readonly limits?: Partial<RunLimits>;
	readonly maxPrograms?: number;
	readonly clock?: Clock;
}

/** The real core over a real store with the real script provider, sandbox and checker; the world of its tools is counted in memory. */
export class ProgramScene implements AsyncDisposable {
	readonly core: Core;
	readonly hosts: CountingHosts;
	readonly policy: RiskPolicy;
	readonly #ends: (() => Promise<void>)[];
	readonly #bridges: AbortController[];
	readonly #processes: MemoryLedger;

	private constructor(
		core: Core,
		hosts: CountingHosts,
		policy: RiskPolicy,
		bridges: AbortController[],
		ends: (() => Promise<void>)[],
		processes: MemoryLedger,
	) {
		this.#processes = processes;
		this.#bridges = bridges;
		this.core = core;
		this.hosts = hosts;
		this.policy = policy;
		this.#ends = ends;
	}

	static async open({ hosts, parkMs = 60_000, limits = {}, maxPrograms = 8, clock = systemClock }: SceneOptions): Promise<ProgramScene> {
		const log = pino({ level: "silent" });
		const processes = { ledger: new MemoryLedger(), inflow: new Inflow(16 * 2 ** 20) };
		const sandbox = createProcessSandbox({ ...processes, maxPrograms });
		const checker = createTypeScriptChecker({ log, ...processes });
		const policy = new RiskPolicy();
		// A killed bridge takes its programs along; a sandbox for each would only be slower.
		const bridges: AbortController[] = [];
		const provider = () => {
			const bridge = new AbortController();
			bridges.push(bridge);
			return createScriptProvider({
				sandbox: {
					prepare: () => sandbox.prepare(),
					run: (request) => sandbox.run({ ...request, signal: AbortSignal.any([request.signal, bridge.signal]) }),
					close: async () => undefined,
				},
				checker: { check: (program, signal) => checker.check(program, signal), close: async () => undefined },
				integrations: { hosts, policy, clock, parkMs },
				log,
			});
		};
		const core = await Core.open(async () => ({ kind: "ended" }), { stopMs: 2_000, ...limits }, undefined, undefined, clock, provider);
		return new ProgramScene(core, hosts, policy, bridges, [() => checker.close(), () => sandbox.close()], processes.ledger);
	}

	run(prompt: string, turn = "t1", more: Record<string, unknown> = {}): Promise<RunId> {
		return this.core.submit(turn, { prompt, ...more });
	}

	async events(runId: RunId): Promise<readonly LoggedEvent[]> {
		return this.core.service.log.read(runId, 0, 10_000);
	}

	async receipts(runId: RunId): Promise<readonly Receipt[]> {
		return (await this.events(runId)).flatMap(({ event }) => (event.type === "receipt" ? [event.receipt] : []));
	}

	/** The trail of one call, without the common beginning of its types. */
	async trail(runId: RunId, toolCallId = "call-1"): Promise<readonly string[]> {
		const receipts = await this.receipts(runId);
		return receipts.filter((receipt) => receipt.toolCallId === toolCallId).map(({ type }) => type.replace("tool.call.", ""));
	}

	/** Settles once a call is asked. */
	async asked(runId: RunId, toolCallId = "call-1"): Promise<string> {
		const found = await this.core.until(
			runId,
			({ event }) => event.type === "approval" && event.record.state === "pending" && event.record.toolCallId === toolCallId,
		);
		if (found.event.type !== "approval") throw new Error("not asked");
		return found.event.record.approvalId;
	}

	async decide(runId: RunId, decision: ApprovalDecision, toolCallId = "call-1") {
		return this.core.service.decideApproval((await this.asked(runId, toolCallId)) as never, decision, "person");
	}

	/** Settles with the receipt of this type. */
	async until(runId: RunId, type: string, toolCallId = "call-1"): Promise<void> {
		await this.core.until(
			runId,
			({ event }) => event.type === "receipt" && event.receipt.type === `tool.call.${type}` && event.receipt.toolCallId === toolCallId,
		);
	}

	/** The processes of programs. */
	get programs(): readonly LedgerEntry[] {
		return [...this.#processes.entries.values()].filter(({ label }) => label === "sandbox");
	}

	/** Drops everything in memory, as kill -9 does. */
	async die(): Promise<void> {
		await this.core.die();
		this.#bridges.at(-1)?.abort();
	}

	async crash(): Promise<void> {
		await this.die();
		await this.core.start();
	}

	/** Settles once the run is parked for the `count`th time. */
	async parked(count = 1): Promise<void> {
		while (this.core.parked.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.core[Symbol.asyncDispose]();
		for (const end of this.#ends) await end();
	}
}
