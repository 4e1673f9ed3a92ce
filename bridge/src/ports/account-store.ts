import type { AuthProfileId, CoolingReason, Timestamp } from "@xworkmate/contracts";

/** What is known about an account, for one model; model "" is for all of them. */
export interface AccountState {
	readonly profileId: AuthProfileId;
	readonly model: string;
	readonly lastUsedAt?: Timestamp;
	/** In a row. */
	readonly failures: number;
	readonly until?: Timestamp;
	readonly reason?: CoolingReason;
}

export interface AccountStore {
	states(): Promise<readonly AccountState[]>;
	/** Replaces what is known about the account for this model. */
	save(state: AccountState): Promise<void>;
	/** The account is gone. */
	forget(profileId: AuthProfileId): Promise<void>;
}
