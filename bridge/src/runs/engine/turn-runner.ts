import { omitUndefined, type Redaction, type RejectedArtifact, type RunId } from "@xworkmate/contracts";
import type { ApprovalBroker } from "../../approvals/approval-broker.ts";
import type { Parked, Provider, ProviderTurn } from "../../ports/agents/provider.ts";
import type { ArtifactIndex } from "../../ports/artifacts/artifact-index.ts";
import { afterAwake, type Clock } from "../../ports/clock.ts";
import { isDiskFull } from "../../ports/disk-full.ts";
import type { ProgramLog } from "../../ports/programs/program-log.ts";
import type { ProviderOutcome } from "../../ports/runs/run-event.ts";
import type { RunLimits } from "../../ports/runs/run-limits.ts";
import type { PreparedWorkspace, RunWorkspace } from "../../ports/runs/run-workspace.ts";
import type { SessionStore } from "../../ports/runs/session-store.ts";
import type { Attempts } from "../domain/attempts.ts";
import { isOver } from "../domain/run-state.ts";
import { answererOf } from "./answerer-of.ts";
import { goesOn } from "./continuation.ts";
import { Deadline } from "./deadline.ts";
import { effectiveOutcome, interruption, type StopReason, stopReason } from "./effective-outcome.ts";
import { failureMessage } from "./failure-message.ts";
import type { Collection } from "./files/collection.ts";
import { type Fetched, fetchFiles } from "./files/fetch-files.ts";
import { previousArtifacts } from "./files/previous-artifacts.ts";
import type { LiveRun } from "./live-run.ts";
import { toProviderTurn } from "./provider-turn.ts";
import type { RunLookup } from "./run-lookup.ts";
import { sealRun } from "./seal-run.ts";
import { RunTurnSink } from "./turn-sink.ts";
import { whenSpace } from "./when-space.ts";
import { leaveWorkspace, whereItWrote } from "./where-it-wrote.ts";

export interface TurnRunnerDeps {
	readonly collection: Collection;
	readonly redaction: Redaction;
	readonly artifacts: ArtifactIndex;
	readonly sessions: SessionStore;
	readonly lookup: RunLookup;
	readonly broker: ApprovalBroker;
	readonly workspace: RunWorkspace;
	readonly attempts: Attempts;
	readonly clock: Clock;
	readonly limits: RunLimits;
	readonly newProgramLog: (run: LiveRun) => ProgramLog;
	/** True if no other run was active during this one. */
	readonly wasAlone: () => boolean;
	readonly onError: (error: unknown, runId: RunId) => void;
}

const NO_SPACE = "The disk is full, so the run could not start, or what it produced could not be saved.";

/**
 * How a run is driven. `start`: it is new. `start_again`: its bridge ended before anything reached the provider. `take_up`: an earlier
 * bridge began its turn, or this bridge did before the run was parked. `seal`: its provider has ended, so it is only sealed.
 */
export type DriveMode = "start" | "start_again" | "take_up" | "seal";

/** Takes one run from its start to its terminal event. Every stage that takes time is logged before it begins. */
export class TurnRunner {
	readonly run: LiveRun;
	readonly #deps: TurnRunnerDeps;
	readonly #fault = (error: unknown): void => this.#deps.onError(error, this.run.runId);
	readonly #stop = new AbortController();
	/** Resolved when the provider's time to stop is over. This ends only the wait for the turn; the run then ends as `#land` decides. */
	readonly #abandoned = Promise.withResolvers<"abandoned">();
	/** Resolved when the bridge stops and leaves the turn, or the fetching of its files, to the next bridge. */
	readonly #detaching = Promise.withResolvers<"detached">();
	#provider: Provider | undefined;
	readonly #suspend = new AbortController();
	#waiting: number | undefined;
	#isFetching = false;
	#reason: StopReason | undefined;
	#deadline: Deadline | undefined;
	#confirmTimer: Disposable | undefined;
	readonly #graceTimers: Disposable[] = [];
	#provenTimer: Disposable | undefined;

	constructor(run: LiveRun, deps: TurnRunnerDeps) {
		this.run = run;
		this.#deps = deps;
	}

	/** How many of the run's calls have no answer, if its turn was parked. */
	get waiting(): number | undefined {
		return this.#waiting;
	}

