import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { repositoryRoot } from "../bridge/bridge-process.ts";
import type { GatewayPlugin } from "./openclaw-config.ts";

/** The plugin of this repository, once `buildPlugin` has built it. */
export const builtPlugin: GatewayPlugin = { id: "xworkmate", folder: join(repositoryRoot, "openclaw-plugins") };

/** Tools that leave files where real media tools of a gateway leave them. */
export const mediaPlugin: GatewayPlugin = {
	id: "fake-media",
	folder: fileURLToPath(new URL("../../fakes/openclaw-media", import.meta.url)),
};

/** Builds the plugin as a gateway loads it. @throws with the compiler's words */
export function buildPlugin(): GatewayPlugin {
	const { folder } = builtPlugin;
	const rolldown = join(folder, "node_modules", ".bin", "rolldown");
	const { status, stderr, stdout } = spawnSync(rolldown, ["-c", "rolldown.config.ts"], { cwd: folder, encoding: "utf8" });
	if (status !== 0 || !existsSync(join(folder, "dist", "index.js"))) throw new Error(`the plugin was not built: ${stdout}${stderr}`);
	return builtPlugin;
}
