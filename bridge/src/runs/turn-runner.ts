import { ContractError, type RejectedArtifact } from "@xworkmate/contracts";
import type { ApprovalDesk } from "../approvals/approval-desk.ts";
import type { Provider, ProviderTurn } from "../providers/provider.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { Clock } from "./clock.ts";
import { type CollectionDeps, collectRun } from "./collection.ts";
import { composePrompt, type EarlierDeliverables } from "./composed-prompt.ts";
import { Deadline } from "./deadline.ts";
import type { LiveRun } from "./live-run.ts";
import type { ProviderOutcome } from "./run-event.ts";
import type { RunLimits } from "./run-limits.ts";
import type { PreparedWorkspace, RunWorkspace } from "./run-workspace.ts";
import { RunTurnSink } from "./turn-sink.ts";

export interface TurnRunnerDeps extends CollectionDeps {
	readonly clock: Clock;
	readonly desk: ApprovalDesk;
	readonly sessions: SessionStore;
	readonly workspace: RunWorkspace;
	readonly limits: RunLimits;
	readonly earlierDeliverables: (run: LiveRun) => Promise<EarlierDeliverables | undefined>;
	/** True when no other run was active while this one ran. */
	readonly wasAlone: (run: LiveRun) => boolean;
	readonly onError: (run: LiveRun, error: unknown) => void;
}

/** Why a turn is being stopped; the first reason stands. */
type StopReason = "cancel" | "deadline" | "shutdown" | "flood";

const interruptions = {
	deadline: { code: "DEADLINE_EXCEEDED", message: "The time for this run was over before it ended; its outcome is not known." },
	shutdown: { code: "BRIDGE_STOPPED", message: "The bridge was stopped while the run was executing; its outcome is not known." },
} as const;

/** One run from its start to its terminal event. Every stage is in the log before it begins. */
export class TurnRunner {
	readonly run: LiveRun;
	readonly #deps: TurnRunnerDeps;
	readonly #stop = new AbortController();
	readonly #abandoned = Promise.withResolvers<"abandoned">();
	#reason: StopReason | undefined;
	#deadline: Deadline | undefined;
	#confirmTimer: NodeJS.Timeout | undefined;
	#graceTimer: NodeJS.Timeout | undefined;

	constructor(run: LiveRun, deps: TurnRunnerDeps) {
		this.run = run;
		this.#deps = deps;
	}

	/** Executes the turn. Never rejects: what goes wrong is the run's outcome. */
	async execute(provider: Provider): Promise<void> {
		try {
			await this.#execute(provider);
		} catch (error) {
			await this.#fail(error);
		} finally {
			clearTimeout(this.#confirmTimer);
			clearTimeout(this.#graceTimer);
			this.#deps.desk.withdraw(this.run);
		}
	}

	/** Goes on with a run whose provider had ended before the bridge did. */
	async resume(): Promise<void> {
		try {
			const workspace = await this.#deps.workspace.locate(this.run.record);
			await this.#seal(workspace, []);
		} catch (error) {
			await this.#fail(error);
		}
	}

	/** The person wants it to stop; the intent is in the log already. */
	cancel(): void {
		this.#request("cancel");
		this.#confirmTimer ??= setTimeout(() => {
			if (this.run.dispatch({ type: "hasten_deadline" })) this.#deadline?.arm();
		}, this.#deps.limits.cancelConfirmMs);
	}

	/** The bridge is stopping: the run gets `graceMs` to end, then its outcome is not known. */
	shutdown(graceMs: number): void {
		this.#reason = "shutdown";
		this.#stop.abort();
		this.#abandonAfter(graceMs);
	}

	async #execute(provider: Provider): Promise<void> {
		const { run } = this;
		const { clock, limits } = this.#deps;
		if (!run.dispatch({ type: "start", budgetMs: run.record.budgetMs })) return;
		await run.durable();
		const workspace = await this.#deps.workspace.prepare(run.record);
		this.#note(workspace);
		using deadline = new Deadline(run, clock, () => {
			this.#request("deadline");
			this.#abandonAfter(limits.deadlineGraceMs);
		});
		this.#deadline = deadline;
		const sink = this.#sink();
		const turn = await this.#turn(workspace);
		const outcome = await this.#provide(provider, turn, sink);
		await this.#land(outcome, workspace, sink.rejected);
	}