	/** Drives the run to its end, or until the bridge stops or the turn is parked. Never rejects: errors become its outcome. */
	async drive(mode: DriveMode, provider: Provider | undefined): Promise<void> {
		try {
			this.#provider = provider;
			if (mode === "seal") await this.#seal(await this.#deps.workspace.locate(this.run.record), []);
			else if (provider === undefined) await this.#refuse();
			else if (await this.#begin(mode, provider)) await this.#execute(provider, mode);
		} catch (error) {
			await this.#fail(error);
		} finally {
			this.#deps.attempts.close(this.run.runId);
			for (const timer of [this.#provenTimer, this.#confirmTimer, ...this.#graceTimers]) timer?.[Symbol.dispose]();
		}
	}

	/** Stops the turn at the user's request; the intent is already in the log. */
	cancel(): void {
		this.#request("cancel");
		this.#confirmTimer ??= this.#after(this.#deps.limits.cancelConfirmMs, () => {
			if (this.#deadline === undefined) this.run.dispatch({ type: "shorten_deadline" });
			else this.#deadline.shorten();
		});
	}

	/**
	 * Called when the bridge is stopping: the run gets `graceMs` to end, after which its outcome is unknown. A turn that continues without
	 * this bridge, or that the next bridge can repeat, is left to the next bridge.
	 */
	shutdown(graceMs: number): void {
		if (this.#provider?.resumable === true || this.#isFetching) {
			this.#detaching.resolve("detached");
			return;
		}
		if (this.#provider !== undefined && goesOn(this.#provider, this.run.state) && this.#reason === undefined) {
			this.#suspend.abort();
			this.#graceTimers.push(this.#after(graceMs, () => this.#detaching.resolve("detached")));
			return;
		}
		this.#request("shutdown");
		this.#abandonAfter(graceMs);
	}

	/** False if there is nothing to execute: the run has already ended. */
	async #begin(mode: Exclude<DriveMode, "seal">, provider: Provider): Promise<boolean> {
		const { run } = this;
		const { budgetMs } = run.record;
		if (mode === "start") {
			// Has no effect on a run whose start was written with its intent.
			run.dispatch({ type: "start", budgetMs });
			return !isOver(run.state);
		}
		run.dispatch(mode === "start_again" ? { type: "start_again", budgetMs } : { type: "take_up" });
		if (mode === "take_up" && provider.durable !== undefined) await this.#deps.workspace.empty(run.record);
		if (run.state.cancelRequestedAt !== undefined) this.cancel();
		return true;
	}

	async #refuse(): Promise<void> {
		const message = `This run was queued for the agent ${this.run.record.provider.providerId}, which is no longer set up.`;
		this.run.dispatch({ type: "fail", code: "PROVIDER_NOT_FOUND", message });
		await this.run.durable();
	}

