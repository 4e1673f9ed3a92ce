import { mkdir, open, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LedgerLine, RunId } from "@xworkmate/contracts";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { TurnSink } from "../../src/ports/agents/provider.ts";
import type { Clock } from "../../src/ports/clock.ts";
import { ended, whenAborted } from "../runs/core-fixture.ts";
import { calls, EvidenceHome, report, verifyOffline } from "./evidence-home.ts";

async function linesOf(home: EvidenceHome): Promise<readonly LedgerLine[]> {
	using _reading = await home.evidence.ledger.read();
	return (await home.ledgerText())
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line));
}

afterEach(() => vi.restoreAllMocks());

const finals = (lines: readonly LedgerLine[]) => lines.filter(({ kind }) => kind === "final");

describe("the ledger of receipts", () => {
	it("begins with its key and has a final line for a run with receipts, and none for one without", async () => {
		await using home = await EvidenceHome.open(calls(1));
		const runId = await home.run("one");
		await home.run("two", calls(0));
		const lines = await linesOf(home);
		expect(lines.map(({ n, kind }) => [n, kind])).toEqual([
			[1, "key"],
			[2, "final"],
		]);
		const { receipts } = await home.core.service.snapshot(runId);
		expect(lines[1]).toMatchObject({ runId, count: receipts?.count, head: receipts?.head });
		const { mode } = await stat(join(home.core.home, "bridge", "receipts", "key.pem"));
		expect(mode & 0o777).toBe(0o600);
	});

	it("a run that ended when its bridge was killed gets its final line at the next start, marked as late", async () => {
		await using home = await EvidenceHome.open(calls(1));
		// As a bridge that is killed between the terminal event and the line: the run is in the database, and nothing else.
		await home.evidence.ledger.close();
		const runId = await home.run("one");
		await home.core.crash();
		await home.begin();
		expect(finals(await linesOf(home))).toMatchObject([{ runId, count: 3, late: true }]);
		await home.restart();
		expect(finals(await linesOf(home))).toHaveLength(1);
		expect(await home.verify()).toMatchObject({ ok: true, runs: 1, receipts: 3 });
	});

	it("100 runs that end together cost one sync", async () => {
		await using home = await EvidenceHome.open(calls(1));
		const runId = await home.run("one");
		await linesOf(home);
		const events = await home.core.service.log.read(runId, 0, 1_000);
		const file = await open(join(home.core.home, "any"), "w");
		const syncs = vi.spyOn(Object.getPrototypeOf(file), "datasync");
		await file.close();
		for (let run = 0; run < 100; run++) home.evidence.ledger.note(`run-${run}` as RunId, events);
		expect(finals(await linesOf(home))).toHaveLength(101);
		expect(syncs).toHaveBeenCalledTimes(1);
	});

	it("says how far a run is when it parks", async () => {
		await using home = await EvidenceHome.open(async (_turn, sink, stop) => {
			await report(sink, "c1", "running");
			await whenAborted(stop);
			return { kind: "cancelled", remote: false };
		});
		const runId = await home.core.submit("one");
		await home.core.until(runId, ({ event }) => event.type === "receipt" && event.receipt.n === 2);
		home.evidence.ledger.noteParked(runId);
		expect(await linesOf(home)).toMatchObject([{ kind: "key" }, { kind: "head", runId, count: 2 }]);
		await home.core.service.cancel(runId);
		await home.core.settled(runId);
		expect(await linesOf(home)).toMatchObject([{}, {}, { kind: "final", runId, count: 3 }]);
	});

	it("says how far a run is 5 s after its first receipt that the ledger has not seen", async () => {
		const timers: { readonly time: number; readonly act: () => void }[] = [];
		const clock: Clock = {
			now: () => Date.UTC(2026, 10, 23),
			at: (time, act) => {
				timers.push({ time, act });
				return { [Symbol.dispose]: () => undefined };
			},
		};
		await using home = await EvidenceHome.open(async (_turn, sink, stop) => {
			await report(sink, "c1", "running");
			await whenAborted(stop);
			return { kind: "cancelled", remote: false };
		}, clock);
		const runId = await home.core.submit("one");
		await home.core.until(runId, ({ event }) => event.type === "receipt" && event.receipt.n === 2);
		expect(timers.map(({ time }) => time - clock.now())).toEqual([5_000]);
		timers[0]?.act();
		expect((await linesOf(home)).at(-1)).toMatchObject({ kind: "head", runId, count: 2 });
		await home.core.service.cancel(runId);
		await home.core.settled(runId);
	});

	it("says how far a run is after 256 receipts", async () => {
		await using home = await EvidenceHome.open(async (turn, sink, stop) => {
			await calls(100)(turn, sink, stop);
			await whenAborted(stop);
			return { kind: "cancelled", remote: false };
		});
		const runId = await home.core.submit("one");
		await home.core.until(runId, ({ event }) => event.type === "receipt" && event.receipt.n === 300);
		const heads = (await linesOf(home)).filter(({ kind }) => kind === "head");
		expect(heads.length).toBeGreaterThan(0);
		expect(heads.at(-1)?.count).toBeGreaterThanOrEqual(256);
		await home.core.service.cancel(runId);
		await home.core.settled(runId);
	});

	it("many runs that end together cost few lines' syncs, and every one is sealed", async () => {
		await using home = await EvidenceHome.open(calls(1));
		const runs = await Promise.all(
			Array.from({ length: 8 }, (_, turn) => home.core.submit(`turn-${turn}`, { sessionId: `t${turn}`, threadId: `t${turn}` })),
		);
		for (const runId of runs) await home.core.settled(runId);
		expect(new Set(finals(await linesOf(home)).map(({ runId }) => runId))).toEqual(new Set(runs));
		expect(await home.verify()).toMatchObject({ ok: true, runs: 8 });
	});

	it("a deleted thread leaves a line that says so, and its removal is no problem", async () => {
		await using home = await EvidenceHome.open(calls(1));
		const runId = await home.run("one");
		const { threadId } = await home.core.service.snapshot(runId);
		await home.core.service.deleteThread({ threadId });
		expect((await linesOf(home)).at(-1)).toMatchObject({ kind: "removed", runId, count: 3 });
		expect(await home.verify()).toMatchObject({ ok: true, runs: 0 });
	});

	it("a line that was cut in the middle by a crash is dropped, since nobody was told of it", async () => {
		await using home = await EvidenceHome.open(calls(1));
		await home.run("one");
		const before = await linesOf(home);
		await home.evidence.ledger.close();
		const path = join(home.core.home, "bridge", "receipts", "ledger.jsonl");
		await writeFile(path, '{"n":3,"at":"2026-', { flag: "a" });
		await home.core.crash();
		await home.begin();
		expect(await linesOf(home)).toEqual(before);
		expect(home.logged).toEqual([]);
		expect(await home.verify()).toMatchObject({ ok: true });
	});

	const damages: readonly (readonly [string, (folder: string) => Promise<void>, string])[] = [
		["is cut", async (folder) => cutLast(join(folder, "ledger.jsonl")), "LEDGER_CUT"],
		["is gone", (folder) => rm(join(folder, "ledger.jsonl")), "LEDGER_CUT"],
		["is damaged", (folder) => writeFile(join(folder, "ledger.jsonl"), "garbage\nmore garbage"), "LEDGER_BROKEN"],
		["lacks its key", (folder) => rm(join(folder, "key.pem")), "UNKNOWN_KEY"],
	];
	for (const [name, damage, code] of damages) {
		it(`if it ${name} at the start, the bridge says so and goes on with a new key`, async () => {
			await using home = await EvidenceHome.open(calls(1));
			await home.run("one");
			await linesOf(home);
			await home.evidence.ledger.close();
			const folder = join(home.core.home, "bridge", "receipts");
			const before = await readFile(join(folder, "key.pem"), "utf8");
			await damage(folder);
			await home.core.crash();
			await home.begin();
			expect(home.logged).toHaveLength(1);
			expect(await readFile(join(folder, "key.pem"), "utf8")).not.toBe(before);
			const next = await home.run("two");
			using _reading = await home.evidence.ledger.read();
			const lines = (await home.ledgerText()).trimEnd().split("\n");
			expect(lines.at(-1) ?? "").toContain(next);
			const { ok, problems } = await home.verify();
			expect(ok).toBe(false);
			expect(problems.map((problem) => problem.code)).toContain(code);
			expect(problems.filter(({ runId }) => runId === next)).toEqual([]);
			// The new key is not taken for the old one's successor where the old one is gone.
			let exported = "";
			for await (const line of await home.evidence.receipts.files.lines({})) exported += `${line}\n`;
			expect((await verifyOffline(exported, String(home.evidence.ledger.publicKey))).exitCode).toBe(1);
		});
	}

	it("a run goes on while its ledger can't be written, and nothing of it is lost", async () => {
		await using home = await EvidenceHome.open(calls(1));
		const folder = join(home.core.home, "bridge", "receipts");
		// A file where the folder should be.
		await writeFile(folder, "");
		const runId: RunId = await home.run("one");
		using _none = await home.evidence.ledger.read();
		expect(home.logged).toHaveLength(1);
		expect((await home.verify()).problems).toMatchObject([{ code: "UNSEALED", runId }]);
		await rm(folder);
		await home.restart();
		expect(finals(await linesOf(home))).toMatchObject([{ runId }]);
		expect((await home.verify()).ok).toBe(true);
	});
});

