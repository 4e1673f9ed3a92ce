import { isOpenClawEnd, type OpenClawRunRef, type OpenClawSessionKey, type RunId, type Timestamp } from "@xworkmate/contracts";
import { PluginError } from "../plugin-error.ts";
import type { LiveRun } from "./live-run.ts";
import { applyRunChange, type RunChange } from "./run-change.ts";
import type { RunFiles } from "./run-files.ts";
import type { NamedBy, RunRecord } from "./run-record.ts";

const MAX_NAMED = 5000;
const MAX_BACKGROUND_TASKS = 200;
const KEPT_MS = 14 * 24 * 60 * 60_000;
const MAX_KEPT = 5000;

export interface RunRegistryOptions {
	readonly files: RunFiles;
	readonly now: () => number;
	/** Told of every change that is on disk. */
	readonly announce: (record: RunRecord) => void;
	/** Told once when a run of this life of the gateway has ended. */
	readonly ended: (runId: RunId) => void;
	readonly warn: (message: string) => void;
	/** Told of a run that was forgotten for its age. */
	readonly forget: (runId: RunId) => void;
}

/** The runs of this gateway. A change is on disk before anybody hears of it. */
export class RunRegistry {
	readonly #options: RunRegistryOptions;
	readonly #records = new Map<string, RunRecord>();
	readonly #live = new Map<string, LiveRun>();
	readonly #holds = new Map<string, LiveRun["hold"]>();

	constructor(options: RunRegistryOptions) {
		this.#options = options;
	}

	/** Reads what an earlier life of the gateway left; its unfinished runs are lost, and returned. */
	open(): readonly RunRecord[] {
		const { files, warn } = this.#options;
		for (const record of files.readAll((file) => warn(`a run's file cannot be read: ${file}`))) this.#records.set(record.runId, record);
		const unfinished = [...this.#records.values()].filter(({ state }) => !isOpenClawEnd(state));
		this.#forgetOld();
		return unfinished.map(({ runId }) => this.change(runId, { kind: "lost" })).filter((record) => record !== undefined);
	}

	find(runId: string): RunRecord | undefined {
		return this.#records.get(runId);
	}

	live(runId: RunId): LiveRun | undefined {
		return this.#live.get(runId);
	}

	/** @throws PluginError RUN_UNKNOWN, SCOPE_MISMATCH */
	require({ runId, sessionKey, artifactScope }: OpenClawRunRef): RunRecord {
		const record = this.#records.get(runId);
		if (record === undefined) throw new PluginError("RUN_UNKNOWN", "no such run was prepared here");
		if (record.sessionKey !== sessionKey || record.artifactScope !== artifactScope) {
			throw new PluginError("SCOPE_MISMATCH", "run, session and scope do not belong together");
		}
		return record;
	}

	/** The run of a session that has not ended. */
	activeOf(sessionKey: string): RunRecord | undefined {
		return this.active().find((record) => record.sessionKey === sessionKey);
	}

	active(): readonly RunRecord[] {
		return [...this.#live.keys()].flatMap((runId) => this.#records.get(runId) ?? []).filter(({ state }) => !isOpenClawEnd(state));
	}

	all(): readonly RunRecord[] {
		return [...this.#records.values()];
	}

	/** How the latest run of a session was prepared; a session that was not prepared in this life of the gateway is held. */
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

	/** Replaces what is kept in memory of a run: the caller prepared it once more. */
	refresh(runId: RunId, live: LiveRun): void {
		const before = this.#live.get(runId);
		const record = this.#records.get(runId);
		if (before === undefined || record === undefined) return;
		this.#live.set(runId, { ...live, latestText: before.latestText });
		this.#holds.set(record.sessionKey, live.hold);
	}

	/** Applies a change; undefined when there is no such run. */
	change(runId: RunId, change: RunChange): RunRecord | undefined {
		const record = this.#records.get(runId);
		if (record === undefined) return undefined;
		const at: Timestamp = new Date(this.#options.now()).toISOString();
		const next = applyRunChange(record, this.#withWords(change, runId), at);
		if (next !== record) this.#put(next);
		if (isOpenClawEnd(next.state) && this.#live.delete(runId)) this.#options.ended(runId);
		return next;
	}

	/** Written with the run's next change: what names a file is worth nothing before its end. */
	addNamed(runId: RunId, by: NamedBy, paths: readonly string[]): void {
		this.#addEvidence(runId, ({ named, ...rest }) => {
			const known = new Set(named.map(({ path, by: how }) => `${how} ${path}`));
			const fresh = paths.filter((path) => !known.has(`${by} ${path}`)).map((path) => ({ path, by }));
			return { ...rest, named: [...named, ...fresh].slice(0, MAX_NAMED) };
		});
	}

	addBackgroundTask(runId: RunId, taskId: string): void {
		this.#addEvidence(runId, (evidence) => ({
			...evidence,
			backgroundTasks: [...new Set([...evidence.backgroundTasks, taskId])].slice(0, MAX_BACKGROUND_TASKS),
		}));
	}

	/** Another run was active at some moment of this one. */
	notAlone(runId: RunId): void {
		this.#addEvidence(runId, (evidence) => ({ ...evidence, exclusive: false }));
	}

	#addEvidence(runId: RunId, add: (evidence: RunRecord["evidence"]) => RunRecord["evidence"]): void {
		const record = this.#records.get(runId);
		if (record !== undefined && !isOpenClawEnd(record.state)) this.#records.set(runId, { ...record, evidence: add(record.evidence) });
	}

	/** An end without words of its own takes the run's latest message. */
	#withWords(change: RunChange, runId: RunId): RunChange {
		if (change.kind !== "ended" || change.text !== undefined) return change;
		const text = this.#live.get(runId)?.latestText;
		return text === undefined || text === "" ? change : { ...change, text };
	}

	#put(record: RunRecord): void {
		this.#options.files.write(record);
		this.#records.set(record.runId, record);
		this.#options.announce(record);
	}

	#forgetOld(): void {
		const ended = [...this.#records.values()]
			.filter(({ state }) => isOpenClawEnd(state))
			.sort((a, b) => Date.parse(b.preparedAt) - Date.parse(a.preparedAt));
		const before = this.#options.now() - KEPT_MS;
		const old = ended.filter((record, index) => index >= MAX_KEPT || Date.parse(record.endedAt ?? record.preparedAt) < before);
		for (const { runId } of old) {
			this.#options.files.remove(runId);
			this.#records.delete(runId);
			this.#options.forget(runId);
		}
	}
}