	async #execute(provider: Provider, mode: DriveMode): Promise<void> {
		const { run } = this;
		const { clock, limits } = this.#deps;
		await run.durable();
		await this.#attempt(provider);
		const workspace = await this.#prepare(mode === "take_up");
		if (!run.state.handedOver) this.#note(workspace);
		using deadline = new Deadline(run, clock, () => {
			this.#request("deadline");
			this.#abandonAfter(limits.deadlineGraceMs);
		});
		this.#deadline = deadline;
		const sink = this.#sink();
		const turn = await this.#turn(workspace);
		const outcome = await this.#provide(provider, turn, sink);
		if (outcome === "detached") return;
		// The call is awaited here, because the deadline is watched until this function returns.
		if (outcome === "abandoned" || outcome.kind !== "parked") return await this.#land(outcome, workspace, sink.rejected);
		await run.durable();
		this.#waiting = outcome.waiting;
	}

	/** Records the attempt before the phase that could crash the bridge. */
	async #attempt(provider: Provider): Promise<void> {
		const { attempts, limits } = this.#deps;
		await attempts.open(this.run.runId);
		// A provider that does not report when its runtime has the turn may be silent for hours without being at fault.
		if (provider.handsOver === undefined) this.#provenTimer = this.#after(limits.provenMs, () => attempts.close(this.run.runId));
	}

	async #provide(provider: Provider, turn: ProviderTurn, sink: RunTurnSink): Promise<ProviderOutcome | Parked | "abandoned" | "detached"> {
		// An earlier bridge may have begun a remote turn, and only the turn's runtime can confirm that it stopped.
		if (this.#stop.signal.aborted && provider.resumable === undefined) return { kind: "cancelled", remote: false };
		return Promise.race([provider.runTurn(turn, sink, this.#stop.signal), this.#abandoned.promise, this.#detaching.promise]);
	}

	async #land(outcome: ProviderOutcome | "abandoned", workspace: PreparedWorkspace, rejected: readonly RejectedArtifact[]): Promise<void> {
		const landed = effectiveOutcome(outcome, this.#reason, this.run.state, this.#deps.limits.runLogBytes);
		if (landed === undefined) return this.#interrupt();
		this.run.dispatch({ type: "end_provider", outcome: landed });
		// A run that may have left changes isn't sealed here, because recording the changes takes time.
		const hasWorkedHere = landed.kind === "ended" && this.#provider?.fetchArtifacts === undefined;
		const leavesNothing = hasWorkedHere && this.#deps.workspace.leavesNothing(this.run.record, workspace);
		const nothing = leavesNothing && this.#deps.collection.ofEmptyScope(this.run, workspace, rejected);
		// Unless files that the answer names have to be looked for, no slow or risky work remains, so the provider's end and the run's end are
		// written in one commit.
		if (nothing) return sealRun(this.run, nothing, this.#deps.collection, workspace, this.#provider);
		await this.run.durable();
		await this.#seal(workspace, rejected);
	}

	async #interrupt(): Promise<void> {
		const { code, message } = interruption(this.#reason, this.run.state);
		const how = await whereItWrote(this.run, message, this.#deps.workspace, this.#fault);
		this.run.dispatch({ type: "interrupt", code, ...how, answerer: answererOf(this.run.record, this.#provider) });
		await this.run.durable();
	}

	async #seal(workspace: PreparedWorkspace, refused: readonly RejectedArtifact[]): Promise<void> {
		const { run } = this;
		const rejected = [...refused];
		this.#provenTimer?.[Symbol.dispose]();
		await this.#deps.attempts.open(run.runId);
		const fetched = await this.#fetch(workspace.artifactDirectory);
		if (fetched === "detached") return;
		const edits = await leaveWorkspace(run, this.#deps.workspace, this.#fault);
		const { loss } = fetched;
		rejected.push(...fetched.rejected);
		const { collection, wasAlone } = this.#deps;
		const collected = await this.#whenRoom(() => collection.collect(run, workspace, rejected, wasAlone()));
		await sealRun(run, collected, collection, workspace, this.#provider, { edits, loss });
	}

	/** Fetches the files of a remote turn. If the bridge stops before all of them have arrived, the next bridge fetches them. */
	async #fetch(artifactDirectory: string): Promise<Fetched | "detached"> {
		const { sessions, clock, limits } = this.#deps;
		const bound = { clock, boundMs: limits.bringMs };
		const fetching = this.#whenRoom(() => fetchFiles(this.run, this.#provider, artifactDirectory, sessions, bound));
		this.#isFetching = true;
		try {
			return await Promise.race([fetching, this.#detaching.promise]);
		} finally {
			this.#isFetching = false;
		}
	}

	/** Prepares the workspace. The provider is called after this, so a full disk only delays the run, up to its deadline. */
	#prepare(isBegun: boolean): Promise<PreparedWorkspace> {
		const { record, state } = this.run;
		const until = Date.parse(state.deadlineAt ?? record.createdAt);
		const { clock, workspace } = this.#deps;
		const givesUp = () => this.#stop.signal.aborted || clock.now() >= until;
		return whenSpace(this.run, clock, givesUp, () => workspace.prepare(record, isBegun));
	}

	/** Retries, so that a briefly full disk does not destroy a run's results. The retries are limited, because the results may never fit. */
	#whenRoom<T>(work: () => Promise<T>): Promise<T> {
		const { clock, limits } = this.#deps;
		const until = clock.now() + limits.diskWaitMs;
		return whenSpace(this.run, clock, () => clock.now() >= until, work);
	}

	async #fail(error: unknown): Promise<void> {
		this.#deps.onError(error, this.run.runId);
		const edits = await leaveWorkspace(this.run, this.#deps.workspace, this.#fault);
		const known = { answerer: answererOf(this.run.record, this.#provider), ...omitUndefined({ edits }) };
		if (isDiskFull(error)) this.run.dispatch({ type: "fail", code: "DISK_FULL", message: NO_SPACE, ...known });
		else this.run.dispatch({ type: "fail", message: failureMessage(error), ...known });
		await this.run.durable();
	}

	#sink(): RunTurnSink {
		const { broker, sessions, limits, redaction } = this.#deps;
		const onFlood = () => {
			this.#request("log_limit");
			this.#abandonAfter(limits.deadlineGraceMs);
		};
		const onHandedOver = () => this.#deps.attempts.close(this.run.runId);
		const program = this.#provider?.durable !== undefined ? this.#deps.newProgramLog(this.run) : undefined;
		return new RunTurnSink({
			...{ run: this.run, broker, sessions, program, runLogBytes: limits.runLogBytes },
			...{ redaction, onFlood, onHandedOver },
		});
	}

	async #turn(workspace: PreparedWorkspace): Promise<ProviderTurn> {
		const { threadId, provider, input } = this.run.record;
		const { artifacts, sessions, lookup } = this.#deps;
		const earlier = await previousArtifacts(threadId, artifacts, lookup, this.#deps.workspace);
		const session = input.fresh ? undefined : await sessions.providerSession(threadId, provider.providerId);
		const conversation = this.#provider?.readsConversation && (await lookup.earlierTurns(this.run.record));
		return { ...toProviderTurn(this.run, workspace, earlier, session, conversation), suspend: this.#suspend.signal };
	}

	#note({ notices }: PreparedWorkspace): void {
		for (const { code, message } of notices) {
			this.run.dispatch({ type: "say", update: { kind: "notice", level: "warning", code, message } });
		}
	}

	#request(reason: StopReason): void {
		this.#reason = stopReason(this.#reason, reason);
		this.#stop.abort();
	}

	/** Of several waits, the one that ends first counts: a bridge that stops may wait less long than a deadline allows. */
	#abandonAfter(graceMs: number): void {
		this.#graceTimers.push(this.#after(graceMs, () => this.#abandoned.resolve("abandoned")));
	}

	#after(milliseconds: number, act: () => void): Disposable {
		return afterAwake(this.#deps.clock, milliseconds, act);
	}
}
