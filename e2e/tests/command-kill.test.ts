import { expect, it } from "vitest";
import { BareClient } from "../support/bare-client.ts";
import { readEndpoint, readToken } from "../support/bridge-process.ts";
import { startCommand } from "../support/command.ts";
import { endByPid } from "../support/live-processes.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { quietThreads, startApp, type ThreadLine } from "../support/started-app.ts";
import { type TemporaryHome, temporaryHome } from "../support/temporary-home.ts";
import { syncedFiles } from "../support/thread-folder.ts";
import { within } from "../support/wait-until.ts";

const program =
	"for (let n = 0; n < 12; n++) { console.log('line ' + n); await tools.files.write({path: n + '.txt', text: 'x'.repeat(20000)}); await tools.time.wait({ms: 60}); } return 'done'";

/** A thread says what the bridge says of its last run, no more and no less. */
async function expectAgreement(home: TemporaryHome, thread: ThreadLine): Promise<string> {
	const endpoint = await readEndpoint(home);
	const client = new BareClient({ url: endpoint?.url ?? "", token: await readToken(home) });
	const last = thread.turns.at(-1);
	const snapshot = await client.snapshot({ threadId: thread.threadId, turnId: last?.turnId ?? "" });
	const files = Object.keys(await syncedFiles(home)).filter((path) => path.startsWith(`${snapshot.artifactScope.split("/")[1]}/`));
	if (snapshot.status === "completed") {
		expect(thread).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "success", lastArtifactSyncStatus: "synced" });
		expect(files.length).toBe(snapshot.artifacts.count);
	} else {
		expect(snapshot.status).toBe("interrupted");
		expect(thread).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "interrupted", lastArtifactSyncStatus: "failed" });
		expect(files).toEqual([]);
	}
	return snapshot.status;
}

it("[T4-18] [T4-59] takes up every thread again after kill -9 of the app at seeded moments", async () => {
	const random = seededRandom(7);
	await using home = await temporaryHome();
	for (let round = 0; round < 3; round++) {
		const app = await startApp(home);
		const run = startCommand(home, ["run", "--provider", "script", program]);
		await run.until(new RegExp(`line ${Math.floor(random() * 11)}\\b`));
		endByPid(app.command.pid);
		await within("the end of the app", 5_000, app.command.ended);
		await within("the end of the app's client", 20_000, run.ended);
		await using _again = await startApp(home);
		const threads = await quietThreads(home);
		expect(threads.length).toBe(round + 1);
		for (const thread of threads) await expectAgreement(home, thread);
	}
}, 150_000);

it("[T4-18] finds the run of a command that was killed", async () => {
	await using home = await temporaryHome();
	const run = startCommand(home, ["run", "--provider", "script", program]);
	await run.until(/line 3\b/);
	endByPid(run.pid);
	await within("the end of the command", 5_000, run.ended);
	await using _app = await startApp(home);
	const threads = await quietThreads(home);
	expect(threads.length).toBe(1);
	for (const thread of threads) await expectAgreement(home, thread);
});

it("[T4-44] [T4-58] tells the outcome of a run whose bridge was killed under the command", async () => {
	await using home = await temporaryHome();
	await using app = await startApp(home);
	const run = startCommand(home, ["run", "--provider", "script", program]);
	await run.until(/line 3\b/);
	endByPid(app.bridgePid);
	const ended = await within("the end of the command", 40_000, run.ended);
	expect(ended.code, ended.stdout + ended.stderr).toBe(6);
	expect(ended.stdout + ended.stderr).toContain("BRIDGE_RESTARTED");
});
