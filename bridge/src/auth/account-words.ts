import { type AuthProfileId, ContractError, type CoolingReason, type ModelProvider, type Unavailable } from "@xworkmate/contracts";
import { timestamp } from "../ports/clock.ts";
import type { NoAccount } from "../ports/models/accounts.ts";
import type { Cooling } from "./account-states.ts";
import type { KnownAccount } from "./known-accounts.ts";

export const providerNames: Readonly<Record<ModelProvider, string>> = { anthropic: "Anthropic", openai: "OpenAI" };

const COMMAND = "npm run -s xworkmate -- auth";

/** How to add an account, in one sentence. */
const loginWords: Readonly<Record<ModelProvider, string>> = {
	anthropic: `Add an account: run \`claude setup-token\`, then \`${COMMAND} anthropic setup-token\`, or use an API key with \`${COMMAND} anthropic api-key\`.`,
	openai: `Add an account: \`${COMMAND} openai api-key\`, or set OPENAI_BASE_URL to a server that needs no key and restart the bridge.`,
};

const coolingWords: Readonly<Record<CoolingReason, string>> = {
	rate_limited: "is rate limited",
	auth: "was rejected",
	billing: "is out of credit",
};

/** Used when one account was requested: the others are not mentioned, because they may be usable. */
const PINNED = "The account that the message names";

/** Why an account cannot be used, however long the user waits. */
export type Lack = "expired" | "missing";

/** An account that was considered, and why it is not used. */
export interface Unused {
	readonly account: KnownAccount;
	readonly why: Lack | Cooling;
}

/** The error if no account of a provider can be used, or the requested one can't. States the soonest time if waiting helps. */
export function noAccount(provider: ModelProvider, unused: readonly Unused[], isPinned: boolean): NoAccount {
	const name = providerNames[provider];
	if (unused.length === 0) return { code: "PROVIDER_AUTH_REQUIRED", message: `There is no account for ${name}. ${loginWords[provider]}` };
	const said = unused.map(({ account, why }) => `${account.profileId} ${whyWords(account, why)}`).join(", ");
	const limited = unused.flatMap(({ why }) => (typeof why === "object" && why.reason !== "auth" ? [why.until] : []));
	if (limited.length === 0) {
		const message = isPinned
			? `${PINNED} can't be used: ${said}. Replace its credential, or send the message without naming an account.`
			: `No account for ${name} can be used: ${said}. ${loginWords[provider]}`;
		return { code: "PROVIDER_AUTH_REQUIRED", message };
	}
	if (isPinned) {
		const message = `${PINNED} is unavailable: ${said}. Send the message again after that, or without naming an account.`;
		return { code: "PROVIDER_LIMITED", message };
	}
	const soonest = Math.min(...unused.flatMap(({ why }) => (typeof why === "object" ? [why.until] : [])));
	return {
		code: "PROVIDER_LIMITED",
		message: `All accounts for ${name} are unavailable until ${timestamp(soonest)}: ${said}. Send the message again after that, or add another account.`,
	};
}

export function unknownAccount(profileId: string): ContractError {
	return new ContractError("INVALID_PARAMS", {
		detail: `There is no account named ${profileId}.`,
		fix: `List the accounts: ${COMMAND} list`,
	});
}

/** The error if the accounts file cannot be read, so that the bridge can't tell which account the user wants to pay with. */
export function unreadableAccounts({ message, fix }: Unavailable): NoAccount {
	return { code: "PROVIDER_AUTH_REQUIRED", message: `${message} ${fix}` };
}

export function pinnedUnknown(profileId: string, provider: ModelProvider): NoAccount {
	return {
		code: "PROVIDER_AUTH_REQUIRED",
		message: `The message names the account ${profileId}, but there is no ${providerNames[provider]} account with that name. List the accounts: \`${COMMAND} list\`.`,
		isRequest: true,
	};
}

/** Why the account cannot be tested, known without making a request. */
export function lackProblem(account: KnownAccount, lack: Lack): Unavailable {
	const message = `${account.profileId} ${whyWords(account, lack)}.`;
	const fix =
		lack === "missing" && account.variable !== undefined
			? `Set ${account.variable} in the bridge's environment, then restart the bridge.`
			: loginWords[account.provider];
	return { code: lack === "missing" ? "CREDENTIAL_MISSING" : "CREDENTIAL_EXPIRED", message, fix };
}

export function rotationWords({ reason }: { readonly reason: CoolingReason }, from: AuthProfileId): string {
	return `${from} ${coolingWords[reason]}`;
}

function whyWords({ expires, variable, type }: KnownAccount, why: Lack | Cooling): string {
	if (why === "expired") {
		const renewed = type === "oauth" ? ", and XWorkmate does not renew it" : "";
		return `expired${expires === undefined ? "" : ` (${timestamp(expires)})`}${renewed}`;
	}
	if (why === "missing") return `needs the variable ${variable ?? ""}, which is not set to a credential`;
	return `${coolingWords[why.reason]}${why.reason === "auth" ? "" : ` until ${timestamp(why.until)}`}`;
}
