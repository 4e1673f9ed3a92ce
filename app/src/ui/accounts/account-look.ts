import type { AuthProfile } from "@xworkmate/contracts";
import { CircleAlert, CircleDashed, Clock3, type LucideIcon } from "lucide-react";
import { accountStateWords, accountTypeWords, accountWords, coolingWords } from "../../strings/agents/account-words.ts";
import { fill } from "../../strings/interface.ts";
import { unusedForFile } from "../../text/agents/account-state.ts";
import { capitalized } from "../../text/capital.ts";
import { localTime } from "../../text/local-time.ts";
import { formatDay } from "../text/format.ts";
import { visibleName } from "../text/visible-text.ts";

/** How an account is shown. */
export interface AccountLook {
	readonly icon: LucideIcon;
	readonly tone: "st-ok" | "st-off" | "st-bad";
	readonly word: string;
	/** What the state means for the user. */
	readonly say: readonly string[];
	/** The label of the button for entering another credential for the account, if that would help. */
	readonly fix?: string;
}

/** @param isFileRead false if the accounts file cannot be read, so that no account is used unless a message names it */
export function accountLook({ state, reason, until, model, expiresAt }: AuthProfile, now: number, isFileRead = true): AccountLook {
	if (!isFileRead) return { icon: CircleDashed, tone: "st-off", word: capitalized(unusedForFile), say: [] };
	const time = until === undefined ? "" : localTime(until, now);
	switch (state) {
		case "ready":
			return { icon: CircleDashed, tone: "st-off", word: accountStateWords.ready, say: [] };
		case "expired":
			return {
				icon: Clock3,
				tone: "st-off",
				word: fill(accountStateWords.expired, { day: expiresAt === undefined ? "" : formatDay(expiresAt) }),
				say: [accountWords.expiredSay],
				fix: accountWords.expiredFix,
			};
		case "missing":
			return { icon: CircleAlert, tone: "st-bad", word: accountStateWords.missing, say: [accountWords.missingSay] };
		case "cooling": {
			const words = reason === undefined ? { state: accountStateWords.cooling, say: "" } : coolingWords[reason];
			const isLimit = reason === undefined || reason === "rate_limited";
			return {
				icon: isLimit ? Clock3 : CircleAlert,
				tone: isLimit ? "st-off" : "st-bad",
				word: model === undefined ? fill(words.state, { time }) : fill(accountWords.limitedFor, { model: visibleName(model), time }),
				say: words.say === "" || time === "" ? [] : [fill(words.say, { time })],
				...("fix" in words && words.fix !== undefined && { fix: words.fix }),
			};
		}
	}
}

/** An account's type in words: "API key", "API key from TEAM_KEY". */
export function typeOf({ type, variable }: Pick<AuthProfile, "type" | "variable">): string {
	const word = accountTypeWords[type];
	if (variable === undefined) return word;
	return fill(type === "none" ? accountWords.server : accountWords.from, { type: word, variable: visibleName(variable) });
}

/** Among the accounts that are unavailable for a time, the one that will be tried again first. */
export function soonest(profiles: readonly AuthProfile[]): { readonly profileId: string; readonly until: string } | undefined {
	const cooling = profiles.flatMap(({ profileId, state, until }) =>
		state === "cooling" && until !== undefined ? [{ profileId, until }] : [],
	);
	return cooling.toSorted((one, other) => Date.parse(one.until) - Date.parse(other.until))[0];
}
