import { ContractError, PlanId, type RunId, type TaskInput, type TaskSummary, type ThreadId } from "@xworkmate/contracts";
import type { BridgeClient } from "../bridge-client/index.ts";
import { findTurn, type ThreadStore, type TurnKey, type TurnRequest } from "../threads/index.ts";
import type { ThreadDeletion } from "../threads/thread-deletion.ts";
import { type ThreadRepository, timestamp } from "../threads/thread-repository.ts";
import { bridgeOfTurn } from "./bridge-of-turn.ts";
import { titleOf } from "./compose-turn.ts";
import type { PartialSyncs } from "./partial-syncs.ts";

export interface AdoptionParts {
	readonly store: ThreadStore;
	readonly repository: ThreadRepository;
	readonly client: Pick<BridgeClient, "call">;
	/** The address of a bridge elsewhere; undefined if the app asks the bridge of its own home. */
	readonly bridgeUrl: string | undefined;
	readonly deletion: Pick<ThreadDeletion, "isDeleting">;
	readonly partials: Pick<PartialSyncs, "leave">;
	/** Follows the run to its end. */
	readonly carryOn: (key: TurnKey) => void;
}

/**
 * Creates turns for runs that this app did not start, or no longer knows because its database was restored
 * (docs/protocol.md#runs-started-elsewhere). A run whose thread is busy waits here until the thread is ready.
 */
export class Adoption {
	readonly #parts: AdoptionParts;
	readonly #waiting = new Map<RunId, TaskSummary>();

	constructor(parts: AdoptionParts) {
		this.#parts = parts;
	}

	/** True if the app is keeping a run that is not on disk yet, so that the run has to be reported again at the next start. */
	get isWaiting(): boolean {
		return this.#waiting.size > 0;
	}

	/**
	 * Adopts the run, unless it is already known or does not belong to this app.
	 * @throws as BridgeClient.call
	 */
	async see(run: TaskSummary, signal: AbortSignal): Promise<void> {
		if (!this.#concerns(run)) return void this.#waiting.delete(run.runId);
		// The run is kept here until it has been adopted, so that a failure in between does not lose it.
		this.#waiting.set(run.runId, run);
		if (!this.#isBusy(run.threadId)) await this.#adopt(run, signal);
	}

	/**
	 * Retries waiting runs, after a thread was written or when the bridge is reachable again.
	 * @throws as BridgeClient.call
	 */
	async retry(signal: AbortSignal): Promise<void> {
		for (const run of [...this.#waiting.values()]) await this.see(run, signal);
	}

	async #adopt(run: TaskSummary, signal: AbortSignal): Promise<void> {
		const input = await this.#input(run.runId, signal);
		const title = input && (await this.#title(run, input, signal));
		await this.#parts.partials.leave(run.threadId);
		// The query took a moment, so the thread may have begun its own turn since then.
		if (input !== undefined && title !== undefined && this.#concerns(run)) {
			if (this.#isBusy(run.threadId)) return;
			this.#write(run, input, title);
		}
		this.#waiting.delete(run.runId);
	}

	/** Undefined if the run has been deleted. */
	async #input(runId: RunId, signal: AbortSignal): Promise<TaskInput | undefined> {
		try {
			return await this.#parts.client.call("xworkmate.tasks.input", { runId }, signal);
		} catch (error) {
			if (error instanceof ContractError && error.code === "NOT_FOUND") return undefined;
			throw error;
		}
	}

	/** A plan's thread gets the plan's title, because the prompts of all plans begin with the same words. */
	async #title({ threadId, origin }: TaskSummary, { prompt }: TaskInput, signal: AbortSignal): Promise<string> {
		const planId = origin?.kind === "plan" ? PlanId.safeParse(origin.id) : undefined;
		if (planId?.success !== true || this.#parts.repository.find(threadId) !== undefined) return titleOf(prompt);
		try {
			return titleOf((await this.#parts.client.call("xworkmate.plans.get", { planId: planId.data }, signal)).title);
		} catch (error) {
			// The bridge can't return the plan, for example because it was deleted.
			if (error instanceof ContractError && !error.retryable) return titleOf(prompt);
			throw error;
		}
	}

	#write(run: TaskSummary, input: TaskInput, title: string): void {
		const { repository, carryOn } = this.#parts;
		const { threadId, turnId, sessionId, runId, artifactScope, status, createdAt } = run;
		const handle = { runId, artifactScope, status, lastSeq: 0 };
		repository.execute(
			threadId,
			[
				{ type: "create", threadId, sessionId, title, at: createdAt },
				{ type: "adopt", turnId, handle, createdAt, at: timestamp() },
			],
			{ created: { request: this.#request(input) } },
		);
		carryOn({ threadId, turnId });
	}

	#request({ prompt, routing, artifactContract: contract, attachments, origin, ...input }: TaskInput): TurnRequest {
		const { workingDirectory, worktree, remoteWorkingDirectoryHint, fresh, assistant } = input;
		const { store, bridgeUrl } = this.#parts;
		const isOwn = origin?.id === store.appId;
		return {
			...{ prompt, routing, contract, attachments, ...bridgeOfTurn(bridgeUrl) },
			...(workingDirectory !== undefined && { workingDirectory }),
			...(worktree && { worktree }),
			...(remoteWorkingDirectoryHint !== undefined && { remoteWorkingDirectoryHint }),
			...(fresh && { fresh }),
			...(assistant !== undefined && { assistant }),
			...(!isOwn && { origin: origin ?? { kind: "app" as const } }),
		};
	}

	/**
	 * True for an unknown run of a known thread. A run of any other thread counts if it was started without an app, or by this app before its
	 * database was restored, and the thread was not deleted.
	 */
	#concerns({ threadId, turnId, origin }: TaskSummary): boolean {
		const { repository, store } = this.#parts;
		const thread = repository.find(threadId);
		if (thread !== undefined) return findTurn(thread, turnId) === undefined;
		if (store.wasDeleted(threadId)) return false;
		return (origin !== undefined && origin.kind !== "app") || origin?.id === store.appId;
	}

	#isBusy(threadId: ThreadId): boolean {
		return this.#parts.repository.find(threadId)?.pendingTurnId !== undefined || this.#parts.deletion.isDeleting(threadId);
	}
}
