import { mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { artifactScope, openArtifactContract, type RejectedArtifact, RunId, SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import { pino } from "pino";
import type { Provider, ProviderTurn, TurnSink } from "../../../src/ports/agents/provider.ts";
import type { ProviderUpdate } from "../../../src/ports/runs/run-event.ts";
import { Inflow } from "../../../src/processes/frames/inflow.ts";
import { createScriptProvider, type ScriptProviderDeps } from "../../../src/providers/script/script-provider.ts";
import { createTypeScriptChecker } from "../../../src/sandbox/compiler/typescript-checker.ts";
import { createProcessSandbox } from "../../../src/sandbox/process-sandbox.ts";
import type { ScriptLimits } from "../../../src/tools/built-in/script-limits.ts";
import { MemoryLedger } from "../acp/support/memory-ledger.ts";

/** A sink in memory that remembers everything, and tells who waits when something arrives. */
export class MemorySink implements TurnSink {
	readonly updates: ProviderUpdate[] = [];
	readonly rejected: RejectedArtifact[] = [];
	readonly #waiters: { readonly matches: (update: ProviderUpdate) => boolean; readonly resolve: () => void }[] = [];

	async handOver(): Promise<void> {
		// Nothing outlives a test.
	}

	async emit(update: ProviderUpdate): Promise<void> {
		this.updates.push(update);
		for (const waiter of this.#waiters) if (waiter.matches(update)) waiter.resolve();
	}

	async requestPermission(): Promise<{ decision: "withdrawn" }> {
		return { decision: "withdrawn" };
	}

	rejectArtifact(rejected: RejectedArtifact): void {
		this.rejected.push(rejected);
	}

	async saveSession(): Promise<void> {}

	/** Resolves with the first update that matches, past ones included. */
	async seen(matches: (update: ProviderUpdate) => boolean): Promise<void> {
		if (this.updates.some(matches)) return;
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#waiters.push({ matches, resolve });
		await promise;
	}

	text(suffix: "console" | "result"): string {
		return this.updates
			.map((update) => (update.kind === "message_delta" && update.messageId.includes(`-${suffix}`) ? update.text : ""))
			.join("");
	}

	toolCalls(): Extract<ProviderUpdate, { kind: "tool_call" }>[] {
		return this.updates.filter((update) => update.kind === "tool_call");
	}

	notices(): string[] {
		return this.updates.flatMap((update) => (update.kind === "notice" ? [`${update.code} ${update.message}`] : []));
	}
}

export interface ScriptRun {
	readonly outcome: Awaited<ReturnType<Provider["runTurn"]>>;
	readonly sink: MemorySink;
}

/** The real provider on the real sandbox and compiler, with its own directory. */
export class ScriptRig implements AsyncDisposable {
	readonly #home: string;
	readonly #deps: ScriptProviderDeps;
	provider: Provider;
	#turns = 0;

	private constructor(home: string, deps: ScriptProviderDeps) {
		this.#home = home;
		this.#deps = deps;
		this.provider = createScriptProvider(deps);
	}

	/** @param parent where its directory is made */
	static async open(parent = tmpdir()): Promise<ScriptRig> {
		const log = pino({ level: "silent" });
		const processes = { ledger: new MemoryLedger(), inflow: new Inflow(16 * 2 ** 20) };
		const checker = createTypeScriptChecker({ log, ...processes });
		const deps = { sandbox: createProcessSandbox({ ...processes, maxPrograms: 8 }), checker, log };
		return new ScriptRig(await realpath(await mkdtemp(join(parent, "script-rig-"))), deps);
	}

	/** From here on with these limits, the others at their defaults. */
	limit(limits: Partial<ScriptLimits>): void {
		this.provider = createScriptProvider({ ...this.#deps, limits });
	}

	/** The directory around every scope: nothing may appear here. */
	get home(): string {
		return this.#home;
	}

	async turn(prompt: string): Promise<ProviderTurn> {
		this.#turns += 1;
		const threadId = ThreadId.parse("thread-1");
		const runId = RunId.parse(`run-${this.#turns}`);
		const artifactDirectory = join(this.#home, "scopes", runId);
		await mkdir(artifactDirectory, { recursive: true });
		return {
			runId,
			threadId,
			sessionId: SessionId.parse("thread-1"),
			turnId: TurnId.parse(`turn-${this.#turns}`),
			prompt,
			composedPrompt: "this is never run: }{",
			artifactContract: openArtifactContract,
			begun: false,
			artifactScope: artifactScope(threadId, runId),
			artifactDirectory,
			workingDirectory: this.#home,
			attachments: [],
		};
	}

	async run(prompt: string, stop: AbortSignal = new AbortController().signal): Promise<ScriptRun & { readonly directory: string }> {
		const turn = await this.turn(prompt);
		const sink = new MemorySink();
		const outcome = await this.provider.runTurn(turn, sink, stop);
		return { outcome, sink, directory: turn.artifactDirectory };
	}

	/** Everything on disk under the rig, folders too, relative. */
	async disk(): Promise<string[]> {
		const entries = await readdir(this.#home, { recursive: true, withFileTypes: true });
		return entries.map((entry) => join(entry.parentPath, entry.name).slice(this.#home.length + 1));
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.provider.close();
		await rm(this.#home, { recursive: true, force: true });
	}
}