describe("a ledger that can't be read", () => {
	it("is the one problem of a verification, here and offline, until it can be read again", async () => {
		await using home = await EvidenceHome.open(calls(1));
		const runId = await home.run("one");
		const before = await linesOf(home);
		const key = String(home.evidence.ledger.publicKey);
		await home.evidence.ledger.close();
		const path = join(home.core.home, "bridge", "receipts", "ledger.jsonl");
		await rename(path, `${path}.aside`);
		await mkdir(path);
		await home.core.crash();
		await home.begin();
		const { ok, problems, receipts } = await home.verify();
		expect([ok, receipts]).toEqual([false, 3]);
		expect(problems).toEqual([{ code: "LEDGER_UNREADABLE", message: expect.stringMatching(/^The ledger can't be read: EISDIR/) }]);
		// The hash may be one of the ledger's lines.
		expect((await home.verify({ head: "0123456789ab" })).problems).toHaveLength(1);
		const exported = async () => {
			let text = "";
			for await (const line of await home.evidence.receipts.files.lines({})) text += `${line}\n`;
			return verifyOffline(text, key);
		};
		expect(await exported()).toMatchObject({ exitCode: 1, problems: [{ code: "LEDGER_UNREADABLE" }] });
		await rmdir(path);
		await rename(`${path}.aside`, path);
		expect(await home.verify()).toMatchObject({ ok: true });
		expect(await linesOf(home)).toEqual(before);
		expect((await exported()).exitCode).toBe(0);
		expect(finals(before)).toMatchObject([{ runId }]);
	});
});

async function cutLast(path: string): Promise<void> {
	const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
	await writeFile(path, `${lines.slice(0, -1).join("\n")}\n`);
}

describe("calls that an agent reports", () => {
	const turn = (say: (sink: TurnSink) => Promise<void>) =>
		EvidenceHome.open(async (_turn, sink) => {
			await say(sink);
			await sink.emit({ kind: "message_delta", messageId: "m", text: "done" });
			return ended;
		});

	it("[T1-04] a call that the agent never finishes ends unknown, in the commit of the run's end", async () => {
		await using home = await turn((sink) => report(sink, "c1", "running"));
		const runId = await home.run("one");
		const { items } = await home.evidence.receipts.list({ runId, limit: 10 });
		expect(items[0]).toMatchObject({ type: "tool.call.unknown", origin: "reported", outcome: { code: "NOT_REPORTED" } });
		const { activity } = await home.core.service.snapshot(runId);
		expect(activity).toMatchObject({ completed: 0, counts: { reported: 1 }, items: [{ status: "unknown", code: "NOT_REPORTED" }] });
		expect(await home.evidence.receipts.activity({ runId })).toEqual(activity);
	});

	it("secrets and characters that hide text do not reach receipts", async () => {
		const secret = "sk-ant-REDACTED";
		await using home = await turn((sink) =>
			sink.emit({
				kind: "tool_call",
				toolCallId: "c1",
				title: `curl -H "Authorization: Bearer ${secret}" \u202egnp.exe`,
				toolKind: "execute",
				state: "completed",
				input: { text: JSON.stringify({ token: secret, pad: "x".repeat(5000) }), truncated: false },
			}),
		);
		const runId = await home.run("one");
		const { items } = await home.evidence.receipts.list({ runId, limit: 10 });
		const requested = items.at(-1);
		expect(JSON.stringify(items)).not.toContain(secret);
		expect(requested?.words).toContain("\\u{202e}");
		expect(requested).toMatchObject({ risk: "destructive", toolId: "played:execute", input: { truncated: true } });
		expect(Buffer.byteLength(requested?.input?.text ?? "")).toBeLessThanOrEqual(2048);
	});
});
