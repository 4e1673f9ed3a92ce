import type { ProviderCapability, ProviderId } from "@xworkmate/contracts";
import type { TestedProvider } from "../../api/ui-api.ts";
import { APP_GONE, AppRefusal, sayError } from "../connection/app-refusal.ts";
import { callApp } from "../connection/call-app.ts";
import { Store } from "../connection/store.ts";

/** The test of a provider: it is running, it reported a problem, or the call failed. */
export type Trial =
	| { readonly state: "running" | "waiting" }
	| ({ readonly state: "over" } & TestedProvider)
	/** `isCutOff`: the bridge or the app did not answer. */
	| { readonly state: "failed"; readonly message: string; readonly isCutOff: boolean };

/** Results are kept as long as this page is open, and are shown beside their providers. */
export const trials = new Store<ReadonlyMap<ProviderId, Trial>>(new Map());

function set(providerId: ProviderId, trial: Trial): void {
	trials.set(new Map(trials.value).set(providerId, trial));
}

export async function tryProvider(providerId: ProviderId): Promise<void> {
	set(providerId, { state: "running" });
	try {
		set(providerId, { state: "over", ...(await callApp("testProvider", { providerId })) });
	} catch (error) {
		set(providerId, { state: "failed", message: sayError(error), isCutOff: isCutOff(error) });
	}
}

function isCutOff(error: unknown): boolean {
	return (
		error instanceof AppRefusal &&
		[APP_GONE, "BRIDGE_NOT_RUNNING", "ACP_HTTP_CONNECT_FAILED", "ACP_HTTP_CONNECTION_CLOSED"].includes(error.code)
	);
}

/** A provider's problem as the page shows it: a test knows more about it than the bridge. */
export function problemOf(provider: ProviderCapability, trial: Trial | undefined): ProviderCapability["unavailable"] {
	return provider.unavailable ?? (trial?.state === "over" ? trial.provider.unavailable : provider.lastTest?.problem);
}

/** Runs one test at a time, because starting an agent uses a lot of the machine's time. */
export async function tryAll(providers: readonly ProviderCapability[]): Promise<void> {
	for (const { providerId } of providers) set(providerId, { state: "waiting" });
	for (const { providerId } of providers) await tryProvider(providerId);
}
