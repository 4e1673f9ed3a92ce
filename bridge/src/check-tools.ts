import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { IntegrationId } from "@xworkmate/contracts";
import type { ProcessLedger } from "./ports/agents/process-ledger.ts";
import { Inflow } from "./processes/frames/inflow.ts";
import { boundedCompiler } from "./sandbox/compiler/compiler-launch.ts";
import { checkTypes, type FoundProblem } from "./tools/integrations/check-types.ts";
import { HostPool } from "./tools/integrations/host-pool.ts";
import { readSources } from "./tools/integrations/read-sources.ts";

/*
 * Checks a folder of tools and prints the result as JSON: its types, its ids and schemas, and whether it loads. The code runs in a process,
 * just as the bridge would start it, so check only code that you would accept.
 */
interface Checked {
	readonly tools: readonly { readonly toolId: string; readonly risk: string }[];
	readonly problems: readonly FoundProblem[];
}

const COMPILER_BYTES = 1024 * 2 ** 20;
const INFLOW_BYTES = 16 * 2 ** 20;
/** No ledger is needed, because this process waits for its children and leaves none behind. */
const noLedger: ProcessLedger = { add: async () => {}, remove: async () => {}, list: async () => [] };

async function checkTools(folder: string): Promise<Checked> {
	const integration = IntegrationId.safeParse(basename(folder));
	if (!integration.success) {
		const message = `The folder's name is the integration's name, and ${JSON.stringify(basename(folder))} can't be one: use at most 64 letters and digits, beginning with a lowercase letter.`;
		return { tools: [], problems: [{ code: "BAD_ID", message }] };
	}
	const sources = await readSources(folder);
	if (sources.kind === "refused") return { tools: [], problems: [sources.problem] };
	const scratch = await mkdtemp(join(tmpdir(), "xworkmate-check-"));
	const pool = new HostPool({ maxHosts: 1, dataFolder: scratch, ledger: noLedger, inflow: new Inflow(INFLOW_BYTES) });
	try {
		const opened = await pool.open(integration.data, sources.files);
		const types = await checkTypes(folder, sources.files, scratch, boundedCompiler({ memoryBytes: COMPILER_BYTES }));
		if (opened.kind === "problems") return { tools: [], problems: [...opened.problems, ...types] };
		return { tools: opened.version.tools.map(({ toolId, risk }) => ({ toolId, risk })), problems: types };
	} finally {
		await pool.close();
		await rm(scratch, { recursive: true, force: true });
	}
}

const [folder = ""] = process.argv.slice(2);
// Keeps the program running: the timers that wait for the end of a process do not.
const running = setInterval(() => undefined, 1_000);
process.stdout.write(`${JSON.stringify(await checkTools(folder))}\n`);
clearInterval(running);
