import { type Capabilities, ContractError, limits, type ProviderCapability, ProviderId } from "@xworkmate/contracts";
import { z } from "zod";
import { AT } from "./fake-run.ts";

type Gateway = Pick<ProviderCapability, "available" | "unavailable">;

/** A bridge's capabilities with an OpenClaw gateway, or without one. */
export function fakeCapabilities(openclaw: Capabilities["limits"]["openclaw"], gateway: Gateway | undefined): Capabilities {
	const features = { approvals: true, followUp: true, resume: true, attachments: true };
	const { attachmentBytes, attachmentsBytes, bodyBytes, promptBytes, approvalMs } = limits;
	const id = { providerId: ProviderId.parse("openclaw"), label: "OpenClaw", target: "gateway", features } as const;
	return {
		contractVersion: 1,
		serverTime: AT,
		executionTargets: ["agent", "gateway"],
		limits: {
			...{ maxActiveRuns: 4, openclaw, maxQueuedPerThread: 20, runBudgetMs: 3_600_000 },
			...{ attachmentBytes, attachmentsBytes, bodyBytes, promptBytes, approvalMs },
		},
		providers: gateway === undefined ? [] : [{ ...id, ...gateway }],
	};
}

/** One of its providers, by the params of `xworkmate.providers.test`. */
export function fakeProvider({ providers }: Capabilities, params: unknown): ProviderCapability {
	const { providerId } = z.object({ providerId: z.string() }).parse(params);
	const provider = providers.find((one) => one.providerId === providerId);
	if (provider === undefined) throw new ContractError("PROVIDER_NOT_FOUND", { detail: `there is no provider ${providerId}` });
	return provider;
}
