import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { repositoryRoot } from "./bridge-process.ts";
import type { GatewayPlugin } from "./openclaw-config.ts";

const Manifest = z.object({ id: z.string() });

/** Builds the plugin of this repository as a gateway loads it. @throws with the compiler's words */
export function buildPlugin(): Promise<GatewayPlugin> {
	const folder = join(repositoryRoot, "openclaw-plugins");
	const rolldown = join(folder, "node_modules", ".bin", "rolldown");
	const { status, stderr, stdout } = spawnSync(rolldown, ["-c", "rolldown.config.ts"], { cwd: folder, encoding: "utf8" });
	if (status !== 0 || !existsSync(join(folder, "dist", "index.js"))) throw new Error(`the plugin was not built: ${stdout}${stderr}`);
	return pluginIn(folder);
}

/** Tools that leave files where real media tools of a gateway leave them. */
export function mediaPlugin(): Promise<GatewayPlugin> {
	return pluginIn(fileURLToPath(new URL("../fakes/openclaw-media", import.meta.url)));
}

async function pluginIn(folder: string): Promise<GatewayPlugin> {
	const { id } = Manifest.parse(JSON.parse(await readFile(join(folder, "openclaw.plugin.json"), "utf8")));
	return { id, folder };
}
