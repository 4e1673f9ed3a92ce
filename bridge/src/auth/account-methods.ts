import {
	type AuthProfile,
	AuthProfileId,
	type AuthProfiles,
	ContractError,
	type MethodParams,
	type MethodResult,
	type ModelProvider,
	type NewCredential,
} from "@xworkmate/contracts";
import { timestamp } from "../ports/clock.ts";
import type { AccountService } from "../ports/models/accounts.ts";
import { unknownAccount } from "./account-words.ts";
import { type AccountsFile, accountsDamaged } from "./accounts-file.ts";
import { checkCredential } from "./check-credential.ts";
import { type KnownAccount, knownAccounts, storedOrder } from "./known-accounts.ts";
import { type AccountsParts, lackOf } from "./run-accounts.ts";
import {
	isEnvironmentId,
	noStoredAccounts,
	providerOf,
	type StoredAccounts,
	type StoredCredential,
	storedValue,
} from "./stored-accounts.ts";
import type { TestAccount } from "./test-account.ts";

export interface AccountMethodsParts extends AccountsParts {
	readonly file: AccountsFile;
	/** True: Anthropic's own address is used. */
	readonly isOwnAddress: boolean;
	readonly testAccount: TestAccount;
	/** Called when an account was stored, or has passed its test. */
	readonly onUsable: () => void;
}

/** The methods for accounts, which use the accounts file and the environment. */
export class AccountMethods implements AccountService {
	readonly #parts: AccountMethodsParts;

	constructor(parts: AccountMethodsParts) {
		this.#parts = parts;
	}

	async list(): Promise<AuthProfiles> {
		await this.#parts.states.load();
		const { accounts, problem } = this.#known();
		return { profiles: accounts.map((account) => this.#shown(account)), ...(problem !== undefined && { problem }) };
	}

	async set({ provider, profileId, credential: given, replace }: MethodParams<"xworkmate.auth.set">): Promise<AuthProfile> {
		if (profileId !== undefined) checkName(profileId, provider);
		const { states, clock, file, isOwnAddress } = this.#parts;
		const credential = checkCredential(given, { provider, isOwnAddress });
		if (credential.type === "token" && credential.expires !== undefined) checkExpiry(credential.expires, clock.now());
		await states.load();
		let id: AuthProfileId | undefined;
		file.change((accounts) => {
			refuseKnown(accounts, credential);
			if (profileId !== undefined && replace !== true) this.#refuseTaken(accounts, profileId);
			id = profileId ?? this.#freeId(accounts, provider, credential);
			const order = [id, ...storedOrder(accounts, provider).filter((other) => other !== id)];
			return {
				...accounts,
				profiles: { ...accounts.profiles, [id]: toStored(credential) },
				order: { ...accounts.order, [provider]: order },
			};
		});
		// The file is read again, so that redaction knows the new secret before anything can show it.
		const account = this.#known().accounts.find((each) => each.profileId === id);
		if (account === undefined) throw new Error("the account that was just stored is missing");
		// The recorded state belongs to an earlier credential.
		await states.forget(account.profileId);
		this.#parts.onUsable();
		return this.#shown(account);
	}

	async order({ provider, profileIds }: MethodParams<"xworkmate.auth.order">): Promise<AuthProfiles> {
		// The account from the environment is left out at the end: a caller may send back the whole list, in which it is last. Anywhere
		// else, it is refused, because it cannot be moved.
		const ids = profileIds.filter((id, index) => !(isEnvironmentId(id) && index === profileIds.length - 1));
		if (ids.some(isEnvironmentId))
			throw new ContractError("INVALID_PARAMS", {
				detail: "The account from the environment can't be moved, because it is always last.",
				fix: "Leave that account out of the list.",
			});
		if (new Set(ids).size < ids.length)
			throw new ContractError("INVALID_PARAMS", { detail: "An account is listed twice.", fix: "List each account once." });
		this.#parts.file.change((accounts) => {
			const own = storedOrder(accounts, provider);
			const unknown = ids.find((id) => !own.includes(id));
			if (unknown !== undefined) throw unknownAccount(unknown);
			return { ...accounts, order: { ...accounts.order, [provider]: [...new Set([...ids, ...own])] } };
		});
		return await this.list();
	}

	async remove({ profileId }: MethodParams<"xworkmate.auth.remove">): Promise<AuthProfiles> {
		const { environment, file, states } = this.#parts;
		const variable = knownAccounts(noStoredAccounts, environment).find((account) => account.profileId === profileId)?.variable;
		if (variable !== undefined)
			throw new ContractError("INVALID_PARAMS", {
				detail: `${profileId} can't be removed here, because it comes from the bridge's environment.`,
				fix: `Remove ${variable} from the environment, and restart the bridge.`,
			});
		file.change((accounts) => {
			if (!Object.hasOwn(accounts.profiles, profileId)) throw unknownAccount(profileId);
			const profiles = Object.fromEntries(Object.entries(accounts.profiles).filter(([id]) => id !== profileId));
			const provider = providerOf(profileId);
			const order = storedOrder(accounts, provider).filter((id) => id !== profileId);
			return { ...accounts, profiles, order: { ...accounts.order, [provider]: order } };
		});
		await states.forget(profileId);
		return await this.list();
	}

