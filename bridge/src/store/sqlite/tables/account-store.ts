import { omitUndefined } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { AccountState, AccountStore } from "../../../ports/models/account-store.ts";
import { answer } from "../rows/translate-error.ts";

interface StateRow extends Pick<AccountState, "profileId" | "model" | "failures"> {
	readonly used: AccountState["lastUsedAt"] | null;
	readonly until: AccountState["until"] | null;
	readonly reason: AccountState["reason"] | null;
}

/** Stores what is known about accounts, in SQLite. */
export function createAccountStore(db: Database): AccountStore {
	const all = db.prepare<[], StateRow>("SELECT profile AS profileId, model, used, failures, until, reason FROM auth_profile_state");
	const save = db.prepare<[string, string, string | null, number, string | null, string | null]>(
		`INSERT INTO auth_profile_state (profile, model, used, failures, until, reason) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (profile, model) DO UPDATE SET used = excluded.used, failures = excluded.failures, until = excluded.until,
		reason = excluded.reason`,
	);
	const forget = db.prepare<[string]>("DELETE FROM auth_profile_state WHERE profile = ?");
	return {
		states: () => answer(db.name, () => all.all().map(toState)),
		save: ({ profileId, model, lastUsedAt, failures, until, reason }) =>
			answer(db.name, () => void save.run(profileId, model, lastUsedAt ?? null, failures, until ?? null, reason ?? null)),
		forget: (profileId) => answer(db.name, () => void forget.run(profileId)),
	};
}

function toState({ profileId, model, failures, used, until, reason }: StateRow): AccountState {
	return {
		profileId,
		model,
		failures,
		...omitUndefined({ lastUsedAt: used ?? undefined, until: until ?? undefined, reason: reason ?? undefined }),
	};
}
