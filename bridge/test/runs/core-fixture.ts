import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type ApprovalId,
	isTerminal,
	type ProviderId,
	type RunId,
	requiredGlobProblem,
	type Snapshot,
	SubmitParams,
	type TurnId,
} from "@xworkmate/contracts";
import { checkContract, createArtifactVault, createRunWorkspace } from "../../src/artifacts/index.ts";
import type { Provider, ProviderTurn, RemoteTurns, TurnSink } from "../../src/providers/provider.ts";
import { systemClock } from "../../src/runs/clock.ts";
import { createRunService, type RunServiceHandle } from "../../src/runs/create-run-service.ts";
import type { LoggedEvent, ProviderOutcome } from "../../src/runs/run-event.ts";
import { defaultRunLimits, type RunLimits } from "../../src/runs/run-limits.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";

/** What a test makes of one turn. */
export type Play = (turn: ProviderTurn, sink: TurnSink, stop: AbortSignal) => Promise<ProviderOutcome>;

export const ended: ProviderOutcome = { kind: "ended" };

export const say = (sink: TurnSink, text: string) => sink.emit({ kind: "message_delta", messageId: "m", text });

export function whenAborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", () => resolve(), { once: true });
	});
}

/** A core over a real store, vault and workspace; the provider plays what the test says. */
export class Core implements AsyncDisposable {
	readonly home: string;
	readonly errors: unknown[] = [];
	play: Play;
	/** Set for a runtime whose turns outlive the core; counts from the next start. */
	remote: RemoteTurns | undefined;
	#service: RunServiceHandle | undefined;
	#close: (() => Promise<void>) | undefined;
	#limits: RunLimits;
	#ids = 0;

	private constructor(home: string, play: Play, limits: Partial<RunLimits>) {
		this.home = home;
		this.play = play;
		this.#limits = { ...defaultRunLimits, ...limits };
	}

	static async open(play: Play, limits: Partial<RunLimits> = {}, remote?: RemoteTurns): Promise<Core> {
		const core = new Core(await mkdtemp(join(tmpdir(), "core ")), play, limits);
		core.remote = remote;
		await core.start();
		return core;
	}

	get service(): RunServiceHandle {
		if (this.#service === undefined) throw new Error("the core is not running");
		return this.#service;
	}

	async start(): Promise<void> {
		const store = openSqliteStore(join(this.home, "bridge"));
		const vault = createArtifactVault({ root: join(this.home, "bridge", "artifacts") });
		const provider = this.#provider();
		this.#service = createRunService({
			...store,
			providers: new Map([[provider.providerId, provider]]),
			resolveRouting: async ({ executionTarget }) => ({ target: executionTarget, providerId: provider.providerId }),
			vault,
			checkContract,
			globProblem: requiredGlobProblem,
			workspace: createRunWorkspace({ home: this.home, allowedRoots: [] }),
			policy: { allowProviders: new Set(), allowCommands: new Set() },
			clock: systemClock,
			newRunId: () => `run_${process.pid}_${Date.now()}_${++this.#ids}` as RunId,
			newApprovalId: () => `approval_${Date.now()}_${++this.#ids}` as ApprovalId,
			limits: this.#limits,
			onError: (error) => this.errors.push(error),
			onFatal: (error) => this.errors.push(error),
		});
		this.#close = async () => {
			store.close();
			await vault[Symbol.asyncDispose]();
		};
		await this.#service.recover();
	}

	/** Ends the core as SIGTERM does and opens it again. */
	async restart(): Promise<void> {
		await this.service.shutdown();
		await this.#close?.();
		await this.start();
	}

	/** Drops everything in memory at once, as kill -9 does, and opens the core again over what is on the disk. */
	async crash(): Promise<void> {
		await this.#close?.();
		await this.start();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.service.shutdown();
		await this.#close?.();
		await rm(this.home, { recursive: true, force: true });
	}

	/** Submits a turn and gives its run. */
	async submit(turn: string, overrides: Record<string, unknown> = {}): Promise<RunId> {
		const params = SubmitParams.parse({
			sessionId: "thread",
			threadId: "thread",
			turnId: turn as TurnId,
			prompt: "do it",
			routing: { executionTarget: "agent" },
			...overrides,
		});
		return (await this.service.submit("session.start", params)).runId;
	}

	/** Every event as committed, up to one that the predicate takes. */
	async until(runId: RunId, predicate: (event: LoggedEvent) => boolean): Promise<LoggedEvent> {
		const found = Promise.withResolvers<LoggedEvent>();
		const unsubscribe = this.service.log.onCommitted(runId, (events) => {
			const event = events.find(predicate);
			if (event !== undefined) found.resolve(event);
		});
		const past = (await this.service.log.read(runId, 0, 10_000)).find(predicate);
		if (past !== undefined) found.resolve(past);
		try {
			return await found.promise;
		} finally {
			unsubscribe();
		}
	}

	async settled(runId: RunId): Promise<Snapshot> {
		await this.until(runId, (event) => isTerminal(event.status));
		return this.service.snapshot(runId);
	}

	#provider(): Provider {
		return {
			providerId: "played" as ProviderId,
			label: "Played",
			target: "agent",
			features: { approvals: true, followUp: true, resume: false, attachments: true },
			availability: async () => ({ available: true }),
			runTurn: (turn, sink, stop) => this.play(turn, sink, stop),
			releaseSession: async () => undefined,
			close: async () => undefined,
			...(this.remote === undefined ? {} : { remote: this.remote }),
		};
	}
}
