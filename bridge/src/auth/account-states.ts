import type { AuthProfileId } from "@xworkmate/contracts";
import type { Clock } from "../ports/clock.ts";
import type { AccountState, AccountStore } from "../ports/models/account-store.ts";
import { type AccountFailure, afterFailure, afterSuccess, afterUse, type Known, modelOf, nothingKnown, usableFrom } from "./cooldown.ts";

/** Why an account is not used now, and until when. */
export interface Cooling extends Required<Pick<AccountState, "reason">> {
	readonly until: number;
	/** The only model for which the account is not used. Absent if it is not used for any model. */
	readonly model?: string;
}

/** What is known about the accounts. Changes take effect in memory at once, so that concurrent runs see the same state. */
export class AccountStates {
	readonly #store: AccountStore;
	readonly #clock: Clock;
	readonly #onUnsaved: (error: unknown) => void;
	readonly #states = new Map<AuthProfileId, Map<string, Known>>();
	#loading: Promise<void> | undefined;

	/** @param onUnsaved called when a change could not be written: it still applies until the bridge ends, and no run fails because of it */
	constructor(store: AccountStore, clock: Clock, onUnsaved: (error: unknown) => void) {
		this.#store = store;
		this.#clock = clock;
		this.#onUnsaved = onUnsaved;
	}

	/** Must be called before anything else. */
	load(): Promise<void> {
		this.#loading ??= this.#load().catch((error: unknown) => {
			// Forgets the failed read, so that the next caller asks the store again.
			this.#loading = undefined;
			throw error;
		});
		return this.#loading;
	}

	/**
	 * Why the account cannot be used for the model; undefined if it can. Without a model, the cooldowns of all models count: one for
	 * the whole account comes first, then the one that lasts longest.
	 */
	cooling(profileId: AuthProfileId, model?: string): Cooling | undefined {
		const now = this.#clock.now();
		return [...this.#of(profileId)]
			.filter(([about]) => model === undefined || about === "" || about === model)
			.flatMap(([about, known]) => {
				const until = usableFrom(known, now);
				if (until === undefined || known.reason === undefined) return [];
				return [{ reason: known.reason, until, ...(about !== "" && { model: about }) }];
			})
			.toSorted((a, b) => Number(a.model !== undefined) - Number(b.model !== undefined) || b.until - a.until)[0];
	}

	lastUsedAt(profileId: AuthProfileId): Known["lastUsedAt"] {
		return [...this.#of(profileId).values()]
			.flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
			.toSorted()
			.at(-1);
	}

	/**
	 * Records that an account is given to a run. An account without credit is tried once an hour, so the record also keeps other runs from
	 * trying it now.
	 */
	async use(profileId: AuthProfileId): Promise<void> {
		await this.#set(profileId, "", afterUse(this.#known(profileId, ""), this.#clock.now()));
	}

	async failed(profileId: AuthProfileId, model: string, failure: AccountFailure): Promise<void> {
		const about = modelOf(failure.reason, model);
		await this.#set(profileId, about, afterFailure(this.#known(profileId, about), failure, this.#clock.now()));
	}

	async succeeded(profileId: AuthProfileId, model: string): Promise<void> {
		for (const about of ["", model]) {
			const known = this.#known(profileId, about);
			if (known.until !== undefined || known.failures > 0) await this.#set(profileId, about, afterSuccess(known));
		}
		await this.use(profileId);
	}

	/** Must be called when the account was removed or has another credential. */
	async forget(profileId: AuthProfileId): Promise<void> {
		this.#states.delete(profileId);
		await this.#store.forget(profileId);
	}

	async #load(): Promise<void> {
		for (const { profileId, model, ...known } of await this.#store.states()) this.#of(profileId).set(model, known);
	}

	#known(profileId: AuthProfileId, model: string): Known {
		return this.#of(profileId).get(model) ?? nothingKnown;
	}

	#of(profileId: AuthProfileId): Map<string, Known> {
		const found = this.#states.get(profileId) ?? new Map<string, Known>();
		this.#states.set(profileId, found);
		return found;
	}

	async #set(profileId: AuthProfileId, model: string, known: Known): Promise<void> {
		this.#of(profileId).set(model, known);
		await this.#store.save({ profileId, model, ...known }).catch(this.#onUnsaved);
	}
}
