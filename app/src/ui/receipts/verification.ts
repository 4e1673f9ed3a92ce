import { NotedHash, type PlanId, type Verification, type VerificationProgress } from "@xworkmate/contracts";
import type { VerificationLine } from "../../api/app-api.ts";
import { verificationRoute } from "../../api/ui-routes.ts";
import { words } from "../../strings/interface.ts";
import { APP_GONE, AppRefusal, type RefusedLine, sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { readLines } from "../connection/read-lines.ts";
import { Store } from "../connection/store.ts";
import type { Verified } from "./receipt-groups.ts";

export interface Compared {
	readonly digits: string;
	readonly isFound: boolean;
	/** False if the hash was not found, but the ledger couldn't be read: it may be the hash of one of the ledger's lines. */
	readonly isSearched: boolean;
	/** False if the verification found any problem, which may concern a run other than that of the hash. */
	readonly isIntact: boolean;
}

/** A verification and, if a hash was entered, the result of its comparison. */
export interface Checked extends Verified {
	readonly compared?: Compared;
}

export interface VerificationState {
	/** The last result. It stays until there is a new one. */
	readonly verified?: Checked;
	readonly isRunning?: true;
	/** The progress so far; absent if it has only just begun. */
	readonly progress?: VerificationProgress;
	readonly problem?: string;
}

/** Kept while this window is open. A result becomes less reliable with age, so its time is shown. */
export const verification = new Store<VerificationState>({});

let stop = new AbortController();

/** The digits of the hash in the typed text; undefined if there are none, or not enough to identify a hash. */
export function savedDigits(typed: string): NotedHash | undefined {
	return NotedHash.safeParse(typed.replace(/\s/g, "").toLowerCase()).data;
}

/**
 * Verifies every receipt, or those of one plan. With the digits of a hash that was saved elsewhere, also checks whether that hash still
 * exists.
 */
export async function verify(digits?: NotedHash, planId?: PlanId): Promise<void> {
	const { verified: before } = verification.value;
	verification.set({ ...(before && { verified: before }), isRunning: true });
	const begun = Date.now();
	// Created before the first call, so that a stop during that call counts too.
	stop = new AbortController();
	const { signal } = stop;
	try {
		const { items } = await callApp("listReceipts", { limit: 1, ...(planId && { planId }) });
		signal.throwIfAborted();
		const result = await verified(verificationRoute({ planId, head: digits }), signal);
		const checked = { ...(planId && { planId }), checkedAt: new Date(begun).toISOString(), tookMs: Date.now() - begun, result };
		const isFound = result.independence === "head_matched";
		verification.set({
			verified: {
				...checked,
				...(items[0] && { upTo: items[0].at }),
				...(digits !== undefined && { compared: { digits, isFound, isSearched: isFound || isLedgerRead(result), isIntact: result.ok } }),
			},
		});
	} catch (error) {
		// After a stop, another verification may have begun.
		if (signal.aborted) return;
		verification.set({ ...(before && { verified: before }), problem: sayError(error) });
	}
}

/** False if the receipts could only be compared with each other. */
export function isLedgerRead({ problems }: Pick<Verification, "problems">): boolean {
	return problems.every(({ code }) => code !== "LEDGER_UNREADABLE");
}

/** Stops the current verification, at the bridge too. The last result stays. */
export function stopVerifying(): void {
	stop.abort();
	const { verified: last } = verification.value;
	verification.set({ ...(last && { verified: last }) });
}

/** @throws AppRefusal with the app's code, or APP_GONE */
async function verified(path: string, signal: AbortSignal): Promise<Verification> {
	for await (const line of readLines<VerificationLine | RefusedLine | { readonly type: "alive" }>(path, signal)) {
		if (line.type === "ended") return line.result;
		if (line.type === "refused") throw new AppRefusal(line.failure.code, line.failure.message);
		if (line.type === "progress") verification.set({ ...verification.value, progress: { receipts: line.receipts, of: line.of } });
	}
	throw new AppRefusal(APP_GONE, words.page.appSilent);
}
