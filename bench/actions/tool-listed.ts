import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { z } from "zod";
import { temporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { Program } from "../programs/program.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { hasEnded } from "../scratch.ts";
import { startWithTools, toolFile, writeTools } from "./tool-home.ts";

/** How long the bridge waits for further changes after the last one (QUIET_MS of bridge/src/tools/integrations/tool-watch.ts). */
const ALLOWED_MS = 100;
const STEP_MS = 5;
const Listed = z.object({ integrations: z.array(z.object({ integration: z.string(), state: z.string() })) });

/** From the write of a new integration until the bridge lists it. */
export async function benchToolListed(quick: boolean): Promise<readonly Result[]> {
	await using home = await temporaryHome();
	await using bridge = await startWithTools(home, ["bench"]);
	const client = bridge.client();
	const bare = join(home.path, "bare-tools.mts");
	// The bridge's host resolves these names; a bare process is told where they are.
	const tool = new URL("../../tool-sdk/src/index.ts", import.meta.url).href;
	const zod = pathToFileURL(fileURLToPath(import.meta.resolve("zod"))).href;
	const importing = toolFile("bare").replace('"@xworkmate/tool"', `"${tool}"`).replace('"zod"', `"${zod}"`);
	await writeFile(bare, `${importing}process.once("disconnect", () => process.exit(0));\nprocess.send?.({});\n`);
	let round = 0;
	const measures = {
		bare: async () => {
			const from = performance.now();
			await using _child = await Program.start(pathToFileURL(bare).href);
			return performance.now() - from;
		},
		listed: async () => {
			const name = `fresh${++round}`;
			const isListed = async () =>
				Listed.parse(await client.rpc("xworkmate.tools.list")).integrations.some(
					(one) => one.integration === name && one.state === "active",
				);
			const from = performance.now();
			await writeTools(home, name);
			while (!(await isListed())) await delay(STEP_MS);
			const took = performance.now() - from;
			await rm(join(home.xworkmate, "tools", name), { recursive: true });
			while (await isListed()) await delay(STEP_MS);
			return took - ALLOWED_MS;
		},
	};
	await interleave(1, measures);
	const samples = await interleave(quick ? 3 : 7, measures);
	hasEnded(bridge.pid);
	return [
		compare(samples, {
			name: `a tool file, from its write until it is listed, less ${ALLOWED_MS} ms`,
			unit: "ms",
			against: "its import in a child process",
			baseline: "bare",
			measured: "listed",
			aim: { atMost: 2 },
		}),
	];
}
