import { normalize, relative } from "node:path";
import { isOpenClawEnd, type OpenClawRunRef, type OpenClawSessionKey, type RunId, type Timestamp } from "@xworkmate/contracts";
import { PluginError } from "../platform/plugin-error.ts";
import { isBelow } from "../tools/real-target.ts";
import { lastWords } from "./last-words.ts";
import type { LiveRun } from "./live-run.ts";
import { applyRunChange, type RunChange } from "./run-change.ts";
import { addNamed, withOne } from "./run-evidence.ts";
import type { RunFiles } from "./run-files.ts";
import type { NamedBy, RunRecord } from "./run-record.ts";

const KEPT_MS = 14 * 24 * 60 * 60_000;
const MAX_KEPT = 5000;

export interface RunRegistryOptions {
	readonly files: RunFiles;
	readonly now: () => number;
	/** Called for each change of a run, once it is on disk. */
	readonly announce: (record: RunRecord) => void;
	/** Called once for each run that was prepared in this process, when the run ends. */
	readonly ended: (runId: RunId) => void;
	readonly warn: (message: string) => void;
	/** Called for each run that is removed, because it is old or was released. */
	readonly forget: (runId: RunId) => void;
}

/** The runs of this gateway. A change is on disk before it is announced. */
export class RunRegistry {
	readonly #options: RunRegistryOptions;
	readonly #records = new Map<string, RunRecord>();
	/** Earlier runs whose records are damaged; their ids must not be used for new runs. */
	readonly #damaged = new Set<string>();
	readonly #live = new Map<string, LiveRun>();
	readonly #claims = new Map<string, RunId>();
	readonly #holds = new Map<string, LiveRun["hold"]>();

	constructor(options: RunRegistryOptions) {
		this.#options = options;
	}

