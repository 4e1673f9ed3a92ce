import type { Sha256 } from "@xworkmate/contracts";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { Store } from "../connection/store.ts";
import type { Verified } from "./receipt-groups.ts";

export interface Compared {
	readonly digits: string;
	readonly isMatch: boolean;
	/** How many receipts were searched, if not all of them. */
	readonly searched?: number;
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

const WHOLE_HASH = 64;
const PAGE = 200;
const SEARCHED_PAGES = 50;

/** What was typed, as digits of a hash; undefined if it is none, or too short to say anything. */
export function savedDigits(typed: string): string | undefined {
	const digits = typed.replace(/\s/g, "").toLowerCase();
	return /^[0-9a-f]{12,64}$/.test(digits) ? digits : undefined;
}

/** Checks every receipt; with the digits of a hash that was saved elsewhere, also whether it is still there. */
export async function verify(digits?: string): Promise<void> {
	const { verified, compared } = verification.value;
	verification.set({ ...(verified && { verified }), ...(compared && { compared }), isRunning: true });
	const begun = Date.now();
	try {
		const { items } = await callApp("listReceipts", { limit: 1 });
		const saved = digits === undefined ? undefined : await findHash(digits);
		const result = await callApp("verifyReceipts", { ...(saved?.hash && { head: saved.hash }) });
		const checked = { checkedAt: new Date(begun).toISOString(), tookMs: Date.now() - begun, result };
		const isMatch = saved?.hash !== undefined && result.independence === "head_matched" && result.ok;
		verification.set({
			verified: { ...checked, ...(items[0] && { upTo: items[0].at }) },
			...(digits !== undefined && {
				compared: { digits, isMatch, ...(saved?.searched !== undefined && { searched: saved.searched }) },
			}),
		});
	} catch (error) {
		verification.set({ ...(verified && { verified }), ...(compared && { compared }), problem: sayError(error) });
	}
}

interface FoundHash {
	readonly hash?: Sha256;
	readonly searched?: number;
}

/** The whole hash that begins with these digits. The verification, not this search, says whether it is in a chain. */
async function findHash(digits: string): Promise<FoundHash> {
	if (digits.length === WHOLE_HASH) return { hash: digits as Sha256 };
	let cursor: string | undefined;
	for (let page = 0; page < SEARCHED_PAGES; page += 1) {
		const { items, nextCursor } = await callApp("listReceipts", { limit: PAGE, ...(cursor !== undefined && { cursor }) });
		const found = items.find(({ hash }) => hash.startsWith(digits));
		if (found !== undefined) return { hash: found.hash };
		if (nextCursor === undefined) return {};
		cursor = nextCursor;
	}
	return { searched: PAGE * SEARCHED_PAGES };
}