	async test({ profileId }: MethodParams<"xworkmate.auth.test">): Promise<MethodResult<"xworkmate.auth.test">> {
		await this.#parts.states.load();
		const { accounts, problem: fileProblem } = this.#known();
		const account = accounts.find((each) => each.profileId === profileId);
		if (account === undefined) throw fileProblem === undefined ? unknownAccount(profileId) : accountsDamaged(fileProblem);
		const { problem, tookMs } = await this.#parts.testAccount(account);
		if (problem === undefined) this.#parts.onUsable();
		return { profile: this.#shown(account), ok: problem === undefined, tookMs, ...(problem !== undefined && { problem }) };
	}

	#known() {
		const read = this.#parts.read();
		const stored = read.kind === "accounts" ? read.accounts : noStoredAccounts;
		const accounts = knownAccounts(stored, this.#parts.environment);
		return read.kind === "accounts" ? { accounts } : { accounts, problem: read.problem };
	}

	#shown(account: KnownAccount): AuthProfile {
		const { states, clock } = this.#parts;
		const { profileId, provider, type, variable, expires } = account;
		const lastUsedAt = states.lastUsedAt(profileId);
		const lack = lackOf(account, clock.now());
		const cooling = lack === undefined ? states.cooling(profileId) : undefined;
		return {
			profileId,
			provider,
			type,
			...(variable !== undefined && { variable }),
			...(expires !== undefined && { expiresAt: timestamp(expires) }),
			...(lastUsedAt !== undefined && { lastUsedAt }),
			...(cooling === undefined ? { state: lack ?? "ready" } : { ...cooling, state: "cooling", until: timestamp(cooling.until) }),
		};
	}

	/** The name of a new account: `manual` or `key`, followed by a number only if an account with that name still works. */
	#freeId(accounts: StoredAccounts, provider: ModelProvider, { type }: NewCredential): AuthProfileId {
		const name = `${provider}:${type === "token" ? "manual" : "key"}`;
		for (let number = 1; ; number++) {
			const id = AuthProfileId.parse(number === 1 ? name : `${name}-${number}`);
			if (accounts.profiles[id] === undefined || this.#isReplaceable(accounts, id)) return id;
		}
	}

	/** @throws ContractError ACCOUNT_EXISTS */
	#refuseTaken(accounts: StoredAccounts, id: AuthProfileId): void {
		if (accounts.profiles[id] === undefined || this.#isReplaceable(accounts, id)) return;
		throw new ContractError("ACCOUNT_EXISTS", { detail: `There is already an account ${id}.` });
	}

	/** True if the credential has expired, or if the provider has rejected it recently: replacing it loses nothing. */
	#isReplaceable(accounts: StoredAccounts, id: AuthProfileId): boolean {
		const account = knownAccounts(accounts, {}).find(({ profileId }) => profileId === id);
		const isExpired = account !== undefined && lackOf(account, this.#parts.clock.now()) === "expired";
		return isExpired || this.#parts.states.cooling(id)?.reason === "auth";
	}
}

function checkName(profileId: AuthProfileId, provider: ModelProvider): void {
	if (providerOf(profileId) !== provider)
		throw new ContractError("INVALID_PARAMS", {
			detail: `The account's name must start with "${provider}:".`,
			fix: `Choose a name such as ${provider}:work.`,
		});
	if (isEnvironmentId(profileId))
		throw new ContractError("INVALID_PARAMS", {
			detail: "This name is reserved for the account from the environment.",
			fix: "Choose another name.",
		});
}

function checkExpiry(expires: number, now: number): void {
	if (expires > now && expires <= Date.UTC(9999, 11, 31)) return;
	const [detail, fix] =
		expires <= now
			? [
					"This credential has already expired.",
					"Use a credential that has not expired. If the expiry time is wrong, send it in milliseconds since 1970.",
				]
			: ["The credential's expiry time is too far in the future.", "Send the time in milliseconds since 1970, or leave it out."];
	throw new ContractError("CREDENTIAL_INVALID", { detail, fix });
}

function refuseKnown({ profiles }: StoredAccounts, credential: NewCredential): void {
	const value = storedValue(toStored(credential));
	const known = Object.entries(profiles).find(([, stored]) => storedValue(stored) === value);
	if (known === undefined) return;
	throw new ContractError("CREDENTIAL_KNOWN", {
		detail: `This credential is already stored, as ${known[0]}.`,
		fix: `Use the account ${known[0]}.`,
	});
}

function toStored(credential: NewCredential): StoredCredential {
	if (credential.type === "api_key") return credential;
	const { type, token, expires } = credential;
	return { type, token, ...(expires !== undefined && { expires }) };
}
