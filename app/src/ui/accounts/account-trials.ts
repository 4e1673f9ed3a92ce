import type { AuthProfileId, MethodResult } from "@xworkmate/contracts";
import { sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { Store } from "../connection/store.ts";

/** The test of an account: it is running, an answer arrived at some time, or the call itself failed. */
export type AccountTrial =
	| { readonly state: "running" }
	| ({ readonly state: "over"; readonly at: string } & MethodResult<"xworkmate.auth.test">)
	| { readonly state: "failed"; readonly message: string };

/** Results are kept as long as this page is open, and are shown beside their accounts. */
export const accountTrials = new Store<ReadonlyMap<AuthProfileId, AccountTrial>>(new Map());

/** Removes an account's result, because its credential was replaced and the new one has not been tested. */
export function forgetTrial(profileId: AuthProfileId): void {
	accountTrials.set(new Map([...accountTrials.value].filter(([one]) => one !== profileId)));
}

export async function tryAccount(profileId: AuthProfileId): Promise<AccountTrial> {
	const set = (trial: AccountTrial): AccountTrial => {
		accountTrials.set(new Map(accountTrials.value).set(profileId, trial));
		return trial;
	};
	set({ state: "running" });
	try {
		return set({ state: "over", at: new Date().toISOString(), ...(await callApp("testAccount", { profileId })) });
	} catch (error) {
		return set({ state: "failed", message: sayError(error) });
	}
}
