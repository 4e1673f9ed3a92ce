import type { Approval, ApprovalDecision, ApprovalId, MethodResult, RunId, SessionUpdate } from "@xworkmate/contracts";
import { limits } from "@xworkmate/contracts";
import type { BridgeClient } from "../bridge-client/index.ts";
import { hasCode } from "../errors/has-code.ts";
import type { AppEvents, ApprovalNews } from "../threads/app-events.ts";
import { undeliveredAnswer } from "../turns/undelivered-answer.ts";

/** How many answered requests and revoked grants are remembered, so that a list that was requested earlier does not add them again. */
const REMEMBERED = 1_000;

/** An older bridge, which does not have `xworkmate.approvals.grants`, answers with this code. */
const UNKNOWN_METHOD = "METHOD_NOT_FOUND";

/** The open requests and the grants in force, from the runs' updates, the bridge's stream of changes, and its lists. */
export class PendingApprovals {
	readonly #client: Pick<BridgeClient, "call">;
	readonly #events: AppEvents;
	readonly #pending = new Map<ApprovalId, Approval>();
	readonly #over = new Set<ApprovalId>();
	#grants: ReadonlyMap<ApprovalId, Approval> = new Map();
	/** True once the bridge has listed the grants in force. */
	#areGrantsKnown = false;
	/** Revoked grants are remembered, so that a list that was requested earlier does not add them again. */
	readonly #revoked = new Set<ApprovalId>();
	/** True while the bridge streams its changes. */
	#isFollowed = false;
	/** True if the list of open requests has been read and is still valid. */
	#isListed = false;

