import { readFile, writeFile } from "node:fs/promises";
import { type KeptPart, merge, readKeptResults, stamped, takeStamp, writeKeptResults } from "./kept-results.ts";
import { type PartName, readOptions } from "./options.ts";
import { benchActions } from "./parts/actions.ts";
import { benchAssistant } from "./parts/assistant.ts";
import { benchDelivery } from "./parts/delivery.ts";
import { benchList } from "./parts/list.ts";
import { benchOpenClaw } from "./parts/openclaw.ts";
import { benchPage } from "./parts/page.ts";
import { benchRequest } from "./parts/request.ts";
import { benchScale } from "./parts/scale.ts";
import { benchScript } from "./parts/script.ts";
import { benchStart } from "./parts/start.ts";
import { benchSync } from "./parts/sync.ts";
import { benchTurn } from "./parts/turn.ts";
import { profileTurns } from "./profile/profile-turns.ts";
import { useScratchFolder } from "./scratch.ts";
import { resultsTable, withResults } from "./show-results.ts";

const parts = {
	request: benchRequest,
	turn: benchTurn,
	sync: benchSync,
	start: benchStart,
	openclaw: benchOpenClaw,
	page: benchPage,
	list: benchList,
	script: benchScript,
	actions: benchActions,
	assistant: benchAssistant,
	delivery: benchDelivery,
	scale: benchScale,
};
const page = new URL("../docs/performance.md", import.meta.url);

/**
 * Measures the requested parts and prints them. Except with --quick, the results replace those of the same parts in results.json and
 * docs/performance.md.
 */
const options = readOptions(process.argv.slice(2));
useScratchFolder();
const fresh: KeptPart[] = [];
for (const name of options.parts) fresh.push(await measure(name));
console.log(`\n${resultsTable(fresh.flatMap(({ results }) => results))}`);
if (options.profile !== undefined && options.parts.includes("turn")) console.log(`\n${await profileTurns(options.profile)}`);
if (!options.quick) {
	const kept = merge(await readKeptResults(), fresh);
	await writeKeptResults(kept);
	await writeFile(page, withResults(await readFile(page, "utf8"), kept));
}

async function measure(name: PartName): Promise<KeptPart> {
	const stamp = takeStamp();
	const start = performance.now();
	const found = await parts[name](options);
	console.log(`${name}: measured in ${((performance.now() - start) / 1000).toFixed(0)} s`);
	return stamped(name, stamp, found);
}
