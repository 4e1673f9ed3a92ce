import { readEndpoint, readToken } from "../bridge/bridge-process.ts";
import { endByPid } from "../machine/live-processes.ts";
import { seededRandom } from "../machine/seeded-random.ts";
import { type TemporaryHome, temporaryHome } from "../machine/temporary-home.ts";
import { within } from "../machine/wait-until.ts";
import { BareClient } from "../wire/bare-client.ts";
import { expectServedBytes } from "../wire/served-artifacts.ts";
import { startCommand } from "./command.ts";
import { quietThreads, startApp, type ThreadLine } from "./started-app.ts";
import { syncedFiles } from "./thread-folder.ts";

const LINES = 12;

/** Twelve times: writes a line to the console and a file, and waits 60 ms, so that a kill can come between any two of these steps. */
export const linesAndFiles = `for (let n = 0; n < ${LINES}; n++) { console.log('line ' + n); await tools.files.write({path: n + '.txt', text: String(n).padEnd(20000, 'x')}); await tools.time.wait({ms: 60}); } return 'done'`;

/** Fails unless a ready thread says what the bridge says about its last run, and holds that run's bytes or none. */
export async function expectAgreement(home: TemporaryHome, thread: ThreadLine): Promise<void> {
	const endpoint = await readEndpoint(home);
	const client = new BareClient({ url: endpoint?.url ?? "", token: await readToken(home) });
	const snapshot = await client.snapshot({ threadId: thread.threadId, turnId: thread.turns.at(-1)?.turnId ?? "" });
	const session = `${snapshot.artifactScope.split("/")[1]}/`;
	const files = Object.entries(await syncedFiles(home)).filter(([path]) => path.startsWith(session));
	const synced = snapshot.status === "completed";
	const { manifest } = await expectServedBytes(client, snapshot);
	const expected = synced ? manifest.items.map(({ relativePath, sha256 }) => [`${session}${relativePath}`, sha256]) : [];
	const said = [thread.lifecycleStatus, thread.lastResultCode, thread.lastArtifactSyncStatus];
	const right = synced ? ["ready", "success", "synced"] : ["ready", "interrupted", "failed"];
	if (!synced && snapshot.status !== "interrupted") throw new Error(`run ${snapshot.runId} is ${snapshot.status}`);
	if (JSON.stringify(said) !== JSON.stringify(right)) throw new Error(`the bridge says ${snapshot.status}, the thread ${said.join(", ")}`);
	if (JSON.stringify(files.sort()) !== JSON.stringify(expected.sort()))
		throw new Error(`the thread's folder holds ${JSON.stringify(files)}`);
}

/** Kills a running app with SIGKILL at a seeded line of a run, starts it again, and compares every thread with the bridge. */
export async function appKillRounds(seed: number, rounds: number): Promise<void> {
	const random = seededRandom(seed);
	await using home = await temporaryHome();
	for (let round = 0; round < rounds; round++) {
		const line = Math.floor(random() * (LINES - 1));
		const app = await startApp(home);
		const run = startCommand(home, ["run", "--provider", "script", linesAndFiles]);
		await run.until(new RegExp(`line ${line}\\b`));
		endByPid(app.command.pid);
		await within("the end of the app", 5_000, app.command.ended);
		await within("the end of the app's client", 20_000, run.ended);
		await using _again = await startApp(home);
		const threads = await quietThreads(home);
		if (threads.length !== round + 1) throw new Error(`round ${round}, line ${line}: ${threads.length} threads`);
		for (const thread of threads) await expectAgreement(home, thread);
	}
}
