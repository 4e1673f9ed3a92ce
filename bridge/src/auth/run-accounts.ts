import type { AuthProfileId, CoolingReason, ModelProvider, Unavailable } from "@xworkmate/contracts";
import type { Clock } from "../ports/clock.ts";
import type { Accounts, AfterFailure, NoAccount, RunAccounts, UsableAccount } from "../ports/models/accounts.ts";
import type { ModelFailure, ModelFailureKind } from "../ports/models/model-client.ts";
import type { AccountStates } from "./account-states.ts";
import { type Lack, noAccount, pinnedUnknown, rotationWords, type Unused, unreadableAccounts } from "./account-words.ts";
import type { ReadAccounts } from "./accounts-file.ts";
import type { Variables } from "./environment-accounts.ts";
import { type KnownAccount, knownAccounts } from "./known-accounts.ts";
import { isEnvironmentId, noStoredAccounts } from "./stored-accounts.ts";

/** The shortest pauses before a request is repeated with the same account. */
const RETRIES_MS: readonly number[] = [1_000, 4_000];
const MAX_RETRY_MS = 30_000;

const reasons: Readonly<Partial<Record<ModelFailureKind, CoolingReason>>> = {
	rate_limited: "rate_limited",
	auth: "auth",
	billing: "billing",
};

export interface AccountsParts {
	readonly read: () => ReadAccounts;
	readonly environment: Variables;
	readonly states: AccountStates;
	readonly clock: Clock;
}

/** Decides which account a run uses: the requested one, or else the first in order that can be used. */
export class RunAccountsOpener implements Accounts {
	readonly #parts: AccountsParts;

	constructor(parts: AccountsParts) {
		this.#parts = parts;
	}

	async open(provider: ModelProvider, model: string, pinned?: string): Promise<RunAccounts | NoAccount> {
		const found = await this.next(provider, model, { pinned, without: new Map() });
		return "code" in found ? found : new OpenedAccounts(this, this.#parts.states, found, pinned);
	}

	async providers(): Promise<readonly ModelProvider[]> {
		const read = this.#parts.read();
		const stored = read.kind === "accounts" ? read.accounts : noStoredAccounts;
		const usable = knownAccounts(stored, this.#parts.environment).filter(
			(account) => lackOf(account, this.#parts.clock.now()) === undefined,
		);
		return [...new Set(usable.map(({ provider }) => provider))];
	}

	async problem(): Promise<Unavailable | undefined> {
		const read = this.#parts.read();
		return read.kind === "unusable" ? read.problem : undefined;
	}

	/** True if the account still has the credential that the run was given. */
	isSame({ profileId, credential }: UsableAccount): boolean {
		const file = this.#parts.read();
		const stored = file.kind === "accounts" ? file.accounts : noStoredAccounts;
		const now = knownAccounts(stored, this.#parts.environment).find((account) => account.profileId === profileId);
		return now?.credential?.secret === credential.secret;
	}

	/**
	 * @param without accounts that failed since the run's last success: a server that sets the reset time to now must not cause a loop
	 */
	async next(
		provider: ModelProvider,
		model: string,
		{ pinned, without }: { readonly pinned: string | undefined; readonly without: ReadonlyMap<AuthProfileId, CoolingReason> },
	): Promise<UsableAccount | NoAccount> {
		const { read, environment, states, clock } = this.#parts;
		await states.load();
		const file = read();
		// Without the file, the user's order is unknown, and another account might cost money that the user does not want to spend.
		if (file.kind === "unusable" && !(pinned !== undefined && isEnvironmentId(pinned))) return unreadableAccounts(file.problem);
		const stored = file.kind === "accounts" ? file.accounts : noStoredAccounts;
		const candidates = knownAccounts(stored, environment).filter(
			(account) => account.provider === provider && (pinned === undefined || account.profileId === pinned),
		);
		if (pinned !== undefined && candidates.length === 0) return pinnedUnknown(pinned, provider);
		const unused: Unused[] = [];
		for (const account of candidates) {
			const { profileId, credential } = account;
			const reason = without.get(profileId);
			const failed = reason === undefined ? undefined : { reason, until: clock.now() };
			const why = lackOf(account, clock.now()) ?? states.cooling(profileId, model) ?? failed;
			if (why === undefined && credential !== undefined) {
				if (model !== "") await states.use(profileId);
				return { profileId, provider, credential };
			}
			unused.push({ account, why: why ?? "missing" });
		}
		return noAccount(provider, unused, pinned !== undefined);
	}
}

/** Why an account cannot be used, apart from earlier failures. */
export function lackOf({ credential, expires }: KnownAccount, now: number): Lack | undefined {
	if (credential === undefined) return "missing";
	return expires !== undefined && expires <= now ? "expired" : undefined;
}

class OpenedAccounts implements RunAccounts {
	readonly #opener: RunAccountsOpener;
	readonly #states: AccountStates;
	readonly #pinned: string | undefined;
	readonly #failed = new Map<AuthProfileId, CoolingReason>();
	#current: UsableAccount;
	/** How many requests in a row failed for reasons unrelated to the account. */
	#retries = 0;

	constructor(opener: RunAccountsOpener, states: AccountStates, first: UsableAccount, pinned: string | undefined) {
		this.#opener = opener;
		this.#states = states;
		this.#current = first;
		this.#pinned = pinned;
	}

	get current(): UsableAccount {
		return this.#current;
	}

	async succeeded(model: string): Promise<void> {
		this.#retries = 0;
		this.#failed.clear();
		await this.#states.succeeded(this.#current.profileId, model);
	}

	async failed(failure: ModelFailure, model: string): Promise<AfterFailure> {
		const reason = reasons[failure.kind];
		if (reason === undefined) return this.#afterOther(failure);
		const { profileId: from, provider } = this.#current;
		this.#failed.set(from, reason);
		// The failure of a credential that has been replaced says nothing about the new one.
		if (this.#opener.isSame(this.#current)) await this.#states.failed(from, model, { reason, retryAfterMs: failure.retryAfterMs });
		const next = await this.#opener.next(provider, model, { pinned: this.#pinned, without: this.#failed });
		if ("code" in next) return { kind: "none", why: next };
		this.#retries = 0;
		this.#current = next;
		return { kind: "rotated", from, to: next, reason: rotationWords({ reason }, from), cause: reason };
	}

	#afterOther({ kind, retryAfterMs = 0 }: ModelFailure): AfterFailure {
		const wait = RETRIES_MS[this.#retries];
		if (kind === "refused" || wait === undefined) return { kind: "failed" };
		this.#retries++;
		return { kind: "again", waitMs: retryAfterMs > wait ? Math.min(retryAfterMs, MAX_RETRY_MS) : wait };
	}
}
