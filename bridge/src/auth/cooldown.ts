import type { CoolingReason } from "@xworkmate/contracts";
import { timestamp } from "../ports/clock.ts";
import type { AccountState } from "../ports/models/account-store.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long an account rests after a failure: twice as long each time, up to `mostMs`. */
const waits: Readonly<Record<CoolingReason, { readonly firstMs: number; readonly mostMs: number }>> = {
	rate_limited: { firstMs: 30 * SECOND, mostMs: HOUR },
	auth: { firstMs: 10 * MINUTE, mostMs: HOUR },
	billing: { firstMs: 10 * MINUTE, mostMs: 24 * HOUR },
};
/** An account without credit is retried this often: credit may have been added, and the bridge isn't notified of that. */
const TRIED_EVERY_MS = HOUR;
/** The shortest cooldown, whatever the server says: a run must not retry without a pause. */
const LEAST_MS = SECOND;
/** Further doublings would only lose precision. */
const MAX_DOUBLINGS = 20;

/** What a failure says about the account. */
export interface AccountFailure {
	readonly reason: CoolingReason;
	/** The wait that the server asks for; untrusted. */
	readonly retryAfterMs?: number | undefined;
}

/** What is known about an account for one model, or for all. */
export type Known = Pick<AccountState, "failures" | "until" | "reason" | "lastUsedAt">;

export const nothingKnown: Known = { failures: 0 };

/** A rate limit applies to one model only. A rejected or unpaid account can't be used for any model. */
export function modelOf(reason: CoolingReason, model: string): string {
	return reason === "rate_limited" ? model : "";
}

/** The state after a failure. Failures of requests that were made at the same time count as one. */
export function afterFailure(known: Known, { reason, retryAfterMs }: AccountFailure, now: number): Known {
	const end = cooledUntil(known, now);
	const isSame = end !== undefined && known.reason === reason && !isTrial(known, now);
	const failures = isSame ? known.failures : known.reason === undefined || known.reason === reason ? known.failures + 1 : 1;
	const until = now + waitMs(reason, failures, retryAfterMs);
	// Another failure for the same reason during the cooldown never shortens it.
	return {
		lastUsedAt: timestamp(now),
		failures,
		reason,
		until: timestamp(isSame ? Math.max(end, Math.min(until, now + waits[reason].mostMs)) : until),
	};
}

export function afterSuccess(known: Known): Known {
	return { failures: 0, ...(known.lastUsedAt !== undefined && { lastUsedAt: known.lastUsedAt }) };
}

/** The state after the account was given to a run. */
export function afterUse(known: Known, now: number): Known {
	return { ...known, lastUsedAt: timestamp(now) };
}

/** When the account may be used next; undefined if it may be used now. */
export function usableFrom(known: Known, now: number): number | undefined {
	const end = cooledUntil(known, now);
	if (end === undefined || known.reason !== "billing") return end;
	const tried = usedAt(known, now);
	const next = tried === undefined ? now : tried + TRIED_EVERY_MS;
	return next <= now ? undefined : Math.min(end, next);
}

/**
 * The end of the cooldown; undefined if it is over. An end further away than any cooldown can last was recorded before the clock was set
 * back, so it is ignored.
 */
function cooledUntil({ until, reason }: Known, now: number): number | undefined {
	if (until === undefined || reason === undefined) return undefined;
	const end = Date.parse(until);
	return end > now && end - now <= waits[reason].mostMs ? end : undefined;
}

/** True if a failure at `now` belongs to one of the hourly attempts with an account that has no credit. */
function isTrial(known: Known, now: number): boolean {
	if (known.reason !== "billing" || known.until === undefined) return false;
	const failedAt = Date.parse(known.until) - waitMs("billing", known.failures);
	return now - failedAt >= TRIED_EVERY_MS;
}

function waitMs(reason: CoolingReason, failures: number, retryAfterMs?: number): number {
	const { firstMs, mostMs } = waits[reason];
	if (reason === "rate_limited" && retryAfterMs !== undefined && retryAfterMs >= 0)
		return Math.min(Math.max(retryAfterMs, LEAST_MS), mostMs);
	return Math.min(firstMs * 2 ** Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS), mostMs);
}

function usedAt({ lastUsedAt }: Known, now: number): number | undefined {
	const at = lastUsedAt === undefined ? Number.NaN : Date.parse(lastUsedAt);
	// A time in the future was recorded before the clock was set back.
	return at <= now ? at : undefined;
}
