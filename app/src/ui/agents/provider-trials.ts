import type { ProviderCapability, ProviderId } from "@xworkmate/contracts";
import type { TestedProvider } from "../../api/ui-api.ts";
import { APP_GONE, AppRefusal, sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { Store } from "../connection/store.ts";

/** The state of a provider's test: the test is waiting or running, it has ended with or without a problem, or the call to run it failed. */
export type Trial =
	| { readonly state: "running" | "waiting" }
	| ({ readonly state: "over"; readonly at: string; readonly before: string } & TestedProvider)
	/** `lost`: the bridge or the app did not answer. `unsent`: the test is known not to have reached the bridge. */
	| { readonly state: "failed"; readonly before: string; readonly message: string; readonly lost?: "unsent" | "cut_off" };

/**
 * The results of tests. They are kept as long as this page is open, and are shown beside their providers until something newer is known.
 */
export const trials = new Store<ReadonlyMap<ProviderId, Trial>>(new Map());

function set(providerId: ProviderId, trial: Trial): void {
	trials.set(new Map(trials.value).set(providerId, trial));
}

export async function tryProvider(provider: ProviderCapability): Promise<void> {
	const { providerId } = provider;
	const before = knownOf(provider);
	set(providerId, { state: "running" });
	try {
		const tested = await callApp("testProvider", { providerId });
		set(providerId, { state: "over", at: new Date().toISOString(), before, ...tested });
	} catch (error) {
		const lost = lostOf(error);
		set(providerId, { state: "failed", before, message: sayError(error), ...(lost && { lost }) });
	}
}

/** A key that changes with each test or run that gives new information about the agent, wherever the test or run was started. */
function knownOf({ available, lastTest, answeredAt, failedRun }: ProviderCapability): string {
	return JSON.stringify([available, lastTest?.at, answeredAt, failedRun?.at]);
}

/**
 * The provider's trial, if nothing newer is known: the bridge reports what it reported before the trial, or reports this trial as the last
 * test. A later test, sign-in or run may have been started elsewhere.
 */
export function newestTrial(provider: ProviderCapability, tried: ReadonlyMap<ProviderId, Trial>): Trial | undefined {
	const trial = tried.get(provider.providerId);
	if (trial === undefined || !("before" in trial) || trial.before === knownOf(provider)) return trial;
	const isItself = trial.state === "over" && provider.lastTest !== undefined && trial.provider.lastTest?.at === provider.lastTest.at;
	return isItself ? trial : undefined;
}

/** Whether a test has no result because the bridge or the app did not answer: it was not sent, or it may have been interrupted. */
export function lostOf(error: unknown): "unsent" | "cut_off" | undefined {
	if (!(error instanceof AppRefusal)) return undefined;
	if (["BRIDGE_NOT_RUNNING", "ACP_HTTP_CONNECT_FAILED"].includes(error.code)) return "unsent";
	return [APP_GONE, "ACP_HTTP_CONNECTION_CLOSED"].includes(error.code) ? "cut_off" : undefined;
}

/** A provider's problem as the page shows it: what the bridge reports or, if it reports nothing, what the newest test or run showed. */
export function problemOf(provider: ProviderCapability, trial: Trial | undefined): ProviderCapability["unavailable"] {
	if (provider.unavailable !== undefined) return provider.unavailable;
	const tested = trial?.state === "over" ? trial.provider.unavailable : provider.lastTest?.problem;
	return tested ?? failedRunOf(provider, trial)?.problem;
}

/**
 * The last run, if the provider did not work in it. A test that does not start the provider, such as the assistant's, does not show that
 * the provider works again.
 */
export function failedRunOf(provider: ProviderCapability, trial: Trial | undefined): ProviderCapability["failedRun"] {
	return (trial?.state === "over" ? trial.provider : provider).failedRun;
}

/** Runs one test at a time, because starting an agent uses a lot of CPU time. */
export async function tryAll(providers: readonly ProviderCapability[]): Promise<void> {
	for (const { providerId } of providers) set(providerId, { state: "waiting" });
	for (const provider of providers) await tryProvider(provider);
}
