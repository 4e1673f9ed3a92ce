import { gatewayNotSetUp, ProviderId } from "@xworkmate/contracts";
import type { Availability, Provider } from "../../ports/agents/provider.ts";
import type { ProviderOutcome } from "../../ports/runs/run-event.ts";

/** Used when no gateway is configured; reports which settings are missing. */
export class UnconfiguredGateway implements Provider {
	readonly providerId = ProviderId.parse("openclaw");
	readonly label = "OpenClaw";
	readonly target = "gateway";
	readonly features = { approvals: false, followUp: false, resume: false, attachments: false };

	async availability(): Promise<Availability> {
		return { available: false, unavailable: { code: "GATEWAY_NOT_CONFIGURED", ...gatewayNotSetUp } };
	}

	/** Called only for runs that an earlier bridge, which had a gateway, left in its queue. No part of them has reached a gateway. */
	async runTurn(): Promise<ProviderOutcome> {
		const message = `OpenClaw is no longer set up, so this message was never sent to it. ${gatewayNotSetUp.fix}`;
		return { kind: "failed", code: "OPENCLAW_NOT_CONFIGURED", message };
	}

	async releaseSession(): Promise<void> {}

	async close(): Promise<void> {}
}
