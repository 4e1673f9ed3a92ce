import type { AuthProfile } from "@xworkmate/contracts";
import { localTime } from "../local-time.ts";

/** True if the account may be used for some model. A rate limit applies to one model only, so the others may still be used. */
export function isUsable({ state, model }: Pick<AuthProfile, "state" | "model">): boolean {
	return state === "ready" || (state === "cooling" && model !== undefined);
}

/**
 * What an account is used for while the accounts file cannot be read. Without that file, the user's order is unknown, so a run is given
 * only an account that it names.
 */
export const unusedForFile = "used only if a message names it, until the accounts file is fixed";

/** Whether an account is available, and if not, why and until when. Whether its credential works is known only once it is used. */
export function accountState({ state, reason, until, model, expiresAt, variable }: AuthProfile, now = Date.now()): string {
	switch (state) {
		case "ready":
			return expiresAt === undefined ? "available" : `available until ${localTime(expiresAt, now)}`;
		case "expired":
			return `expired${expiresAt === undefined ? "" : ` (${localTime(expiresAt, now)})`}`;
		case "missing":
			return `${variable ?? "its variable"} is not set to a credential`;
		case "cooling": {
			const end = until === undefined ? "" : ` until ${localTime(until, now)}`;
			if (reason === "billing") return `out of credit, skipped${end}`;
			if (reason === "auth") return `rejected, skipped${end}`;
			return `rate limited${end}${model === undefined ? "" : ` for ${model}`}`;
		}
	}
}
