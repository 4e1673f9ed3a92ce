import { artifactScope, ContractError, type RunId, type SubmitParams } from "@xworkmate/contracts";
import { LiveRun } from "../../log/live-run.ts";
import { timestamp } from "../../ports/clock.ts";
import type { RunInput, RunProvider, RunRecord } from "../../ports/run-record.ts";
import { type SubmitMethod, sessionForTurn } from "../../sessions/session-rules.ts";
import { artifactContractOf, inputHash } from "../domain/idempotency.ts";
import { initialState } from "../domain/run-state.ts";
import type { Coordinator } from "./coordinator.ts";
import type { CoreParts } from "./core-parts.ts";
import type { RunServiceDeps } from "./create-run-service.ts";

type Shared = Pick<CoreParts, "store" | "sessions" | "workspace" | "clock" | "limits" | "log" | "lookup" | "admission">;

export interface SubmissionDeps extends Shared, Pick<RunServiceDeps, "resolveRouting" | "newRunId" | "contractProblem"> {
	readonly coordinator: Coordinator;
}

/** Accepts turns: the same turn is the same run, and the intent is durable before anything happens. */
export class Submission {
	readonly #deps: SubmissionDeps;

	constructor(deps: SubmissionDeps) {
		this.#deps = deps;
	}

	async submit(method: SubmitMethod, params: SubmitParams): Promise<RunRecord> {
		const { store, sessions, clock, admission, workspace, newRunId, resolveRouting } = this.#deps;
		const known = await store.findTurn(params.threadId, params.turnId);
		if (known !== undefined) return sameInput(known, params);
		this.#refuseContract(params);
		const provider = await resolveRouting(params.routing);
		using place = admission.reserve(params.threadId, provider.target);
		const now = timestamp(clock.now());
		await sessionForTurn(sessions, method, { threadId: params.threadId, sessionId: params.sessionId, now });
		const runId = newRunId();
		// A gateway works on its own machine; here is only where its files arrive.
		const directory = provider.target === "gateway" ? {} : await workspace.choose(params.workingDirectory);
		try {
			await workspace.storeAttachments(runId, params.attachments ?? []);
			return await this.#insert({ ...this.#record(method, params, provider, runId), ...directory }, params, place);
		} catch (error) {
			// A full disk refuses in the middle: what is there already takes the room that others wait for.
			await workspace.removeInputs(runId);
			throw error;
		}
	}

	/** @throws ContractError INVALID_PARAMS: a contract that no run can honor must not cost one. */
	#refuseContract(params: SubmitParams): void {
		const problem = this.#deps.contractProblem(artifactContractOf(params));
		if (problem === undefined) return;
		const field = "metadata.xworkmateTaskArtifactContract";
		throw new ContractError("INVALID_PARAMS", { detail: `${field}.${problem}` });
	}

	async #insert(record: RunRecord, params: SubmitParams, place: Disposable): Promise<RunRecord> {
		const { store, log, clock, lookup, workspace, coordinator } = this.#deps;
		const run = new LiveRun(record, initialState, log, clock);
		const append = run.first();
		lookup.assertUnlocked(record.threadId);
		const result = await store.insertRun(record, append);
		if (!result.inserted) {
			await workspace.removeInputs(record.runId);
			return sameInput(result.existing, params);
		}
		run.committed(append);
		lookup.add(run);
		log.announce(record.runId, append.events);
		place[Symbol.dispose]();
		coordinator.enqueue(run);
		return record;
	}

	#record(method: SubmitMethod, params: SubmitParams, provider: RunProvider, runId: RunId): RunRecord {
		const { clock, limits } = this.#deps;
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
			budgetMs: limits.runBudgetMs,
		};
	}
}

function sameInput(record: RunRecord, params: SubmitParams): RunRecord {
	if (record.inputHash === inputHash(params)) return record;
	throw new ContractError("TURN_CONFLICT", { detail: `This message was already sent with different text, as run ${record.runId}.` });
}

function toInput(method: SubmitMethod, params: SubmitParams): RunInput {
	const { prompt, workspaceContext, workingDirectory, remoteWorkingDirectoryHint } = params;
	return {
		prompt,
		...(workspaceContext === undefined ? {} : { workspaceContext }),
		...(workingDirectory === undefined ? {} : { workingDirectory }),
		...(remoteWorkingDirectoryHint === undefined ? {} : { remoteWorkingDirectoryHint }),
		artifactContract: artifactContractOf(params),
		attachments: (params.attachments ?? []).map(({ base64: _bytes, ...stored }) => stored),
		fresh: method === "session.start",
	};
}
