import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isTerminal, type ProviderId, type RunId, type Snapshot, SubmitParams, type TurnId } from "@xworkmate/contracts";
import { checkContract, createArtifactStore, createRunWorkspace } from "../../src/artifacts/index.ts";
import { composeRuns, type Outside, type Runs } from "../../src/compose-runs.ts";
import type { Provider, ProviderTurn, TurnSink } from "../../src/ports/agents/provider.ts";
import type { ArtifactStore } from "../../src/ports/artifacts/artifact-store.ts";
import { type Clock, systemClock } from "../../src/ports/clock.ts";
import type { AttemptLedger } from "../../src/ports/runs/attempt-ledger.ts";
import type { LoggedEvent, ProviderOutcome } from "../../src/ports/runs/run-event.ts";
import { defaultRunLimits, type RunLimits } from "../../src/ports/runs/run-limits.ts";
import type { RunService } from "../../src/ports/runs/run-service.ts";
import type { RunStep, StepStore } from "../../src/ports/runs/run-step.ts";
import type { RunLogStore } from "../../src/ports/runs/run-store.ts";
import type { ToolRules } from "../../src/ports/tools/tool-rules.ts";
import type { EndBefore } from "../../src/runs/domain/attempts.ts";
import type { Coordinator } from "../../src/runs/engine/coordinator.ts";
import type { BridgeStore } from "../../src/store/bridge-store.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";

/** What a test makes of one turn. */
export type Play = (turn: ProviderTurn, sink: TurnSink, stop: AbortSignal) => Promise<ProviderOutcome>;

/** What a runtime elsewhere has that one on this machine has not, and the tools that a turn can call. */
export type RemoteTurns = Pick<Provider, "resumable" | "fetchArtifacts" | "toolCatalogue">;

export const ended: ProviderOutcome = { kind: "ended" };

export const say = (sink: TurnSink, text: string) => sink.emit({ kind: "message_delta", messageId: "m", text });

export function whenAborted(signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted) resolve();
		else signal.addEventListener("abort", () => resolve(), { once: true });
	});
}

/** A core over a real store, artifact store and workspace; the provider plays what the test says. */
export class Core implements AsyncDisposable {
	readonly home: string;
	readonly errors: unknown[] = [];
	/** What collecting fails of, as long as it is here. */
	collectFails: Error | undefined;
	/** What writing an intent fails of, as long as it is here. */
	insertFails: Error | undefined;
	/** Durable transactions of the log. */
	commits = 0;
	/** What the removal of a run's bytes waits for. */
	beforeRemove: (() => Promise<void>) | undefined;
	/** Called before the records of a run are deleted. */
	noteRemoved: ((runId: RunId) => Promise<void>) | undefined;
	play: Play;
	/** Of a runtime whose turns outlive the core or call tools, or whose files are elsewhere; counts from the next start. */
	remote: RemoteTurns | undefined;
	/** The provider says when its runtime has a turn; counts from the next start. */
	handsOver = false;
	/** The recorded steps of programs, and the user's rules for tools; count from the next start. */
	stepStore: StepStore | undefined;
	toolRules: ToolRules | undefined;
	/** Which tools are in use and accepted; read with each question. */
	versionState: NonNullable<Outside["versionState"]> = () => "accepted";
	/** In the place of the provider that plays; counts from the next start. */
	provider: (() => Provider) | undefined;
	/** False if the agent is no longer set up; counts from the next start. */
	isPlayedSetUp = true;
	/** What was parked. */
	readonly parked: RunId[] = [];
	#runs: Runs | undefined;
	#store: BridgeStore | undefined;
	#close: (() => Promise<void>) | undefined;
	readonly #clock: Clock;
	#limits: RunLimits;

	private constructor(home: string, play: Play, limits: Partial<RunLimits>, clock: Clock) {
		this.#clock = clock;
		this.home = home;
		this.play = play;
		this.#limits = { ...defaultRunLimits, provenMs: 200, ...limits };
	}

	static async open(
		play: Play,
		limits: Partial<RunLimits> = {},
		remote?: RemoteTurns,
		home?: string,
		clock: Clock = systemClock,
		provider?: () => Provider,
	): Promise<Core> {
		const core = new Core(home ?? (await mkdtemp(join(tmpdir(), "core "))), play, limits, clock);
		core.remote = remote;
		core.provider = provider;
		await core.start();
		return core;
	}