	async #provide(provider: Provider, turn: ProviderTurn, sink: RunTurnSink): Promise<ProviderOutcome | "abandoned"> {
		if (this.#stop.signal.aborted) return { kind: "cancelled", remote: false };
		return Promise.race([provider.runTurn(turn, sink, this.#stop.signal), this.#abandoned.promise]);
	}

	async #land(outcome: ProviderOutcome | "abandoned", workspace: PreparedWorkspace, rejected: readonly RejectedArtifact[]): Promise<void> {
		const landed = this.#interpret(outcome);
		if (landed === undefined) return this.#interrupt();
		this.run.dispatch({ type: "end_provider", outcome: landed });
		await this.run.durable();
		this.#deps.desk.withdraw(this.run);
		await this.#seal(workspace, rejected);
	}

	/** What counts of how the provider ended, given why it was stopped; undefined = the outcome cannot be known. */
	#interpret(outcome: ProviderOutcome | "abandoned"): ProviderOutcome | undefined {
		if (this.#reason === "flood") {
			const bytes = this.#deps.limits.runLogBytes;
			return { kind: "failed", code: "LIMIT_EXCEEDED", message: `The run said more than its log may hold (${bytes} bytes).` };
		}
		if (outcome === "abandoned") return undefined;
		if (outcome.kind === "ended") return outcome;
		const cancelled = this.run.state.cancelRequestedAt !== undefined;
		if (cancelled) return outcome.kind === "cancelled" ? outcome : { kind: "cancelled", remote: false };
		return this.#reason === "deadline" || this.#reason === "shutdown" ? undefined : outcome;
	}

	async #interrupt(): Promise<void> {
		const { code, message } = this.#reason === "shutdown" ? interruptions.shutdown : interruptions.deadline;
		this.run.dispatch({ type: "interrupt", code, message });
		await this.run.durable();
	}

	async #seal(workspace: PreparedWorkspace, rejected: readonly RejectedArtifact[]): Promise<void> {
		const { run } = this;
		const { items, summary, breach } = await collectRun(this.#deps, run, workspace, rejected, this.#deps.wasAlone(run));
		run.dispatch({ type: "accept_artifacts", artifacts: summary });
		run.dispatch({ type: "show_progress", progress: { stage: "sealing" } });
		run.accept(items);
		const { provider } = run.record;
		run.dispatch({ type: "conclude", provider, ...(breach === undefined ? {} : { breach }) });
		await run.durable();
	}

	async #fail(error: unknown): Promise<void> {
		this.#deps.onError(this.run, error);
		const message = error instanceof ContractError ? error.message : "The bridge could not carry the run out; its log has the cause.";
		this.run.dispatch({ type: "fail", message });
		await this.run.durable();
	}

	#sink(): RunTurnSink {
		const { desk, sessions, limits } = this.#deps;
		const onFlood = () => {
			this.#request("flood");
			this.#abandonAfter(limits.deadlineGraceMs);
		};
		return new RunTurnSink({ run: this.run, desk, sessions, runLogBytes: limits.runLogBytes, onFlood });
	}

	async #turn(workspace: PreparedWorkspace): Promise<ProviderTurn> {
		const { record } = this.run;
		const earlier = await this.#deps.earlierDeliverables(this.run);
		const stored = record.input.fresh ? undefined : await this.#deps.sessions.providerSession(record.threadId, record.provider.providerId);
		const { model } = record.provider;
		return {
			runId: record.runId,
			threadId: record.threadId,
			sessionId: record.sessionId,
			turnId: record.turnId,
			prompt: record.input.prompt,
			composedPrompt: composePrompt(record.input, workspace.artifactDirectory, earlier),
			...(model === undefined ? {} : { model }),
			artifactScope: record.artifactScope,
			artifactDirectory: workspace.artifactDirectory,
			workingDirectory: workspace.workingDirectory,
			attachments: workspace.attachments,
			...(stored === undefined ? {} : { session: stored }),
		};
	}

	#note({ notices }: PreparedWorkspace): void {
		for (const { code, message } of notices) {
			this.run.dispatch({ type: "say", update: { kind: "notice", level: "warning", code, message } });
		}
	}

	#request(reason: StopReason): void {
		this.#reason ??= reason;
		this.#stop.abort();
	}

	#abandonAfter(graceMs: number): void {
		this.#graceTimer ??= setTimeout(() => this.#abandoned.resolve("abandoned"), graceMs);
	}
}
