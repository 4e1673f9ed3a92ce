import { readFile, writeFile } from "node:fs/promises";
import { type PartName, partNames, readOptions } from "./options.ts";
import { benchOpenClaw } from "./parts/openclaw.ts";
import { benchRequest } from "./parts/request.ts";
import { benchStart } from "./parts/start.ts";
import { benchSync } from "./parts/sync.ts";
import { benchTurn } from "./parts/turn.ts";
import type { Result } from "./result.ts";
import { useScratchFolder } from "./scratch.ts";
import { resultsDocument, resultsTable, withResults } from "./show-results.ts";

const parts = { request: benchRequest, turn: benchTurn, sync: benchSync, start: benchStart, openclaw: benchOpenClaw };
const resultsFile = new URL("./results.json", import.meta.url);
const page = new URL("../docs/performance.md", import.meta.url);

/** Measures the parts asked for and shows them; a full run is written to results.json and docs/performance.md. */
const options = readOptions(process.argv.slice(2));
useScratchFolder();
const results: Result[] = [];
for (const name of options.parts) results.push(...(await measure(name)));
console.log(`\n${resultsTable(results)}`);
if (!options.quick && options.parts.length === partNames.length) {
	await writeFile(resultsFile, resultsDocument(results));
	await writeFile(page, withResults(await readFile(page, "utf8"), results));
}

async function measure(name: PartName): Promise<readonly Result[]> {
	const start = performance.now();
	const found = await parts[name](options);
	console.log(`${name}: measured in ${((performance.now() - start) / 1000).toFixed(0)} s`);
	return found;
}
