import type { ProviderFeatures, ProviderId, Unavailable } from "@xworkmate/contracts";
import type { Availability, Provider } from "../../ports/agents/provider.ts";
import type { ProviderOutcome } from "../../ports/runs/run-event.ts";
import type { ProvidersFileProblem } from "./providers-file.ts";

const nothing: ProviderFeatures = { approvals: false, followUp: false, resume: false, attachments: false };

/** Replaces a provider whose definition could not be read, and reports why to callers that ask for it. */
export class MisconfiguredProvider implements Provider {
	readonly target = "agent";
	readonly isDefined = true;
	readonly features = nothing;
	readonly providerId: ProviderId;
	readonly label: string;
	readonly #unavailable: Unavailable;

	constructor(providerId: ProviderId, problems: readonly ProvidersFileProblem[]) {
		this.providerId = providerId;
		this.label = providerId;
		const message = problems.map((problem) => `${problem.place}: ${problem.message}`).join("\n");
		this.#unavailable = { code: "PROVIDER_MISCONFIGURED", message, fix: "Correct providers.json, then restart the bridge." };
	}

	async availability(): Promise<Availability> {
		return { available: false, unavailable: this.#unavailable };
	}

	async runTurn(): Promise<ProviderOutcome> {
		return { kind: "failed", code: "PROVIDER_ERROR", message: this.#unavailable.message };
	}

	async releaseSession(): Promise<void> {}

	async close(): Promise<void> {}
}
