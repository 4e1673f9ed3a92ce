import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const repositoryRoot = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");

/** A folder of bundled programs that are tested instead of the sources (docs/decisions/0097), or an installed package. */
export const bundledPrograms = process.env.XWORKMATE_TEST_PACKAGE;

/** The command as `npm start` starts it. */
export const appSource = join(repositoryRoot, "app", "src", "main.ts");
export const bridgeMain =
	bundledPrograms === undefined ? join(repositoryRoot, "bridge", "src", "main.ts") : join(bundledPrograms, "programs", "bridge.js");
export const appMain = bundledPrograms === undefined ? appSource : join(bundledPrograms, "programs", "xworkmate.js");
