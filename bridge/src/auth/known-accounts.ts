import { AuthProfileId, type AuthProfileType, ModelProvider } from "@xworkmate/contracts";
import type { ModelCredential } from "../ports/models/model-client.ts";
import { environmentCredential, type Variables, variableValue } from "./environment-accounts.ts";
import { providerOf, type StoredAccounts, type StoredCredential, storedValue, variableOf } from "./stored-accounts.ts";

/** An account with its secret. */
export interface KnownAccount {
	readonly profileId: AuthProfileId;
	readonly provider: ModelProvider;
	readonly type: AuthProfileType;
	/** The variable that holds the secret, if the secret is not stored. */
	readonly variable?: string;
	/** Milliseconds since 1970. */
	readonly expires?: number;
	/** Absent if the account's variable is not set, or holds something that cannot be sent. */
	readonly credential?: ModelCredential;
}

/** Text that can be sent in a header. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** The accounts of all providers, each provider's in the order in which they are tried, with its account from the environment last. */
export function knownAccounts(stored: StoredAccounts, environment: Variables): readonly KnownAccount[] {
	return ModelProvider.options.flatMap((provider) => [
		...storedOrder(stored, provider).flatMap((profileId) => {
			const credential = stored.profiles[profileId];
			return credential === undefined ? [] : [storedAccount(profileId, credential, environment)];
		}),
		...fromEnvironment(environment, provider),
	]);
}

/** The stored accounts of a provider: those that the order names, then the others. */
export function storedOrder({ profiles, order }: StoredAccounts, provider: ModelProvider): readonly AuthProfileId[] {
	const own = Object.keys(profiles)
		.map((id) => AuthProfileId.parse(id))
		.filter((id) => providerOf(id) === provider);
	const named = (order[provider] ?? []).filter((id) => own.includes(id));
	return [...new Set([...named, ...own])];
}

function storedAccount(profileId: AuthProfileId, stored: StoredCredential, environment: Variables): KnownAccount {
	const value = storedValue(stored);
	const variable = variableOf(value);
	const secret = variable === undefined ? value : variableValue(environment, variable);
	// An OAuth credential is a token that another program refreshes.
	const type = stored.type === "api_key" ? "api_key" : "token";
	return {
		profileId,
		provider: providerOf(profileId),
		type: stored.type,
		...(variable !== undefined && { variable }),
		...("expires" in stored && stored.expires !== undefined && { expires: stored.expires }),
		...(secret !== undefined && SENDABLE.test(secret) && { credential: { type, secret } }),
	};
}

function fromEnvironment(environment: Variables, provider: ModelProvider): readonly KnownAccount[] {
	const found = environmentCredential(environment, provider);
	if (found === undefined) return [];
	const { variable, ...credential } = found;
	const isSendable = credential.type === "none" || SENDABLE.test(credential.secret);
	return [
		{
			profileId: AuthProfileId.parse(`${provider}:env`),
			provider,
			type: credential.type,
			variable,
			...(isSendable && { credential }),
		},
	];
}