	constructor(client: Pick<BridgeClient, "call">, events: AppEvents) {
		this.#client = client;
		this.#events = events;
		events.on("threadWritten", ({ updates, snapshot }) => {
			if (updates !== undefined) this.#seeUpdates(updates.items);
			if (snapshot !== undefined) this.#runEnded(snapshot.runId);
		});
		events.on("approvalNews", (news) => this.#take(news));
	}

	/**
	 * Newest first; undefined until the bridge has listed its grants, even if this app has made one, because others may have been made before
	 * this app started. Those with `revokedAt` are off only until the bridge restarts. Expired grants stay until the bridge no longer lists
	 * them, because they expire by the bridge's clock.
	 */
	get grants(): readonly Approval[] | undefined {
		if (!this.#areGrantsKnown) return undefined;
		return [...this.#grants.values()].sort((a, b) => (b.decidedAt ?? "").localeCompare(a.decidedAt ?? ""));
	}

	/** In the order in which they were asked. Those of one moment are in the order in which this app was told of them. */
	get pending(): readonly Approval[] {
		return [...this.#pending.values()].sort((a, b) => a.requestedAt.localeCompare(b.requestedAt));
	}

	#take(news: ApprovalNews): void {
		if (news.type === "approval") this.see(news.approval);
		else if (news.type === "followed") this.#isFollowed = news.isFollowed;
		else {
			this.#isListed = false;
			this.#events.emit("grantHeardOf");
		}
	}

	/** Takes a record of a request. A `pending` one that arrives after the decision is ignored, because a decision never changes. */
	see(approval: Approval): void {
		const { approvalId, state } = approval;
		if (approval.revokedAt !== undefined) this.#forgetGrant(approvalId);
		const isGrant = approval.decision === "allow_window" && approval.grantScope !== undefined && approval.revokedAt === undefined;
		if (isGrant && !this.#over.has(approvalId) && !this.#grants.has(approvalId)) this.#events.emit("grantHeardOf");
		if (this.#over.has(approvalId)) return;
		if (state === "pending") {
			if (this.#pending.has(approvalId)) return;
			this.#pending.set(approvalId, approval);
		} else {
			this.#pending.delete(approvalId);
			remember(this.#over, approvalId);
		}
		this.#events.emit("approvalChanged", approval);
	}

	#seeUpdates(updates: readonly SessionUpdate[]): void {
		for (const { update } of updates) {
			if (update.kind !== "approval") continue;
			const { kind: _kind, ...approval } = update;
			this.see(approval);
		}
	}

	/** Drops the open requests of a run that has ended. */
	#runEnded(runId: RunId): void {
		for (const approval of this.#pending.values()) if (approval.runId === runId) this.see({ ...approval, state: "withdrawn" });
	}

	/**
	 * Answers a request.
	 * @throws as BridgeClient.call; AppError ANSWER_NOT_SENT, ANSWER_UNCONFIRMED
	 */
	async decide(approvalId: ApprovalId, decision: ApprovalDecision): Promise<MethodResult<"xworkmate.approvals.decide">> {
		const decided = await this.#client.call("xworkmate.approvals.decide", { approvalId, decision }).catch((error: unknown) => {
			throw undeliveredAnswer(error);
		});
		const { record, applied } = decided;
		if (applied && record.decision === "allow_window" && record.grantScope !== undefined)
			this.#keepGrants([...this.#grants.values(), record]);
		this.see(record);
		return decided;
	}

	/**
	 * Revokes a grant at the bridge, with immediate effect.
	 * @throws as BridgeClient.call; DISK_FULL: it is off only until the bridge restarts, which the bridge's list says
	 */
	async revoke(approvalId: ApprovalId): Promise<MethodResult<"xworkmate.approvals.revoke">> {
		const revoked = await this.#client.call("xworkmate.approvals.revoke", { approvalId }).catch((error: unknown) => {
			this.#events.emit("grantHeardOf");
			throw error;
		});
		this.#forgetGrant(approvalId);
		return revoked;
	}

	/**
	 * Asks the bridge for the open requests and the grants in force, and for the outcome of requests that it no longer lists.
	 * @throws as BridgeClient.call
	 */
	async refresh(signal?: AbortSignal): Promise<void> {
		await this.#refreshGrants(signal);
		// The list is still valid, because the change stream has reported every request since the list was read.
		if (this.#isFollowed && this.#isListed) return;
		const before = [...this.#pending.values()];
		const { items } = await this.#client.call("xworkmate.approvals.list", { state: "pending", limit: limits.listMax }, signal);
		// The bridge lists the newest first.
		for (const approval of items.toReversed()) this.see(approval);
		this.#isListed = true;
		const listed = new Set(items.map(({ approvalId }) => approvalId));
		const gone = before.filter(({ approvalId }) => !listed.has(approvalId) && this.#pending.has(approvalId));
		if (gone.length === 0 || items.length === limits.listMax) return;
		for (const runId of new Set(gone.map((approval) => approval.runId))) {
			const { items: records } = await this.#client.call("xworkmate.approvals.list", { runId, limit: limits.listMax }, signal);
			for (const record of records) this.see(record);
		}
	}

	#forgetGrant(approvalId: ApprovalId): void {
		remember(this.#revoked, approvalId);
		this.#keepGrants([...this.#grants.values()].filter((grant) => grant.approvalId !== approvalId));
	}

	async #refreshGrants(signal?: AbortSignal): Promise<void> {
		const before = new Set(this.#grants.keys());
		const items = await this.#listGrants(signal);
		// The list may lack a grant that was made while it was being fetched.
		const fresh = [...this.#grants.values()].filter(({ approvalId }) => !before.has(approvalId));
		const areNews = !this.#areGrantsKnown;
		this.#areGrantsKnown = true;
		const inForce = [...items, ...fresh].filter(({ approvalId }) => !this.#revoked.has(approvalId));
		this.#keepGrants(inForce, areNews);
	}

	async #listGrants(signal?: AbortSignal): Promise<readonly Approval[]> {
		try {
			return (await this.#client.call("xworkmate.approvals.grants", {}, signal)).items;
		} catch (error) {
			if (hasCode(error, UNKNOWN_METHOD)) return [];
			throw error;
		}
	}

	/**
	 * Stores the grants, and reports a change once the grants are known.
	 * @param areNews true if a change is reported even if the grants are the same as before, because they were not known until now
	 */
	#keepGrants(grants: readonly Approval[], areNews = false): void {
		const next = new Map(grants.map((grant) => [grant.approvalId, grant]));
		const isSame =
			next.size === this.#grants.size &&
			grants.every(({ approvalId, revokedAt }) => {
				const before = this.#grants.get(approvalId);
				return before !== undefined && before.revokedAt === revokedAt;
			});
		this.#grants = next;
		if (this.#areGrantsKnown && (!isSame || areNews)) this.#events.emit("grantsChanged");
	}
}

/** Keeps the newest entries. */
function remember(ids: Set<ApprovalId>, approvalId: ApprovalId): void {
	ids.add(approvalId);
	for (const oldest of ids) {
		if (ids.size <= REMEMBERED) break;
		ids.delete(oldest);
	}
}
