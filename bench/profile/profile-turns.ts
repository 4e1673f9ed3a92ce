import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startBridge } from "../../e2e/support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../e2e/support/bridge/providers.ts";
import { agentId } from "../bench-bridge.ts";
import { endWithBench, hasEnded } from "../scratch.ts";
import { TurnClient } from "../turn-load.ts";
import { Inspector, inspectable } from "./inspector.ts";
import { type TimeByFolder, timeByFolder } from "./time-by-folder.ts";

const FIRST = 100;
const WARM_AFTER = 1_500;
const load = { script: "SAY hello" };

/**
 * Profiles turns of one update in a fresh bridge, the first hundred and a hundred after 1,500, writes the profiles into `folder` and
 * returns a table in Markdown: microseconds of the main thread per turn, by folder. Sampling makes each turn slower.
 */
export async function profileTurns(folder: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	await using bridge = await startBridge({
		providers: [unrulyAgent(agentId)],
		env: { XWORKMATE_LOG_LEVEL: "warn", ...inspectable },
	});
	endWithBench(bridge.pid);
	using inspector = await Inspector.attach(bridge);
	using client = new TurnClient(bridge, 1);
	await client.open();
	const profiled = async (name: string): Promise<TimeByFolder> => {
		const profile = await inspector.profile(() => client.run(FIRST, load));
		await writeFile(join(folder, `${name}.cpuprofile`), JSON.stringify(profile));
		return timeByFolder(profile);
	};
	const first = await profiled("first-turns");
	await client.run(WARM_AFTER - FIRST, load);
	const warm = await profiled("warm-turns");
	hasEnded(bridge.pid);
	return table(first, warm);
}

function table(first: TimeByFolder, warm: TimeByFolder): string {
	const names = [...new Set([...first.keys(), ...warm.keys()])].sort((a, b) => (warm.get(b) ?? 0) - (warm.get(a) ?? 0));
	const sum = (times: TimeByFolder) => [...times.values()].reduce((total, time) => total + time, 0);
	const cell = (time: number, of: TimeByFolder) => `${(time / FIRST).toFixed(0)} us (${((100 * time) / sum(of)).toFixed(0)} %)`;
	const row = (name: string, a: number, b: number) => `| ${name} | ${cell(a, first)} | ${cell(b, warm)} |`;
	return [
		`| self time per turn of one update | first ${FIRST} turns | after ${WARM_AFTER} |`,
		"| --- | --- | --- |",
		...names.map((name) => row(name, first.get(name) ?? 0, warm.get(name) ?? 0)),
		row("all", sum(first), sum(warm)),
	].join("\n");
}
