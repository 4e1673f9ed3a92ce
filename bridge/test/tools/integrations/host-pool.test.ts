import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { IntegrationId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { LedgerEntry } from "../../../src/ports/agents/process-ledger.ts";
import { Inflow } from "../../../src/processes/frames/inflow.ts";
import { HostPool } from "../../../src/tools/integrations/host-pool.ts";
import { MemoryLedger } from "../../providers/acp/support/memory-ledger.ts";
import { hostedCall, never, toolFile } from "./home-under-test.ts";

/** Refuses the first starts. */
class RefusingLedger extends MemoryLedger {
	starts = 0;
	readonly #refused: number;

	constructor(refused: number) {
		super();
		this.#refused = refused;
	}

	override async add(entry: LedgerEntry): Promise<void> {
		this.starts += 1;
		if (this.starts <= this.#refused) throw new Error("the start was refused");
		await super.add(entry);
	}
}

/** Suspends the process of one start, which is then late, as on a machine that is busy. */
class SuspendingLedger extends MemoryLedger {
	starts = 0;
	readonly #suspended: number;

	constructor(suspended: number) {
		super();
		this.#suspended = suspended;
	}

	override async add(entry: LedgerEntry): Promise<void> {
		this.starts += 1;
		if (this.starts === this.#suspended) process.kill(entry.pid, "SIGSTOP");
		await super.add(entry);
	}
}

async function openWith(refused: number) {
	const dataFolder = await mkdtemp(join(tmpdir(), "host-pool-"));
	const ledger = new RefusingLedger(refused);
	const bounds = { startMs: 60_000, importMs: 60_000 };
	const pool = new HostPool({ ledger, inflow: new Inflow(2 ** 24), maxHosts: 1, dataFolder, bounds });
	try {
		const opened = await pool.open(IntegrationId.parse("demo"), [{ path: "tools.ts", text: toolFile() }]);
		return { opened, starts: ledger.starts, size: pool.size };
	} finally {
		await pool.close();
		await rm(dataFolder, { recursive: true, force: true });
	}
}

it("a process of tools that does not start is tried once more", { timeout: 60_000 }, async () => {
	expect(await openWith(1)).toMatchObject({ opened: { kind: "opened" }, starts: 2, size: 1 });
});

it("a process of tools that does not start twice is a problem, and its place is free again", { timeout: 60_000 }, async () => {
	expect(await openWith(2)).toMatchObject({
		opened: { kind: "problems", problems: [{ code: "HOST_LOST", message: expect.stringContaining("the start was refused") }] },
		starts: 2,
		size: 0,
	});
});

it("a process of tools that is late is tried once more for a call, as for a reload", { timeout: 120_000 }, async () => {
	const dataFolder = await mkdtemp(join(tmpdir(), "host-pool-"));
	const ledger = new SuspendingLedger(2);
	const bounds = { startMs: 15_000, importMs: 60_000 };
	const pool = new HostPool({ ledger, inflow: new Inflow(2 ** 24), maxHosts: 1, dataFolder, bounds, idleMs: 1 });
	try {
		const opened = await pool.open(IntegrationId.parse("demo"), [{ path: "tools.ts", text: toolFile() }]);
		await expect.poll(() => pool.size, { timeout: 20_000 }).toBe(0);
		expect(opened.kind).toBe("opened");
		if (opened.kind === "opened") expect(await pool.use(opened.version, async (host) => host.alive)).toBe(true);
		expect(ledger.starts).toBe(3);
	} finally {
		await pool.close();
		await rm(dataFolder, { recursive: true, force: true });
	}
});

it("a process of tools that ended before a call was passed to it says that the handler was not called", { timeout: 60_000 }, async () => {
	const dataFolder = await mkdtemp(join(tmpdir(), "host-pool-"));
	const bounds = { startMs: 60_000, importMs: 60_000 };
	const pool = new HostPool({ ledger: new MemoryLedger(), inflow: new Inflow(2 ** 24), maxHosts: 1, dataFolder, bounds });
	try {
		const opened = await pool.open(IntegrationId.parse("demo"), [{ path: "tools.ts", text: toolFile() }]);
		if (opened.kind !== "opened") throw new Error("the tool did not load");
		const call = (isEnded: boolean) =>
			pool.use(opened.version, async (host) => {
				if (isEnded) await host.kill("it was not needed");
				const called = host.call("say", hostedCall(), JSON.stringify({ text: "hello" }), "{}", 60_000, never);
				if (!isEnded) await host.kill("it was not needed");
				return called;
			});
		expect(await call(true)).toMatchObject({ kind: "uncalled", message: "Its process was terminated: it was not needed." });
		expect(await call(false)).toMatchObject({ kind: "lost" });
	} finally {
		await pool.close();
		await rm(dataFolder, { recursive: true, force: true });
	}
});
