import type { Approval, ApprovalId, RunId, SessionUpdate } from "@xworkmate/contracts";
import { limits } from "@xworkmate/contracts";
import type { BridgeClient } from "../bridge-client/index.ts";

/** Answered requests that are remembered, so that a list asked for before the answer does not bring them back. */
const REMEMBERED = 1_000;

/** The requests that wait for the person: as runs' updates tell, and as the bridge lists them. */
export class ApprovalBook {
	readonly #client: Pick<BridgeClient, "call">;
	readonly #told: (approval: Approval) => void;
	readonly #pending = new Map<ApprovalId, Approval>();
	readonly #over = new Set<ApprovalId>();

	constructor(client: Pick<BridgeClient, "call">, told: (approval: Approval) => void) {
		this.#client = client;
		this.#told = told;
	}

	/** Oldest first. */
	get pending(): readonly Approval[] {
		return [...this.#pending.values()].sort((a, b) => a.requestedAt.localeCompare(b.requestedAt));
	}

	/** An answer is for ever: what says `pending` after it is older. */
	see(approval: Approval): void {
		const { approvalId, state } = approval;
		if (this.#over.has(approvalId)) return;
		if (state === "pending") {
			if (this.#pending.has(approvalId)) return;
			this.#pending.set(approvalId, approval);
		} else {
			this.#pending.delete(approvalId);
			this.#remember(approvalId);
		}
		this.#told(approval);
	}

	seeUpdates(updates: readonly SessionUpdate[]): void {
		for (const { update } of updates) {
			if (update.kind !== "approval") continue;
			const { kind: _kind, ...approval } = update;
			this.see(approval);
		}
	}

	/** A run is over: nobody waits for its answers any more. */
	runEnded(runId: RunId): void {
		for (const approval of this.#pending.values()) if (approval.runId === runId) this.see({ ...approval, state: "withdrawn" });
	}

	/** Asks the bridge what waits, and what became of those it does not list any more. @throws as BridgeClient.call */
	async refresh(signal?: AbortSignal): Promise<void> {
		const before = [...this.#pending.values()];
		const { items } = await this.#client.call("xworkmate.approvals.list", { state: "pending", limit: limits.listMax }, signal);
		for (const approval of items) this.see(approval);
		const listed = new Set(items.map(({ approvalId }) => approvalId));
		const gone = before.filter(({ approvalId }) => !listed.has(approvalId) && this.#pending.has(approvalId));
		if (gone.length === 0 || items.length === limits.listMax) return;
		for (const runId of new Set(gone.map((approval) => approval.runId))) {
			const { items: records } = await this.#client.call("xworkmate.approvals.list", { runId, limit: limits.listMax }, signal);
			for (const record of records) this.see(record);
		}
	}

	#remember(approvalId: ApprovalId): void {
		this.#over.add(approvalId);
		for (const oldest of this.#over) {
			if (this.#over.size <= REMEMBERED) break;
			this.#over.delete(oldest);
		}
	}
}
