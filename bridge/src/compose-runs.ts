import { ApprovalId, artifactContractProblem, type ProviderId, Redaction, type Routing, RunId, type ThreadId } from "@xworkmate/contracts";
import { customAlphabet } from "nanoid";
import { ApprovalBroker, type ApprovalBrokerOptions } from "./approvals/approval-broker.ts";
import type { ApprovalPolicy } from "./approvals/approval-policy.ts";
import { TypedCallPolicy } from "./approvals/typed-call-policy.ts";
import { WaitingCalls } from "./approvals/waiting-calls.ts";
import { CommitLog } from "./log/commit-log.ts";
import type { Provider } from "./ports/agents/provider.ts";
import type { ArtifactStore } from "./ports/artifacts/artifact-store.ts";
import type { Clock } from "./ports/clock.ts";
import type { RunLimits } from "./ports/runs/run-limits.ts";
import type { RunProvider } from "./ports/runs/run-record.ts";
import type { RunService } from "./ports/runs/run-service.ts";
import type { RunAppend } from "./ports/runs/run-store.ts";
import type { RunWorkspace } from "./ports/runs/run-workspace.ts";
import type { CallPolicy } from "./ports/tools/call-policy.ts";
import type { ToolRules } from "./ports/tools/tool-rules.ts";
import { Admission } from "./runs/domain/admission.ts";
import { Attempts } from "./runs/domain/attempts.ts";
import { Changes } from "./runs/engine/changes.ts";
import { Coordinator } from "./runs/engine/coordinator.ts";
import { createRunService } from "./runs/engine/create-run-service.ts";
import { type CheckContract, Collection } from "./runs/engine/files/collection.ts";
import type { LiveRun } from "./runs/engine/live-run.ts";
import { RunLookup } from "./runs/engine/run-lookup.ts";
import { RunProgramLog } from "./runs/engine/run-program-log.ts";
import { Submission } from "./runs/engine/submission.ts";
import { ThreadRemoval } from "./runs/engine/thread-removal.ts";
import { TurnRunner } from "./runs/engine/turn-runner.ts";
import type { BridgeStore } from "./store/bridge-store.ts";

export interface Outside {
	readonly store: Omit<BridgeStore, "processes" | "close">;
	readonly artifactStore: ArtifactStore;
	readonly checkContract: CheckContract;
	readonly workspace: RunWorkspace;
	readonly providers: ReadonlyMap<ProviderId, Provider>;
	/**
	 * The provider that this routing selects.
	 * @throws ContractError from routing
	 */
	readonly resolveRouting: (routing: Routing) => Promise<RunProvider>;
	readonly policy: ApprovalPolicy;
	/** The rules that the user has set for typed tools. Absent: there are none. */
	readonly toolRules?: ToolRules;
	/** See `ApprovalBrokerOptions`. Absent: every tool is accepted. */
	readonly versionState?: ApprovalBrokerOptions["versionState"];
	readonly clock: Clock;
	readonly limits: RunLimits;
	/** Hides the known secrets in receipts and in what is shown about calls. */
	readonly redaction?: Redaction;
	readonly beforeRun?: () => void;
	/** Called before the records of a run are deleted; settles once the deletion is recorded elsewhere. */
	readonly noteRemoved?: (runId: RunId) => Promise<void>;
	readonly onError: (error: unknown, runId?: RunId) => void;
	/** Called when a run waits for the user without a process: everything about it is in the log. */
	readonly onPark?: (runId: RunId) => void;
	/** Called when the disk is full and every run waits. */
	readonly onDiskFull: (error: unknown) => void;
	/** Called when there is space again, after `waitedMs` milliseconds. */
	readonly onDiskSpace: (waitedMs: number) => void;
	/** Called when the log cannot be written: the process must end. */
	readonly onFatal: (error: unknown) => void;
}

/** The composed core. */
export interface Runs {
	readonly service: RunService;
	readonly coordinator: Coordinator;
	readonly admission: Admission;
	readonly log: CommitLog<RunId, RunAppend>;
	readonly removal: ThreadRemoval;
	/**
	 * Prevents new turns in a thread, for the given reason.
	 * @throws ContractError THREAD_BUSY if the thread is already locked
	 */
	readonly lockThread: (threadId: ThreadId, detail: string) => Disposable;
	readonly broker: ApprovalBroker;
	readonly changes: Changes;
	/** Decides which typed calls may start. */
	readonly callPolicy: CallPolicy;
}

