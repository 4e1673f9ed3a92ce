import { type ModelProvider, Redaction, type Unavailable } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import type { Clock } from "../ports/clock.ts";
import type { UsableAccount } from "../ports/models/accounts.ts";
import { ModelFailure, type ModelFailureKind } from "../ports/models/model-client.ts";
import type { AccountStates } from "./account-states.ts";
import { lackProblem, providerNames } from "./account-words.ts";
import type { KnownAccount } from "./known-accounts.ts";
import { lackOf } from "./run-accounts.ts";

const BOUND_MS = 20_000;
const MESSAGE_CHARACTERS = 300;

/**
 * Makes the smallest possible request with an account.
 * @throws ModelFailure; the signal's reason if it was aborted
 */
export type Probe = (account: UsableAccount, signal: AbortSignal) => Promise<void>;

export type TestAccount = (account: KnownAccount) => Promise<{ readonly problem?: Unavailable; readonly tookMs: number }>;

/** Tests accounts, each within 20 seconds, and records what the answers say about them. */
export function accountTest(probe: Probe, states: AccountStates, clock: Clock, boundMs = BOUND_MS): TestAccount {
	return async (account) => {
		const { profileId, provider, credential } = account;
		const lack = lackOf(account, clock.now());
		if (lack !== undefined || credential === undefined) return { problem: lackProblem(account, lack ?? "missing"), tookMs: 0 };
		const began = performance.now();
		const took = () => Math.round(performance.now() - began);
		const signal = AbortSignal.timeout(boundMs);
		try {
			await Promise.race([probe({ profileId, provider, credential }, signal), aborted(signal)]);
		} catch (error) {
			const tookMs = took();
			if (signal.aborted) return { problem: silent(provider, boundMs), tookMs };
			if (!(error instanceof ModelFailure)) throw error;
			// A rate limit applies to one model, and only a run knows which, so it is not recorded.
			if (error.kind === "auth" || error.kind === "billing") await states.failed(profileId, "", { reason: error.kind });
			return { problem: problemOf(error, provider, credential.secret), tookMs };
		}
		await states.succeeded(profileId, "");
		return { tookMs: took() };
	};
}

const problems: Readonly<Record<ModelFailureKind, { readonly code: string; readonly said: string; readonly fix: string }>> = {
	auth: { code: "PROVIDER_AUTH_REQUIRED", said: "rejected this account", fix: "Replace the credential with a new one." },
	billing: { code: "PROVIDER_LIMITED", said: "says that this account is out of credit", fix: "Add credit with the provider." },
	rate_limited: { code: "PROVIDER_LIMITED", said: "is rate limiting this account", fix: "Wait a while, then test the account again." },
	overloaded: { code: "PROVIDER_ERROR", said: "is overloaded", fix: "Wait a while, then test the account again." },
	network: { code: "PROVIDER_ERROR", said: "can't be reached", fix: "Check the network connection and the server's address." },
	broken: { code: "PROVIDER_ERROR", said: "sent an invalid response", fix: "Check the server's address." },
	refused: { code: "PROVIDER_ERROR", said: "refused the request", fix: "Check the model and the server's address." },
};

function problemOf(failure: ModelFailure, provider: ModelProvider, secret: string): Unavailable {
	const { code, said, fix } = problems[failure.kind];
	const detail = new Redaction([secret]).text(errorMessage(failure)).replace(/\s+/g, " ").slice(0, MESSAGE_CHARACTERS).toWellFormed();
	return { code, message: `${providerNames[provider]} ${said}: ${detail}`, fix };
}

function silent(provider: ModelProvider, boundMs: number): Unavailable {
	const message = `${providerNames[provider]} did not answer within ${Math.round(boundMs / 1_000)} s.`;
	return { code: "PROVIDER_SILENT", message, fix: "Check the network connection and the server's address." };
}

/** Rejects when the signal aborts, so that a probe that does not end in time cannot hold up the caller. */
function aborted(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		signal.addEventListener("abort", () => reject(signal.reason), { once: true });
	});
}