	get runs(): Runs {
		if (this.#runs === undefined) throw new Error("the core is not running");
		return this.#runs;
	}

	get service(): RunService {
		return this.runs.service;
	}

	get coordinator(): Coordinator {
		return this.runs.coordinator;
	}

	async start(): Promise<void> {
		await this.load();
		await this.coordinator.recover();
	}

	/** As far as a bridge is when it begins to listen. */
	async load(before: EndBefore = "died", isRestored = false): Promise<void> {
		const store = openSqliteStore(join(this.home, "bridge"));
		this.#store = store;
		// What a killed bridge would still have tried is not an error of the next one.
		const report = (error: unknown) => {
			if (this.#store === store) this.errors.push(error);
		};
		const artifactStore = createArtifactStore({ root: join(this.home, "bridge", "artifacts") });
		const provider = this.provider?.() ?? this.#provider();
		this.#runs = composeRuns({
			store: { ...store, log: this.#counting(store.log), steps: this.stepStore ?? store.steps },
			artifactStore: this.#failing(artifactStore),
			checkContract,
			workspace: createRunWorkspace({ home: this.home, allowedRoots: [] }),
			providers: new Map(this.isPlayedSetUp ? [[provider.providerId, provider]] : []),
			resolveRouting: async ({ executionTarget, model }) => ({
				target: executionTarget,
				providerId: provider.providerId,
				...(model !== undefined && { model }),
			}),
			policy: { allowProviders: new Set(), allowCommands: new Set() },
			...(this.toolRules && { toolRules: this.toolRules }),
			versionState: (tool) => this.versionState(tool),
			clock: this.#clock,
			limits: this.#limits,
			noteRemoved: async (runId) => this.noteRemoved?.(runId),
			onError: report,
			onFatal: report,
			onDiskFull: report,
			onDiskSpace: () => {},
			onPark: (runId) => void this.parked.push(runId),
		});
		this.#close = async () => {
			store.close();
			await artifactStore[Symbol.asyncDispose]();
		};
		await this.#runs.removal.resume();
		await this.coordinator.load(before, isRestored);
	}

	#failing(artifactStore: ArtifactStore): ArtifactStore {
		const collect: ArtifactStore["collect"] = (request) =>
			this.collectFails === undefined ? artifactStore.collect(request) : Promise.reject(this.collectFails);
		return {
			look: (paths, since) => artifactStore.look(paths, since),
			changeTimes: (directory) => artifactStore.changeTimes(directory),
			isEmpty: (artifactDirectory) => artifactStore.isEmpty(artifactDirectory),
			collect,
			has: (runId, artifact) => artifactStore.has(runId, artifact),
			open: (runId, artifact) => artifactStore.open(runId, artifact),
			remove: async (runId) => {
				await this.beforeRemove?.();
				return artifactStore.remove(runId);
			},
		};
	}

	#counting(log: RunLogStore): RunLogStore {
		const counted = async <T>(write: () => Promise<T>): Promise<T> => {
			const written = await write();
			this.commits++;
			return written;
		};
		return {
			insertRun: (record, append) =>
				this.insertFails === undefined ? counted(() => log.insertRun(record, append)) : Promise.reject(this.insertFails),
			append: (batch) => counted(() => log.append(batch)),
			readEvents: (runId, afterSeq, limit) => log.readEvents(runId, afterSeq, limit),
			readTexts: (runId, afterSeq, size) => log.readTexts(runId, afterSeq, size),
			readFrames: (runId, afterSeq, form) => log.readFrames(runId, afterSeq, form),
		};
	}

	/** Ends the core as SIGTERM does and opens it again. */
	async restart(): Promise<void> {
		await this.coordinator.shutdown();
		await this.#close?.();
		await this.start();
	}

	/** Drops everything in memory at once, as kill -9 does, and opens the core again over what is on the disk. */
	async crash(): Promise<void> {
		await this.die();
		await this.start();
	}

	async die(): Promise<void> {
		this.#store = undefined;
		await this.#close?.();
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.coordinator.shutdown();
		await this.#close?.();
		await rm(this.home, { recursive: true, force: true });
	}

	get store(): BridgeStore {
		if (this.#store === undefined) throw new Error("the core is not running");
		return this.#store;
	}

	/** The recorded steps of a run. */
	async steps(runId: RunId): Promise<readonly RunStep[]> {
		return (await this.#store?.steps.readSteps(runId))?.map(({ step }) => step) ?? [];
	}

	/** What would be held against runs if it died now. */
	get attempts(): AttemptLedger {
		return this.store.attempts;
	}

	/** Submits a turn and gives its run. */
	async submit(
		turn: string,
		overrides: Record<string, unknown> = {},
		method: "session.start" | "session.message" = "session.start",
	): Promise<RunId> {
		const params = SubmitParams.parse({
			sessionId: "thread",
			threadId: "thread",
			turnId: turn as TurnId,
			prompt: "do it",
			routing: { executionTarget: "agent" },
			...overrides,
		});
		return (await this.service.submit(method, params)).runId;
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
			...(this.handsOver ? { handsOver: true as const } : {}),
			...this.remote,
		};
	}
}
