import { ProviderId } from "@xworkmate/contracts";
import type { ProviderOutcome } from "../../runs/run-event.ts";
import type { Availability, Provider } from "../provider.ts";

const message = "No OpenClaw gateway is configured.";

/** Stands where a gateway would be, so that whoever asks for it learns what to set. */
export class UnconfiguredGateway implements Provider {
	readonly providerId = ProviderId.parse("openclaw");
	readonly label = "OpenClaw";
	readonly target = "gateway";
	readonly features = { approvals: false, followUp: false, resume: false, attachments: false };

	async availability(): Promise<Availability> {
		const fix = "Set XWORKMATE_OPENCLAW_URL and XWORKMATE_OPENCLAW_TOKEN, then restart the bridge.";
		return { available: false, unavailable: { code: "GATEWAY_NOT_CONFIGURED", message, fix } };
	}

	/** Runs of an earlier bridge that had one: whether they ended is not known here. */
	async runTurn(): Promise<ProviderOutcome> {
		return { kind: "lost", code: "GATEWAY_LOST", message };
	}

	async releaseSession(): Promise<void> {}

	async close(): Promise<void> {}
}
