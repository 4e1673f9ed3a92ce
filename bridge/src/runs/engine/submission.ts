import {
	type ArtifactContract,
	type AssistantMetadata,
	artifactScope,
	ContractError,
	omitUndefined,
	type ProviderId,
	type Routing,
	type RunId,
	type SubmitParams,
} from "@xworkmate/contracts";
import type { CommitLog } from "../../log/commit-log.ts";
import type { Provider } from "../../ports/agents/provider.ts";
import { type Clock, timestamp } from "../../ports/clock.ts";
import type { RunInput, RunProvider, RunRecord } from "../../ports/runs/run-record.ts";
import type { RunService } from "../../ports/runs/run-service.ts";
import type { RunAppend, RunLogStore, RunStore } from "../../ports/runs/run-store.ts";
import type { DirectoryChoice, RunWorkspace } from "../../ports/runs/run-workspace.ts";
import type { SessionStore } from "../../ports/runs/session-store.ts";
import { type SubmitMethod, sessionForTurn } from "../../sessions/session-rules.ts";
import type { Admission } from "../domain/admission.ts";
import { artifactContractOf, inputHash } from "../domain/idempotency.ts";
import { runRules } from "../domain/run-rules.ts";
import { checkToolRules } from "./check-tool-rules.ts";
import type { Coordinator } from "./coordinator.ts";
import { LiveRun } from "./live-run.ts";
import type { RunLookup } from "./run-lookup.ts";

export interface SubmissionDeps {
	readonly log: CommitLog<RunId, RunAppend>;
	readonly store: RunLogStore;
	readonly runs: RunStore;
	readonly sessions: SessionStore;
	readonly workspace: RunWorkspace;
	readonly lookup: RunLookup;
	readonly admission: Admission;
	readonly coordinator: Coordinator;
	readonly clock: Clock;
	readonly runBudgetMs: number;
	/**
	 * The provider that would run this routing, with the account if one is requested.
	 * @throws ContractError from routing
	 */
	readonly resolveRouting: (routing: Routing, account?: string) => Promise<RunProvider>;
	readonly providers: ReadonlyMap<ProviderId, Pick<Provider, "label" | "toolCatalogue">>;
	/** Why no run can honor a contract; undefined if one can. */
	readonly contractProblem: (contract: ArtifactContract) => string | undefined;
	readonly newRunId: () => RunId;
}

/** Accepts turns. A repeated turn gets the run that it already has, and the intent is durable before the run begins. */
export class Submission {
	readonly #deps: SubmissionDeps;

	constructor(deps: SubmissionDeps) {
		this.#deps = deps;
	}

	readonly submit: RunService["submit"] = async (method, params) => {
		const { runs, sessions, clock, admission, workspace, newRunId, resolveRouting } = this.#deps;
		const known = await runs.findTurn(params.threadId, params.turnId);
		if (known !== undefined) return sameInput(known, params);
		this.#refuseContract(params);
		const { authProfile, toolPolicy } = params.metadata?.xworkmateAssistant ?? {};
		const provider = await resolveRouting(params.routing, authProfile);
		await this.#checkToolRules(provider, toolPolicy);
		using place = admission.reserve(params.threadId, provider.target);
		const now = timestamp(clock.now());
		const directory = await this.#chooseDirectory(params, provider);
		await sessionForTurn(sessions, method, { threadId: params.threadId, sessionId: params.sessionId, now });
		const runId = newRunId();
		try {
			await workspace.storeAttachments(runId, params.attachments ?? []);
			return await this.#insert({ ...this.#record(method, params, provider, runId), ...directory }, params, place);
		} catch (error) {
			// Removes a partial copy: if the disk filled up while copying, it would take up space that other runs are waiting for.
			await workspace.removeInputs(runId);
			throw error;
		}
	};

