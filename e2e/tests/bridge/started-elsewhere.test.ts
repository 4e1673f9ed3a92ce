import { expect, it } from "vitest";
import { z } from "zod";
import { type RunningCommand, runCommand, startCommand } from "../../support/app/command.ts";
import { clientOf, endOf } from "../../support/app/kept-bridge.ts";
import { listThreads, startApp, type ThreadLine } from "../../support/app/started-app.ts";
import { syncedFiles } from "../../support/app/thread-folder.ts";
import { type BridgeProcess, readEndpoint, startBridge } from "../../support/bridge/bridge-process.ts";
import { sayLines, writeReport } from "../../support/bridge/scripts.ts";
import { endByPid } from "../../support/machine/live-processes.ts";
import { type TemporaryHome, temporaryHome } from "../../support/machine/temporary-home.ts";
import { waitUntil, within } from "../../support/machine/wait-until.ts";
import type { BareClient } from "../../support/wire/bare-client.ts";
import { turn } from "../../support/wire/turn.ts";
import { isOver, TaskSnapshot } from "../../support/wire/wire.ts";

const nightly = { kind: "operator", id: "nightly" };
const Page = z.object({ items: z.array(z.object({ change: z.looseObject({ kind: z.string() }) })), cursor: z.string() });

/** Submits a turn as a program does, with plain HTTP. */
async function submit(client: BareClient, prompt: string, more: Record<string, unknown> = { origin: nightly }) {
	return TaskSnapshot.parse(await client.rpc("session.start", turn({ prompt, providerId: "script", more })));
}

async function over(client: BareClient, runId: string): Promise<void> {
	await waitUntil(`the end of ${runId}`, 20_000, async () => isOver((await client.snapshot({ runId })).status) || undefined);
}

/** An app of its own home, over the bridge that others use too. */
async function appOver(bridge: BridgeProcess, home: TemporaryHome): Promise<RunningCommand & AsyncDisposable> {
	const env = { XWORKMATE_BRIDGE_URL: bridge.url, XWORKMATE_TOKEN: bridge.token };
	const command = startCommand(home, ["start"], { env });
	await waitUntil("the app's endpoint", 30_000, async () => ((await readEndpoint(home, "app"))?.pid === command.pid ? true : undefined));
	return Object.assign(command, {
		async [Symbol.asyncDispose]() {
			command.kill("SIGTERM");
			await within("the end of the app", 20_000, command.ended).finally(() => command.kill("SIGKILL"));
		},
	});
}

/** A thread of the app once its run has ended and its files are there. */
function readyThread(home: TemporaryHome, threadId: string): Promise<ThreadLine> {
	return waitUntil(`the thread ${threadId}`, 30_000, async () =>
		(await listThreads(home)).find((one) => one.threadId === threadId && one.lifecycleStatus === "ready"),
	);
}

it("a run that a program submits becomes a thread with its files, also when the app was away", async () => {
	await using bridge = await startBridge();
	await using home = await temporaryHome();
	const client = bridge.client();
	const before = await submit(client, writeReport);
	await over(client, before.runId);
	const during = await (async () => {
		await using _app = await appOver(bridge, home);
		const first = await readyThread(home, before.threadId);
		expect(first).toMatchObject({
			lastResultCode: "success",
			lastArtifactSyncStatus: "synced",
			title: writeReport,
		});
		const run = await submit(client, writeReport);
		await readyThread(home, run.threadId);
		return run;
	})();
	const away = await submit(client, writeReport);
	await over(client, away.runId);
	await using _app = await appOver(bridge, home);
	await readyThread(home, away.threadId);
	const files = Object.keys(await syncedFiles(home)).sort();
	expect(files).toEqual([before, during, away].map(({ artifactScope }) => `${artifactScope.split("/")[1]}/report.md`).sort());
	const threads = await listThreads(home);
	expect(threads.map(({ turns }) => turns.map(({ runId }) => runId))).toEqual([[away.runId], [during.runId], [before.runId]]);
});

it("two apps over one bridge keep their threads apart, and each shows what neither started", async () => {
	await using bridge = await startBridge();
	await using one = await temporaryHome();
	await using other = await temporaryHome();
	await using _first = await appOver(bridge, one);
	await using _second = await appOver(bridge, other);
	const run = await runCommand(one, ["run", "--provider", "script", writeReport]);
	expect(run.code, run.stderr).toBe(0);
	const [own] = await listThreads(one);
	const shared = await submit(bridge.client(), writeReport);
	for (const home of [one, other]) await readyThread(home, shared.threadId);
	expect((await listThreads(one)).map(({ threadId }) => threadId)).toEqual([shared.threadId, own?.threadId]);
	expect((await listThreads(other)).map(({ threadId }) => threadId)).toEqual([shared.threadId]);
});

it("a bridge that is killed in the middle of such a run is followed again, and the thread says how it ended", async () => {
	await using home = await temporaryHome();
	await using app = await startApp(home);
	const client = await clientOf(home);
	const cut = await submit(client, sayLines(600, 100));
	// A run that had not begun yet would be started again.
	const stream = await client.stream("xworkmate.tasks.subscribe", { runId: cut.runId });
	await stream.until("a line", ({ update }) => update.kind === "message_delta" || update.kind === "tool_call");
	await waitUntil(
		"the thread of the run",
		20_000,
		async () => (await listThreads(home)).some(({ threadId }) => threadId === cut.threadId) || undefined,
	);
	endByPid(app.bridgePid);
	expect(await endOf(home, cut.runId, 40_000)).toMatchObject({ status: "interrupted", origin: nightly });
	expect(await readyThread(home, cut.threadId)).toMatchObject({ lastResultCode: "interrupted" });
	const after = await submit(await clientOf(home), writeReport);
	expect(await readyThread(home, after.threadId)).toMatchObject({ lastResultCode: "success", lastArtifactSyncStatus: "synced" });
}, 120_000);

it("plain HTTP reads what changed page by page, over a restart of the bridge, and nothing twice", async () => {
	await using own = await startBridge();
	const read = async (after?: string) => {
		const params = after === undefined ? {} : { after };
		return Page.parse(await own.client().rpc("xworkmate.changes.subscribe", params));
	};
	const { runId } = await submit(own.client(), writeReport);
	await over(own.client(), runId);
	const page = await read();
	expect(page.items).toMatchObject([{ change: { kind: "run", run: { runId, status: "completed", origin: nightly } } }]);
	await own.restart("SIGKILL");
	expect(await read(page.cursor)).toEqual({ items: [], cursor: page.cursor });
	const next = await submit(own.client(), writeReport);
	await over(own.client(), next.runId);
	expect((await read(page.cursor)).items).toMatchObject([{ change: { run: { runId: next.runId } } }]);
	expect((await read(page.cursor.replace(/^[0-9a-f]+/, "0"))).items[0]).toMatchObject({ change: { kind: "resync" } });
});
