import { expect, it } from "vitest";
import { z } from "zod";
import { approvals, decide } from "../support/app/approvals.ts";
import { type CommandEnd, runCommand } from "../support/app/command.ts";
import { listThreads, quietThreads, startApp } from "../support/app/started-app.ts";
import { readEndpoint, readToken } from "../support/bridge/bridge-process.ts";
import { type TemporaryHome, temporaryHome } from "../support/machine/temporary-home.ts";
import { waitUntil } from "../support/machine/wait-until.ts";
import { gatewaySettings, suiteGateway } from "../support/openclaw/openclaw-suite.ts";
import { BareClient } from "../support/wire/bare-client.ts";
import type { TaskSnapshot } from "../support/wire/wire.ts";

const LIMIT = 2;
const RUNS = 12;
const env = {
	...gatewaySettings(suiteGateway()),
	XWORKMATE_OPENCLAW_MAX_ACTIVE: String(LIMIT),
	XWORKMATE_OPENCLAW_MAX_QUEUED: String(RUNS - LIMIT),
	XWORKMATE_ALLOW_PROVIDERS: "",
};
const scope = "$XWORKMATE_ARTIFACT_DIRECTORY";
const Sent = z.object({ threadId: z.string(), turnId: z.string() });

function send(home: TemporaryHome, prompt: string): Promise<CommandEnd> {
	return runCommand(home, ["run", "--target", "gateway", "--provider", "openclaw", "--detach", "--json", prompt], { env });
}

async function bridgeOf(home: TemporaryHome): Promise<BareClient> {
	const endpoint = await readEndpoint(home);
	return new BareClient({ url: endpoint?.url ?? "", token: await readToken(home) });
}

/** Runs of the bridge, oldest first. */
async function runsOf(home: TemporaryHome): Promise<readonly TaskSnapshot[]> {
	const client = await bridgeOf(home);
	const { items } = z.object({ items: z.array(z.looseObject({ runId: z.string() })) }).parse(await client.rpc("xworkmate.tasks.list"));
	const snapshots = await Promise.all(items.map(({ runId }) => client.snapshot({ runId })));
	return snapshots.sort((a, b) => (a.startedAt ?? "").localeCompare(b.startedAt ?? ""));
}

/** Lets the tool calls run that hold the first turns. */
async function allowHeld(home: TemporaryHome): Promise<void> {
	const client = await bridgeOf(home);
	const held = await waitUntil("the questions of the first turns", 30_000, async () => {
		const pending = await approvals(client, { state: "pending" });
		return pending.length === LIMIT ? pending : undefined;
	});
	for (const { approvalId } of held) expect(await decide(client, approvalId, "allow_once")).toMatchObject({ applied: true });
}

it("[T4-08] [T4-40] [T4-52] [T4-53] [T4-54] takes twelve turns over a limit of two in order, over a cancel, a full queue and a restart of the app", async () => {
	await using home = await temporaryHome();
	const sent: string[] = [];
	await (async () => {
		await using _app = await startApp(home, env);
		for (let n = 0; n < RUNS; n++) {
			// The first ones wait for a user's word, which keeps the queue busy for as long as the test wants.
			const step = n < LIMIT ? `RUN printf ${n} > ${scope}/n.txt` : `WRITE ${scope}/n.txt ${n}`;
			const { stdout, stderr, code } = await send(home, `FAKE:${step} ;; SAY turn ${n} is done`);
			expect(code, stderr).toBe(0);
			sent.push(Sent.parse(JSON.parse(stdout)).threadId);
		}
		const full = await send(home, "FAKE:SAY one too many");
		expect(full.code, full.stdout + full.stderr).toBe(1);
		const states = new Map((await listThreads(home)).map((thread) => [thread.threadId, thread]));
		expect(sent.map((threadId) => states.get(threadId)?.lifecycleStatus)).toEqual(sent.map((_, n) => (n < LIMIT ? "running" : "queued")));
		const refused = [...states.values()].find(({ threadId }) => !sent.includes(threadId));
		expect(refused).toMatchObject({ lifecycleStatus: "ready", lastResultCode: "OPENCLAW_GATEWAY_QUEUE_FULL" });
		expect(refused?.turns.length, "the turn is kept").toBe(1);
		const cancelled = await runCommand(home, ["cancel", sent[5] ?? ""], { env });
		expect(cancelled.stdout, cancelled.stderr).toMatch(/cancelled/i);
		expect((await runsOf(home)).length, "what waits is not the bridge's").toBe(LIMIT);
	})();

	await using _again = await startApp(home, env);
	await allowHeld(home);
	const threads = new Map((await quietThreads(home, 90_000)).map((thread) => [thread.threadId, thread]));
	expect(sent.map((threadId) => threads.get(threadId)?.lastResultCode)).toEqual(sent.map((_, n) => (n === 5 ? "aborted" : "success")));

	const runs = await runsOf(home);
	const order = runs.map(({ output }) => Number(/turn (\d+) is done/.exec(output?.text ?? "")?.[1]));
	expect(order.slice(0, LIMIT).sort()).toEqual([0, 1]);
	// In the order they were sent in; those that get their slots at the same moment begin beside each other.
	const queued = sent.map((_, n) => n).filter((n) => n >= LIMIT && n !== 5);
	const begun = order.slice(LIMIT);
	expect(begun.toSorted((one, other) => one - other)).toEqual(queued);
	for (const [place, n] of begun.entries()) expect(Math.abs(place - queued.indexOf(n)), begun.join()).toBeLessThan(LIMIT);
	for (const { startedAt = "" } of runs) {
		const active = runs.filter((other) => (other.startedAt ?? "") <= startedAt && (other.endedAt ?? "") > startedAt);
		expect(active.length).toBeLessThanOrEqual(LIMIT);
	}
}, 240_000);

it("[T4-85] [T4-86] pauses the queue while the gateway cannot be used, and says so with the fix", async () => {
	await using home = await temporaryHome();
	const away = { ...env, XWORKMATE_OPENCLAW_URL: "ws://127.0.0.1:9", XWORKMATE_ALLOW_PROVIDERS: "openclaw" };
	await (async () => {
		await using _app = await startApp(home, away);
		const { code, stderr } = await send(home, "FAKE:SAY in the end");
		expect(code, stderr).toBe(0);
		const doctor = await runCommand(home, ["doctor"], { env: away });
		expect(doctor.stdout + doctor.stderr).toContain("GATEWAY_UNREACHABLE");
		expect(await listThreads(home)).toMatchObject([{ lifecycleStatus: "queued" }]);
		expect(await runsOf(home)).toEqual([]);
	})();
	await using _again = await startApp(home, { ...away, XWORKMATE_OPENCLAW_URL: suiteGateway().url });
	expect(await quietThreads(home)).toMatchObject([{ lastResultCode: "success" }]);
}, 120_000);
