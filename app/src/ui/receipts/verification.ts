import { NotedHash } from "@xworkmate/contracts";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { Store } from "../connection/store.ts";
import type { Verified } from "./receipt-groups.ts";

export interface Compared {
	readonly digits: string;
	readonly isMatch: boolean;
}

export interface VerificationState {
	/** The last result stays until there is a new one. */
	readonly verified?: Verified;
	readonly compared?: Compared;
	readonly isRunning?: true;
	readonly problem?: string;
}

/** Kept while this window is open: a result is worth as much as its age. */
export const verification = new Store<VerificationState>({});

/** What was typed, as digits of a hash; undefined if it is none, or too short to say anything. */
export function savedDigits(typed: string): NotedHash | undefined {
	return NotedHash.safeParse(typed.replace(/\s/g, "").toLowerCase()).data;
}

/** Checks every receipt; with the digits of a hash that was saved elsewhere, also whether it is still there. */
export async function verify(digits?: NotedHash): Promise<void> {
	const { verified, compared } = verification.value;
	verification.set({ ...(verified && { verified }), ...(compared && { compared }), isRunning: true });
	const begun = Date.now();
	try {
		const { items } = await callApp("listReceipts", { limit: 1 });
		const result = await callApp("verifyReceipts", { ...(digits && { head: digits }) });
		const checked = { checkedAt: new Date(begun).toISOString(), tookMs: Date.now() - begun, result };
		const isMatch = result.independence === "head_matched" && result.ok;
		verification.set({
			verified: { ...checked, ...(items[0] && { upTo: items[0].at }) },
			...(digits !== undefined && { compared: { digits, isMatch } }),
		});
	} catch (error) {
		verification.set({ ...(verified && { verified }), ...(compared && { compared }), problem: sayError(error) });
	}
}
