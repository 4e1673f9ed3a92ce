import type { TestProject } from "vitest/node";
import { startFakeModel } from "../support/fake-model.ts";
import { createGateway, type GatewayPlace } from "../support/openclaw-gateway.ts";
import { buildPlugin, mediaPlugin } from "../support/openclaw-plugin.ts";

declare module "vitest" {
	interface ProvidedContext {
		readonly gateway: GatewayPlace;
		/** Absolute path of the scripted model's log. */
		readonly modelLog: string;
	}
}

/** One gateway and one model for the whole suite: a start takes longer than most tests. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
	await using cleanup = new AsyncDisposableStack();
	const plugins = [await buildPlugin(), await mediaPlugin()];
	const model = cleanup.use(await startFakeModel());
	const gateway = await createGateway({ modelUrl: model.url, plugins });
	cleanup.defer(() => gateway.remove());
	provide("gateway", gateway.place);
	provide("modelLog", model.log);
	const kept = cleanup.move();
	return () => kept.disposeAsync();
}