	/**
	 * Refuses a contract that no run can honor, before a run is started for it.
	 * @throws ContractError INVALID_PARAMS
	 */
	#refuseContract(params: SubmitParams): void {
		const problem = this.#deps.contractProblem(artifactContractOf(params));
		if (problem === undefined) return;
		const field = "metadata.xworkmateTaskArtifactContract";
		throw new ContractError("INVALID_PARAMS", { detail: `${field}.${problem}` });
	}

	/** @throws ContractError as checkToolRules */
	async #checkToolRules({ providerId }: RunProvider, rules: AssistantMetadata["toolPolicy"]): Promise<void> {
		const provider = this.#deps.providers.get(providerId);
		if (provider !== undefined) await checkToolRules(provider, rules);
	}

	/** @throws ContractError WORKING_DIRECTORY_REFUSED */
	async #chooseDirectory(params: SubmitParams, { target }: RunProvider): Promise<DirectoryChoice> {
		const { workingDirectory, workingDirectoryRequired, worktree, threadId } = params;
		if (worktree && target === "gateway") {
			const detail = "OpenClaw works in its own folders, so the thread can't have a worktree.";
			throw new ContractError("WORKING_DIRECTORY_REFUSED", { detail, fix: "Choose another agent, or run the thread without a worktree." });
		}
		// No folder is chosen for a gateway, because it works in its own folders, and only the files that it delivers arrive here.
		const worktreeOf = worktree ? threadId : undefined;
		const chosen = target === "gateway" ? {} : await this.#deps.workspace.choose(workingDirectory, worktreeOf);
		if (workingDirectoryRequired !== true || chosen.projectDirectory !== undefined) return chosen;
		const refused = (why: string, fix?: string) =>
			new ContractError("WORKING_DIRECTORY_REFUSED", {
				detail: `${workingDirectory ?? "The folder"} can't be used: ${why}`,
				...omitUndefined({ fix }),
			});
		if (target === "gateway") throw refused("OpenClaw chooses its own working folder", "Leave out the folder.");
		if (chosen.directoryRefused !== undefined) throw refused(chosen.directoryRefused);
		throw refused("workingDirectory is missing", "Name a folder in workingDirectory, or leave out workingDirectoryRequired.");
	}

	async #insert(record: RunRecord, params: SubmitParams, place: Disposable): Promise<RunRecord> {
		const { store, log, clock, lookup, workspace, coordinator } = this.#deps;
		const run = new LiveRun(record, runRules.initial, log, clock);
		const isAdmitted = await coordinator.admit(run);
		using refused = new DisposableStack();
		if (isAdmitted) refused.defer(() => coordinator.dismiss(record.runId));
		lookup.assertUnlocked(record.threadId);
		const start = isAdmitted ? [{ type: "start", budgetMs: record.budgetMs } as const] : [];
		const append = run.first({ type: "accept" }, ...start);
		const result = await store.insertRun(record, append);
		if (!result.inserted) {
			await workspace.removeInputs(record.runId);
			return sameInput(result.existing, params);
		}
		refused.move();
		run.committed(append);
		lookup.add(run);
		log.announce(record.runId, append.events);
		place[Symbol.dispose]();
		if (isAdmitted) coordinator.begin(run);
		else coordinator.enqueue(run);
		return record;
	}

	#record(method: SubmitMethod, params: SubmitParams, provider: RunProvider, runId: RunId): RunRecord {
		const { clock, runBudgetMs } = this.#deps;
		return {
			runId,
			threadId: params.threadId,
			sessionId: params.sessionId,
			turnId: params.turnId,
			...(params.origin === undefined ? {} : { origin: params.origin }),
			provider,
			artifactScope: artifactScope(params.threadId, runId),
			createdAt: timestamp(clock.now()),
			inputHash: inputHash(params),
			input: toInput(method, params),
			budgetMs: runBudgetMs,
		};
	}
}

function sameInput(record: RunRecord, params: SubmitParams): RunRecord {
	if (record.inputHash === inputHash(params)) return record;
	throw new ContractError("TURN_CONFLICT", { detail: `This message was already sent with different content, as run ${record.runId}.` });
}

function toInput(method: SubmitMethod, params: SubmitParams): RunInput {
	const { prompt, workspaceContext, workingDirectory, worktree, remoteWorkingDirectoryHint } = params;
	return {
		prompt,
		...(workspaceContext === undefined ? {} : { workspaceContext }),
		...(workingDirectory === undefined ? {} : { workingDirectory }),
		...omitUndefined({ worktree }),
		...(remoteWorkingDirectoryHint === undefined ? {} : { remoteWorkingDirectoryHint }),
		artifactContract: artifactContractOf(params),
		...omitUndefined({ assistant: params.metadata?.xworkmateAssistant }),
		attachments: (params.attachments ?? []).map(({ base64: _bytes, ...stored }) => stored),
		fresh: method === "session.start",
	};
}
