import { type Capabilities, CONTRACT_VERSION, limits, type ProviderCapability, type StorageSpace } from "@xworkmate/contracts";
import { type Clock, timestamp } from "../ports/clock.ts";
import type { RunLimits } from "../ports/runs/run-limits.ts";

export interface CapabilityOptions {
	readonly runLimits: RunLimits;
	readonly openclaw: { readonly maxActive: number; readonly maxQueued: number };
	readonly clock: Clock;
	readonly storage: StorageSpace | undefined;
}

/** The answer of `acp.capabilities`. Pure except for the clock. */
export function describeCapabilities(providers: readonly ProviderCapability[], options: CapabilityOptions): Capabilities {
	const { runLimits, openclaw, clock, storage } = options;
	return {
		contractVersion: CONTRACT_VERSION,
		serverTime: timestamp(clock.now()),
		executionTargets: ["agent", "gateway"],
		limits: {
			maxActiveRuns: runLimits.maxActiveRuns,
			openclaw: { maxActive: openclaw.maxActive, maxQueued: openclaw.maxQueued },
			maxQueuedPerThread: runLimits.maxQueuedPerThread,
			attachmentBytes: limits.attachmentBytes,
			attachmentsBytes: limits.attachmentsBytes,
			bodyBytes: limits.bodyBytes,
			promptBytes: limits.promptBytes,
			runBudgetMs: runLimits.runBudgetMs,
			approvalMs: runLimits.approvalMs,
		},
		...(storage === undefined ? {} : { storage }),
		providers: [...providers],
	};
}
