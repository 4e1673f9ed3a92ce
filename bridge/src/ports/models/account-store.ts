import type { AuthProfileId, CoolingReason, Timestamp } from "@xworkmate/contracts";

/** What is known about an account, for one model. The model "" means all of them. */
export interface AccountState {
	readonly profileId: AuthProfileId;
	readonly model: string;
	readonly lastUsedAt?: Timestamp;
	/** The number of failures in a row. */
	readonly failures: number;
	readonly until?: Timestamp;
	readonly reason?: CoolingReason;
}

export interface AccountStore {
	states(): Promise<readonly AccountState[]>;
	/** Replaces what is known about the account for this model. */
	save(state: AccountState): Promise<void>;
	/** Removes what is known about an account that no longer exists. */
	forget(profileId: AuthProfileId): Promise<void>;
}
