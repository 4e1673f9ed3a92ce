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

/**
 * Why no account can be used, worded for the end of the run. `isRequest`: the reason is that the request names an account that does not
 * exist.
 */
export interface NoAccount {
	readonly code: Extract<FailedCode, "PROVIDER_AUTH_REQUIRED" | "PROVIDER_LIMITED">;
	readonly message: string;
	readonly isRequest?: true;
}

/** A change of account in a run. `reason`: for people, in words; `cause`: the same for programs. */
export interface Rotation {
	readonly from: AuthProfileId;
	readonly to: UsableAccount;
	readonly reason: string;
	readonly cause: CoolingReason;
}

/**
 * What to do after a failed request: repeat it with the same account after a wait (`again`), repeat it with the next account (`rotated`),
 * or give up.
 */
export type AfterFailure =
	| { readonly kind: "again"; readonly waitMs: number }
	| ({ readonly kind: "rotated" } & Rotation)
	| { readonly kind: "none"; readonly why: NoAccount }
	/** The failure is not the account's fault. */
	| { readonly kind: "failed" };

/** The accounts of one run. The account is chosen once, at the start, and changes only when a request fails. */
export interface RunAccounts {
	readonly current: UsableAccount;
	/** Called after a successful request: earlier failures of the account no longer count. */
	succeeded(model: string): Promise<void>;
	failed(failure: ModelFailure, model: string): Promise<AfterFailure>;
}

/** The accounts of the home and of the environment. */
export interface Accounts {
	/** `pinned`: use this account and no other. Model "": the account is only used to list models. */
	open(provider: ModelProvider, model: string, pinned?: string): Promise<RunAccounts | NoAccount>;
	/** The makers that have an account which can be used now or later, the preferred one first. */
	providers(): Promise<readonly ModelProvider[]>;
	/** The problem if the file with the home's accounts cannot be read, which makes all of them unusable; undefined if it can be read. */
	problem(): Promise<Unavailable | undefined>;
}

/** The methods for accounts. Every refusal is a ContractError; none contains a secret. */
export interface AccountService {
	list(params: MethodParams<"xworkmate.auth.list">): Promise<MethodResult<"xworkmate.auth.list">>;
	set(params: MethodParams<"xworkmate.auth.set">): Promise<MethodResult<"xworkmate.auth.set">>;
	order(params: MethodParams<"xworkmate.auth.order">): Promise<MethodResult<"xworkmate.auth.order">>;
	remove(params: MethodParams<"xworkmate.auth.remove">): Promise<MethodResult<"xworkmate.auth.remove">>;
	test(params: MethodParams<"xworkmate.auth.test">): Promise<MethodResult<"xworkmate.auth.test">>;
}
