import { type Receipt, type RunId, type Snapshot, SubmitParams } from "@xworkmate/contracts";
import { pino } from "pino";
import { systemClock } from "../../../src/ports/clock.ts";
import type { LoggedEvent, ProviderUpdate } from "../../../src/ports/runs/run-event.ts";
import type { ToolHosts } from "../../../src/ports/tools/tool-hosts.ts";
import { Inflow } from "../../../src/processes/frames/inflow.ts";
import { createAssistantProvider } from "../../../src/providers/assistant/assistant-provider.ts";
import type { AssistantLimits } from "../../../src/providers/assistant/turn/assistant-limits.ts";
import { createTypeScriptChecker } from "../../../src/sandbox/compiler/typescript-checker.ts";
import { createProcessSandbox } from "../../../src/sandbox/process-sandbox.ts";
import { CountingHosts } from "../../programs/counting-hosts.ts";
import { RiskPolicy } from "../../programs/risk-policy.ts";
import { Core } from "../../runs/core-fixture.ts";
import { MemoryLedger } from "../acp/support/memory-ledger.ts";
import { MemoryAccounts, ScriptedModel } from "./scripted-model.ts";

interface SceneOptions {
	readonly limits?: Partial<AssistantLimits>;
	readonly parkMs?: number;
	readonly hosts?: (world: CountingHosts) => ToolHosts;
	/** Default: "the-model". */
	readonly defaultModel?: string | null;
	/** The models that are known already. */
	readonly offered?: readonly string[];
}

/** The real core, store, sandbox and checker with the real assistant; the model and the world of its tools are in memory. */
export class AssistantScene implements AsyncDisposable {
	readonly model = new ScriptedModel();
	readonly accounts = new MemoryAccounts();
	readonly policy = new RiskPolicy();
	readonly hosts = new CountingHosts({
		look: { risk: "read" },
		make: { risk: "write" },
		ensure: { risk: "write", isIdempotent: true },
		destroy: { risk: "destructive" },
	});
	readonly #bridges: AbortController[] = [];
	readonly #ends: (() => Promise<void>)[] = [];
	#core: Core | undefined;

	static async open({
		limits = {},
		parkMs = 60_000,
		hosts = (world) => world,
		defaultModel = "the-model",
		offered = ["anthropic/the-model"],
	}: SceneOptions = {}): Promise<AssistantScene> {
		const scene = new AssistantScene();
		const log = pino({ level: "silent" });
		const processes = { ledger: new MemoryLedger(), inflow: new Inflow(16 * 2 ** 20) };
		const sandbox = createProcessSandbox({ ...processes, maxPrograms: 8 });
		const checker = createTypeScriptChecker({ log, ...processes });
		scene.#ends.push(
			() => checker.close(),
			() => sandbox.close(),
		);
		const given = hosts(scene.hosts);
		const provider = () => {
			const bridge = new AbortController();
			scene.#bridges.push(bridge);
			return createAssistantProvider({
				sandbox: {
					prepare: () => sandbox.prepare(),
					run: (request) => sandbox.run({ ...request, signal: AbortSignal.any([request.signal, bridge.signal]) }),
					close: async () => undefined,
				},
				checker: { check: (program, signal) => checker.check(program, signal), close: async () => undefined },
				...{ hosts: given, policy: scene.policy, clock: systemClock, parkMs, log, limits },
				accounts: scene.accounts,
				clients: new Map([["anthropic", scene.model]]),
				defaultModels: defaultModel === null ? {} : { anthropic: defaultModel },
				offered: async () => offered,
			});
		};
		scene.#core = await Core.open(async () => ({ kind: "ended" }), { stopMs: 2_000 }, undefined, undefined, systemClock, provider);
		return scene;
	}

	get core(): Core {
		if (this.#core === undefined) throw new Error("the scene is not open");
		return this.#core;
	}

	run(prompt = "Do it.", turn = "t1", more: Record<string, unknown> = {}): Promise<RunId> {
		return this.core.submit(turn, { prompt, ...more });
	}

	/** A further turn of the same conversation. */
	async follow(prompt: string, turn: string): Promise<RunId> {
		const routing = { executionTarget: "agent" };
		const params = SubmitParams.parse({ sessionId: "thread", threadId: "thread", turnId: turn, prompt, routing });
		return (await this.core.service.submit("session.message", params)).runId;
	}

	/** Runs one turn to its end. */
	async turn(
		prompt = "Do it.",
		turn = "t1",
		more: Record<string, unknown> = {},
	): Promise<Snapshot & { readonly output: { readonly text: string } }> {
		const snapshot = await this.core.settled(await this.run(prompt, turn, more));
		return { ...snapshot, output: snapshot.output ?? { text: "", truncated: false, totalBytes: 0 } };
	}

	async events(runId: RunId): Promise<readonly LoggedEvent[]> {
		return this.core.service.log.read(runId, 0, 10_000);
	}

	/** Whether a run failed because of its request, and not because the assistant does not work. */
	async isRequest(runId: RunId): Promise<boolean> {
		return (await this.events(runId)).some(({ event }) => event.type === "ended" && event.isRequest === true);
	}

	async receipts(runId: RunId): Promise<readonly Receipt[]> {
		return (await this.events(runId)).flatMap(({ event }) => (event.type === "receipt" ? [event.receipt] : []));
	}

	async updates(runId: RunId): Promise<readonly ProviderUpdate[]> {
		return (await this.events(runId)).flatMap(({ event }) => (event.type === "said" ? [event.update] : []));
	}

	async thoughts(runId: RunId): Promise<string> {
		return (await this.updates(runId)).map((update) => (update.kind === "thought_delta" ? update.text : "")).join("\n");
	}

	async asked(runId: RunId, toolCallId = "call-1"): Promise<string> {
		const found = await this.core.until(
			runId,
			({ event }) => event.type === "approval" && event.record.state === "pending" && event.record.toolCallId === toolCallId,
		);
		if (found.event.type !== "approval") throw new Error("not asked");
		return found.event.record.approvalId;
	}

	async decide(runId: RunId, decision: "allow_once" | "deny", toolCallId = "call-1") {
		return this.core.service.decideApproval((await this.asked(runId, toolCallId)) as never, decision, "person");
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

	async [Symbol.asyncDispose](): Promise<void> {
		await this.core[Symbol.asyncDispose]();
		for (const end of this.#ends) await end();
	}
}
