import type { AuthProfile, AuthProfileId, MethodResult } from "@xworkmate/contracts";
import { lostOf } from "../agents/provider-trials.ts";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { Store } from "../connection/store.ts";

/** The state of an account's test: the test is running, it has ended with or without success, or the call to run it failed. */
export type AccountTrial =
	| { readonly state: "running" }
	| ({ readonly state: "over" } & Ended & MethodResult<"xworkmate.auth.test">)
	/** `lost`: the bridge or the app did not answer. `unsent`: the test is known not to have reached the bridge. */
	| ({ readonly state: "failed"; readonly message: string; readonly lost?: "unsent" | "cut_off" } & Ended);

interface Ended {
	/** When the test began, by this page's clock. */
	readonly at: string;
	/** The account's last use, by the bridge's clock: at the end of the test or, if the call failed, at its beginning. */
	readonly usedAt: AuthProfile["lastUsedAt"];
}

/** The results of tests. They are kept as long as this page is open, and are shown beside their accounts. */
export const accountTrials = new Store<ReadonlyMap<AuthProfileId, AccountTrial>>(new Map());

/** Removes an account's result. Call this once the account has been saved again or removed, because the result then no longer applies. */
export function forgetTrial(profileId: AuthProfileId): void {
	accountTrials.set(new Map([...accountTrials.value].filter(([one]) => one !== profileId)));
}

/**
 * The test of an account. Undefined if the account has since been used or has another credential, because the result is then out of date.
 * When a credential is replaced, the bridge forgets the last use of the account.
 */
export function currentTrial(trials: ReadonlyMap<AuthProfileId, AccountTrial>, profile: AuthProfile): AccountTrial | undefined {
	const trial = trials.get(profile.profileId);
	if (trial === undefined || trial.state === "running") return trial;
	const { lastUsedAt } = profile;
	const isForgotten = lastUsedAt === undefined && trial.usedAt !== undefined;
	const isUsedLater = lastUsedAt !== undefined && (trial.usedAt === undefined || lastUsedAt > trial.usedAt);
	return isForgotten || isUsedLater ? undefined : trial;
}

export async function tryAccount({ profileId, lastUsedAt }: AuthProfile): Promise<AccountTrial> {
	const set = (trial: AccountTrial): AccountTrial => {
		accountTrials.set(new Map(accountTrials.value).set(profileId, trial));
		return trial;
	};
	set({ state: "running" });
	const at = new Date().toISOString();
	try {
		const result = await callApp("testAccount", { profileId });
		return set({ state: "over", at, usedAt: result.profile.lastUsedAt, ...result });
	} catch (error) {
		const lost = lostOf(error);
		return set({ state: "failed", at, usedAt: lastUsedAt, message: sayError(error), ...(lost && { lost }) });
	}
}
