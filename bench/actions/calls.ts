import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { BridgeProcess } from "../../e2e/support/bridge/bridge-process.ts";
import { temporaryHome } from "../../e2e/support/machine/temporary-home.ts";
import { Program } from "../programs/program.ts";
import { compare, type Result } from "../result.ts";
import { interleave } from "../rounds.ts";
import { hasEnded } from "../scratch.ts";
import { scriptRunMs } from "../script-load.ts";
import { bareCommits } from "./bare-commits.ts";
import { startWithTools } from "./tool-home.ts";

const CONCURRENT = 1_000;
/** As many as a program may have open. */
const OPEN = 64;
const look = `const look = async (at: number) => { const r = await tools.bench.look({ at }); if (!r.ok) throw new Error(r.error.message); };`;
const none = `${look} return "done";`;
const inTurn = (calls: number) => `${look} for (let at = 0; at < ${calls}; at++) await look(at); return "done";`;
const atOnce = `${look} let next = 0;
const work = async () => { while (next < ${CONCURRENT}) await look(next++); };
await Promise.all(Array.from({ length: ${OPEN} }, work)); return "done";`;

/** Calls of a typed read that does nothing, each with three receipts, in a real bridge. */
export async function benchCalls(quick: boolean): Promise<readonly Result[]> {
	await using home = await temporaryHome();
	await using bridge = await startWithTools(home, ["bench"]);
	await using echo = await Program.start("./echo.ts");
	await using bare = await bareCommits();
	const calls = quick ? 100 : 500;
	let rows = 1;
	let commits = 1;
	const measures = {
		message: async () => {
			const from = performance.now();
			for (let call = 0; call < calls; call++) {
				await echo.ask({ call });
				bare.commit(1);
			}
			return ((performance.now() - from) * 1_000) / calls;
		},
		read: async () => ((await scriptRunMs(bridge, inTurn(calls))) - (await scriptRunMs(bridge, none))) * (1_000 / calls),
		concurrent: async () => {
			const before = await writtenBy(bridge);
			const ms = await scriptRunMs(bridge, atOnce);
			const after = await writtenBy(bridge);
			rows = after.rows - before.rows;
			commits = after.commits - before.commits;
			return (CONCURRENT * 1_000) / (ms - (await scriptRunMs(bridge, none)));
		},
		inserts: async () => {
			const from = performance.now();
			for (let commit = 0; commit < commits; commit++) bare.commit(Math.ceil(rows / commits));
			return (CONCURRENT * 1_000) / (performance.now() - from);
		},
	};
	await interleave(1, measures);
	const samples = await interleave(quick ? 3 : 5, measures);
	console.log(`${CONCURRENT} concurrent reads: ${rows} rows in ${commits} commits`);
	hasEnded(bridge.pid);
	return [
		compare(samples, {
			name: "an allowed read that does nothing, with three receipts",
			unit: "us",
			against: "a message to a child process and back, and one bare commit",
			baseline: "message",
			measured: "read",
			aim: { atMost: 2 },
		}),
		compare(samples, {
			name: `${CONCURRENT} reads, ${OPEN} at once`,
			unit: "reads/s",
			against: "bare inserts of as many rows in as many commits",
			baseline: "inserts",
			measured: "concurrent",
			aim: { atLeast: 0.4 },
		}),
	];
}

/** Events and receipts in the database, and the commits of the log since the start. Steps are gone once their program has ended. */
async function writtenBy(bridge: BridgeProcess): Promise<{ readonly rows: number; readonly commits: number }> {
	const headers = { authorization: `Bearer ${bridge.token}` };
	const metrics = await (await fetch(`${bridge.url}/metrics`, { headers })).text();
	const commits = Number(/^xworkmate_commits_total (\d+)$/m.exec(metrics)?.[1]);
	const db = new DatabaseSync(join(bridge.home.xworkmate, "bridge", "bridge.sqlite"), { readOnly: true });
	const counted = db.prepare("SELECT (SELECT count(*) FROM event) + (SELECT count(*) FROM receipt) AS rows").get();
	db.close();
	return { rows: Number(counted?.rows), commits };
}
