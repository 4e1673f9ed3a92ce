import type {
	AuthProfileId,
	CoolingReason,
	FailedCode,
	MethodParams,
	MethodResult,
	ModelProvider,
	Unavailable,
} from "@xworkmate/contracts";
import type { ModelCredential, ModelFailure } from "./model-client.ts";

/** An account that can be used now. */
export interface UsableAccount {
	readonly profileId: AuthProfileId;
	readonly provider: ModelProvider;
	readonly credential: ModelCredential;
}

/** Why no account can be used, as the run's end says it. */
export interface NoAccount {
	readonly code: Extract<FailedCode, "PROVIDER_AUTH_REQUIRED" | "PROVIDER_LIMITED">;
	readonly message: string;
}

/** A change of account in a run. `reason`: in words; `cause`: the same, for programs. */
export interface Rotation {
	readonly from: AuthProfileId;
	readonly to: UsableAccount;
	readonly reason: string;
	readonly cause: CoolingReason;
}

/** What follows a request that failed: `again` with the same account after a wait, or the next one, or the end. */
export type AfterFailure =
	| { readonly kind: "again"; readonly waitMs: number }
	| ({ readonly kind: "rotated" } & Rotation)
	| { readonly kind: "none"; readonly why: NoAccount }
	/** The failure is not the account's. */
	| { readonly kind: "failed" };

/** The accounts of one run: resolved once at its start, and changed only when one fails. */
export interface RunAccounts {
	readonly current: UsableAccount;
	/** A request has succeeded: nothing is held against the account any more. */
	succeeded(model: string): Promise<void>;
	failed(failure: ModelFailure, model: string): Promise<AfterFailure>;
}

/** The accounts of the home and of the environment. */
export interface Accounts {
	/** `pinned`: use this account and no other. Model "": the account is only to list models, which does not use it. */
	open(provider: ModelProvider, model: string, pinned?: string): Promise<RunAccounts | NoAccount>;
	/** Makers with an account that could be used, now or later, the preferred one first. */
	providers(): Promise<readonly ModelProvider[]>;
	/** Why no account of the home can be used, whatever accounts there are; undefined: their file can be read. */
	problem(): Promise<Unavailable | undefined>;
}

/** The methods about accounts. Every refusal is a ContractError; none contains a secret. */
export interface AccountService {
	list(params: MethodParams<"xworkmate.auth.list">): Promise<MethodResult<"xworkmate.auth.list">>;
	set(params: MethodParams<"xworkmate.auth.set">): Promise<MethodResult<"xworkmate.auth.set">>;
	order(params: MethodParams<"xworkmate.auth.order">): Promise<MethodResult<"xworkmate.auth.order">>;
	remove(params: MethodParams<"xworkmate.auth.remove">): Promise<MethodResult<"xworkmate.auth.remove">>;
	test(params: MethodParams<"xworkmate.auth.test">): Promise<MethodResult<"xworkmate.auth.test">>;
}
