import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { z } from "zod";
import { repositoryRoot } from "../support/bridge-process.ts";
import { startFakeModel } from "../support/fake-model.ts";
import type { GatewayPlugin } from "../support/openclaw-config.ts";
import { createGateway, type GatewayPlace } from "../support/openclaw-gateway.ts";

declare module "vitest" {
	interface ProvidedContext {
		readonly gateway: GatewayPlace;
		/** Absolute path of the scripted model's log. */
		readonly modelLog: string;
	}
}

const pluginFolder = join(repositoryRoot, "openclaw-plugins");
const mediaFolder = fileURLToPath(new URL("../fakes/openclaw-media", import.meta.url));

/** One gateway and one model for the whole suite: a start takes longer than most tests. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
	buildPlugin();
	await using cleanup = new AsyncDisposableStack();
	const model = cleanup.use(await startFakeModel());
	const gateway = await createGateway({ modelUrl: model.url, plugins: [await plugin(pluginFolder), await plugin(mediaFolder)] });
	cleanup.defer(() => gateway.remove());
	provide("gateway", gateway.place);
	provide("modelLog", model.log);
	const kept = cleanup.move();
	return () => kept.disposeAsync();
}

function buildPlugin(): void {
	const rolldown = join(pluginFolder, "node_modules", ".bin", "rolldown");
	const { status, stderr, stdout } = spawnSync(rolldown, ["-c", "rolldown.config.ts"], { cwd: pluginFolder, encoding: "utf8" });
	if (status !== 0 || !existsSync(join(pluginFolder, "dist", "index.js"))) throw new Error(`the plugin was not built: ${stdout}${stderr}`);
}

async function plugin(folder: string): Promise<GatewayPlugin> {
	const { id } = z.object({ id: z.string() }).parse(JSON.parse(await readFile(join(folder, "openclaw.plugin.json"), "utf8")));
	return { id, folder };
}