const noRules: ToolRules = { ruleOf: () => undefined, version: "none" };

/** How long writes to a failing store are retried. */
const RETRY_FOR_MS = 30_000;
// Lower case only: ids are used as folder names, also on disks that ignore case.
const mintId = customAlphabet("0123456789abcdefghijklmnopqrstuvwxyz", 20);

/** Builds the core from its dependencies. */
export function composeRuns(outside: Outside): Runs {
	const { store, artifactStore, checkContract, workspace, providers, resolveRouting, policy, clock, limits, onError } = outside;
	const { runs, approvals, artifacts, sessions, deletion, steps } = store;
	const log = new CommitLog(store.log, {
		retryForMs: RETRY_FOR_MS,
		answerMs: limits.diskAnswerMs,
		gatherMs: limits.gatherMs,
		onFatal: outside.onFatal,
		onRetry: (error) => onError(error),
		onFull: outside.onDiskFull,
		onSpace: outside.onDiskSpace,
	});
	const admission = new Admission(limits);
	const lookup = new RunLookup(runs, store.log, clock, (runId) => admission.placeOf(runId));
	const newApprovalId = () => ApprovalId.parse(`apr-${mintId()}`);
	const { windowSeconds } = limits;
	const streamOf = (runId: RunId) => lookup.live(runId);
	const waiting = new WaitingCalls(clock, streamOf);
	const { toolRules = noRules, versionState = () => "accepted" } = outside;
	const { redaction = new Redaction([]) } = outside;
	const broker = new ApprovalBroker({
		isForbidden: (toolId) => toolRules.ruleOf(toolId) === "deny",
		...{ approvals, steps, waiting, versionState, streamOf, clock, newApprovalId, policy, windowSeconds, redaction },
		// A getter, because the settings may change it.
		get approvalMs() {
			return limits.approvalMs;
		},
	});
	const callPolicy = new TypedCallPolicy({
		rules: toolRules,
		windowOf: (threadId, tool) => broker.windowOf(threadId, tool),
		isRevoked: (approvalId) => broker.isRevoked(approvalId),
		waiting: () => waiting.count,
	});
	const attempts = new Attempts(store.attempts, onError);
	const collection = new Collection(store.log, artifactStore, checkContract, clock, limits.collectMs);
	const newProgramLog = (run: LiveRun) => new RunProgramLog(run, { log: store.log, steps, broker, redaction });
	const parts = { clock, lookup, workspace, limits, attempts, onError };
	const newRunner = (run: LiveRun, wasAlone: () => boolean) => {
		outside.beforeRun?.();
		return new TurnRunner(run, { ...parts, collection, broker, sessions, artifacts, newProgramLog, redaction, wasAlone });
	};
	const { onPark = () => undefined } = outside;
	const coordinator = new Coordinator({ ...parts, runs, providers, log, admission, waiting, steps, newRunner, onPark });
	const { submit } = new Submission({
		log,
		store: store.log,
		runs,
		sessions,
		workspace,
		lookup,
		admission,
		coordinator,
		clock,
		get runBudgetMs() {
			return limits.runBudgetMs;
		},
		resolveRouting,
		providers,
		contractProblem: artifactContractProblem,
		newRunId: () => RunId.parse(`run-${mintId()}`),
	});
	const noteRemoved = outside.noteRemoved ?? (() => Promise.resolve());
	const removal = new ThreadRemoval({ deletion, sessions, artifactStore, workspace, lookup, providers, noteRemoved, onError });
	const changes = new Changes(store.changes, log);
	const service = createRunService({
		log,
		readFrames: store.log.readFrames,
		submit,
		runs,
		approvals,
		changes,
		sessions,
		providers,
		lookup,
		broker,
		coordinator,
		removal,
		workspace,
	});
	const lockThread = (threadId: ThreadId, detail: string) => lookup.lock(threadId, detail);
	return { service, coordinator, admission, log, removal, broker, changes, callPolicy, lockThread };
}