	/** Loads what an earlier gateway process left; marks its unfinished runs as lost and returns them. */
	open(): readonly RunRecord[] {
		const { files, warn } = this.#options;
		const onDamage = (runId: string) => {
			this.#damaged.add(runId);
			warn(`the record of run ${runId} cannot be read`);
		};
		for (const record of files.readAll(onDamage)) this.#records.set(record.runId, record);
		const unfinished = [...this.#records.values()].filter(({ state }) => !isOpenClawEnd(state));
		this.#forgetOld();
		this.#rememberClaims();
		return unfinished.map(({ runId }) => this.change(runId, { kind: "lost" })).filter((record) => record !== undefined);
	}

	find(runId: string): RunRecord | undefined {
		return this.#records.get(runId);
	}

	live(runId: RunId): LiveRun | undefined {
		return this.#live.get(runId);
	}

	/** @throws PluginError INTERNAL if the run's record is damaged */
	requireUndamaged(runId: RunId): void {
		if (this.#damaged.has(runId)) throw new PluginError("INTERNAL", "the run's record is damaged, so its outcome is unknown");
	}

	/** @throws PluginError RUN_UNKNOWN, SCOPE_MISMATCH, INTERNAL */
	require({ runId, sessionKey, artifactScope }: OpenClawRunRef): RunRecord {
		this.requireUndamaged(runId);
		const record = this.#records.get(runId);
		if (record === undefined) throw new PluginError("RUN_UNKNOWN", "no such run was prepared here");
		if (record.sessionKey !== sessionKey || record.artifactScope !== artifactScope) {
			throw new PluginError("SCOPE_MISMATCH", "the run, the session and the run's folder do not belong together");
		}
		return record;
	}

	/** The unfinished run of a session. */
	activeOf(sessionKey: string): RunRecord | undefined {
		return this.active().find((record) => record.sessionKey === sessionKey);
	}

	active(): readonly RunRecord[] {
		return [...this.#live.keys()].flatMap((runId) => this.#records.get(runId) ?? []).filter(({ state }) => !isOpenClawEnd(state));
	}

	isAnyRunning(): boolean {
		return this.active().some(({ state }) => state === "running");
	}

	all(): readonly RunRecord[] {
		return [...this.#records.values()];
	}

	/**
	 * How the latest run of a session was prepared, which determines whether calls are held. Calls of a session without a run in this process
	 * are held.
	 */
	holdOf(sessionKey: string): LiveRun["hold"] {
		return this.#holds.get(sessionKey) ?? "effects";
	}

	ofSession(sessionKey: OpenClawSessionKey): readonly RunRecord[] {
		return [...this.#records.values()].filter((record) => record.sessionKey === sessionKey);
	}

	add(record: RunRecord, live: LiveRun): void {
		this.#put(record);
		this.#live.set(record.runId, live);
		this.#holds.set(record.sessionKey, live.hold);
	}

	/** Forgets a run that never began. */
	release({ runId, sessionKey }: RunRecord): void {
		this.#forget(runId);
		this.#live.delete(runId);
		if (!this.all().some((record) => record.sessionKey === sessionKey)) this.#holds.delete(sessionKey);
	}

	/** Replaces the in-memory state of a run that was prepared again, except for what its events have reported. */
	refresh(runId: RunId, live: LiveRun): void {
		const before = this.#live.get(runId);
		const record = this.#records.get(runId);
		if (before === undefined || record === undefined) return;
		this.#live.set(runId, { ...live, latestText: before.latestText, refused: before.refused });
		this.#holds.set(record.sessionKey, live.hold);
	}

	/** Applies a change to a run, and returns the run; undefined if it does not exist. */
	change(runId: RunId, change: RunChange): RunRecord | undefined {
		const record = this.#records.get(runId);
		if (record === undefined) return undefined;
		const at: Timestamp = new Date(this.#options.now()).toISOString();
		const next = applyRunChange(record, this.#withWords(change, runId), at);
		if (next !== record) this.#put(next);
		if (next !== record && change.kind === "begun") this.#beginBesideOthers(runId);
		if (isOpenClawEnd(next.state) && this.#live.delete(runId)) this.#options.ended(runId);
		return next;
	}

	/**
	 * Records files that the run's events name, in the scope and outside. The first run that names a file in a tool's result has priority.
	 */
	addNamed(runId: RunId, by: NamedBy, paths: readonly string[]): void {
		if (by === "result") for (const path of paths) if (!this.#claims.has(path)) this.#claims.set(path, runId);
		this.#addEvidence(runId, (evidence) => addNamed(evidence, by, paths));
	}

	/** True if another run named the file first as its own product. */
	isClaimed(path: string, runId: RunId): boolean {
		return (this.#claims.get(path) ?? runId) !== runId;
	}

	/**
	 * The files in a run's scope, relative to the scope, that commands of other runs name, unless those runs had ended before this one was
	 * prepared. Such a file cannot be attributed with certainty.
	 */
	namedByOthers({ runId, artifactDirectory, preparedAt }: RunRecord): readonly string[] {
		const beside = this.all().filter((record) => record.runId !== runId && (record.endedAt === undefined || record.endedAt >= preparedAt));
		const named = beside.flatMap(({ evidence }) => evidence.named.filter(({ by }) => by === "exec").map(({ path }) => normalize(path)));
		return named.filter((path) => isBelow(path, artifactDirectory)).map((path) => relative(artifactDirectory, path));
	}

	addBackgroundTask(runId: RunId, taskId: string): void {
		this.#addEvidence(runId, (evidence) => ({ ...evidence, backgroundTasks: withOne(evidence.backgroundTasks, taskId) }));
	}

	addReportedTask(runId: RunId, taskId: string): void {
		this.#addEvidence(runId, (evidence) => ({ ...evidence, reportedTasks: withOne(evidence.reportedTasks, taskId) }));
	}

	/**
	 * Called when a run begins to work: all other active runs are no longer exclusive, nor is this run if another run is working. A run that
	 * was only prepared does not affect others.
	 */
	#beginBesideOthers(runId: RunId): void {
		const others = this.active().filter((record) => record.runId !== runId);
		if (others.some(({ state }) => state === "running")) this.nobodyAlone();
		else this.#notAlone(others);
	}

	/** Marks all active runs as not exclusive, because another run is active at the same time. */
	nobodyAlone(): void {
		this.#notAlone(this.active());
	}

	#notAlone(records: readonly RunRecord[]): void {
		for (const { runId, evidence } of records) {
			if (evidence.exclusive) this.#addEvidence(runId, (before) => ({ ...before, exclusive: false }));
		}
	}

	/**
	 * Evidence of an active run is written with its next change; evidence that arrives after its end is written at once, and evidence that
	 * arrives after the collection does not count.
	 */
	#addEvidence(runId: RunId, add: (evidence: RunRecord["evidence"]) => RunRecord["evidence"]): void {
		const record = this.#records.get(runId);
		if (record === undefined || record.collectedAt !== undefined) return;
		const next = { ...record, evidence: add(record.evidence) };
		if (isOpenClawEnd(record.state)) this.#options.files.write(next);
		this.#records.set(runId, next);
	}

	/** Uses the latest message as the final text if the end event's text is missing or truncated. */
	#withWords(change: RunChange, runId: RunId): RunChange {
		if (change.kind !== "ended") return change;
		const text = lastWords(change.text, this.#live.get(runId)?.latestText);
		return text === undefined ? change : { ...change, text };
	}

	#put(record: RunRecord): void {
		this.#options.files.write(record);
		this.#records.set(record.runId, record);
		this.#options.announce(record);
	}

	#rememberClaims(): void {
		const inOrder = [...this.#records.values()].sort((a, b) => Date.parse(a.preparedAt) - Date.parse(b.preparedAt));
		for (const { runId, evidence } of inOrder) {
			for (const { path, by } of evidence.named) if (by === "result" && !this.#claims.has(path)) this.#claims.set(path, runId);
		}
	}

	#forgetOld(): void {
		const ended = [...this.#records.values()]
			.filter(({ state }) => isOpenClawEnd(state))
			.sort((a, b) => Date.parse(b.preparedAt) - Date.parse(a.preparedAt));
		const before = this.#options.now() - KEPT_MS;
		const old = ended.filter((record, index) => index >= MAX_KEPT || Date.parse(record.endedAt ?? record.preparedAt) < before);
		for (const { runId } of old) this.#forget(runId);
	}

	#forget(runId: RunId): void {
		this.#options.files.remove(runId);
		this.#records.delete(runId);
		this.#options.forget(runId);
	}
}
