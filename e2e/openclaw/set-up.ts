import type { TestProject } from "vitest/node";
import { startFakeModel } from "../support/model/fake-model.ts";
import { onboardedPlace } from "../support/openclaw/onboarded-gateway.ts";
import type { GatewayPlace } from "../support/openclaw/openclaw-config.ts";
import { createGateway, OpenClawGateway } from "../support/openclaw/openclaw-gateway.ts";
import { buildPlugin, mediaPlugin } from "../support/openclaw/openclaw-plugin.ts";

declare module "vitest" {
	interface ProvidedContext {
		readonly gateway: GatewayPlace;
		/** Started by the first file that uses it (`useOnboardedGateway`): it takes three times as long as the other. */
		readonly onboardedGateway: GatewayPlace;
		readonly modelUrl: string;
		/** Absolute path of the scripted model's log. */
		readonly modelLog: string;
	}
}

const WARM_BOUND_MS = 60_000;

/** Two gateways and one model for the whole suite: a start takes longer than most tests. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
	await using cleanup = new AsyncDisposableStack();
	const plugins = [buildPlugin(), mediaPlugin];
	const model = cleanup.use(await startFakeModel());
	const gateway = await createGateway({ modelUrl: model.url, plugins });
	cleanup.defer(() => gateway.remove());
	const onboarded = new OpenClawGateway(await onboardedPlace());
	cleanup.defer(() => onboarded.remove());
	await warmUp(gateway);
	provide("gateway", gateway.place);
	provide("onboardedGateway", onboarded.place);
	provide("modelUrl", model.url);
	provide("modelLog", model.log);
	const kept = cleanup.move();
	return () => kept.disposeAsync();
}

/** The first run of a gateway takes many times as long as the next ones. */
async function warmUp(gateway: OpenClawGateway): Promise<void> {
	using operator = await gateway.connect();
	await operator.request("chat.send", { sessionKey: "agent:main:warm", message: "FAKE:RUN true ;; SAY warm", idempotencyKey: "warm" });
	await operator.request("agent.wait", { runId: "warm", timeoutMs: WARM_BOUND_MS }, WARM_BOUND_MS + 5_000);
}
