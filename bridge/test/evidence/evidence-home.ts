import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { ReceiptProblem, RunId, ToolCallState, Verification } from "@xworkmate/contracts";
import Database from "better-sqlite3";
import { createEvidence } from "../../src/evidence/index.ts";
import type { TurnSink } from "../../src/ports/agents/provider.ts";
import { type Clock, systemClock } from "../../src/ports/clock.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { Core, ended, type Play } from "../runs/core-fixture.ts";

const offlineVerifier = fileURLToPath(new URL("../../../examples/verify-receipts/verify.mjs", import.meta.url));

export const report = (sink: TurnSink, toolCallId: string, state: ToolCallState, title = "Edits notes.txt") =>
	sink.emit({ kind: "tool_call", toolCallId, title, toolKind: "edit", state });

/** A turn with some calls that an agent reports, each with three receipts. */
export const calls =
	(count: number): Play =>
	async (_turn, sink) => {
		for (let call = 1; call <= count; call++) {
			await report(sink, `c${call}`, "running");
			await report(sink, `c${call}`, "completed");
		}
		await sink.emit({ kind: "message_delta", messageId: "m", text: "done" });
		return ended;
	};

/** A core with the evidence of its home, as a bridge has both. */
export class EvidenceHome implements AsyncDisposable {
	readonly core: Core;
	readonly logged: string[] = [];
	#evidence: ReturnType<typeof createEvidence> | undefined;

	readonly #clock: Clock;

	private constructor(core: Core, clock: Clock) {
		this.#clock = clock;
		this.core = core;
	}

	/** `clock`: of the ledger alone. */
	static async open(play: Play, clock: Clock = systemClock): Promise<EvidenceHome> {
		const home = new EvidenceHome(await Core.open(play), clock);
		await home.begin();
		return home;
	}

	get evidence() {
		if (this.#evidence === undefined) throw new Error("there is no evidence");
		return this.#evidence;
	}

	/** Begins to take note of receipts, as a bridge does at its start. */
	async begin(): Promise<void> {
		const { store, home, runs } = this.core;
		this.#evidence = createEvidence({
			bridgeHome: join(home, "bridge"),
			receipts: store.receipts,
			ends: store.ledgerEnd,
			clock: this.#clock,
			log: { error: (_details, message) => void this.logged.push(message) },
		});
		const { ledger } = this.#evidence;
		runs.log.onCommittedAny((runId, events) => ledger.note(runId, events));
		this.core.noteRemoved = (runId) => ledger.noteRemoved(runId);
		await ledger.load((await store.runs.unfinishedRuns()).map(({ runId }) => runId));
		await ledger.finishLate();
	}

	/** Runs a turn to its end. */
	async run(turn: string, play?: Play): Promise<RunId> {
		if (play !== undefined) this.core.play = play;
		const runId = await this.core.submit(turn);
		await this.core.settled(runId);
		return runId;
	}

	async restart(): Promise<void> {
		await this.evidence.ledger.close();
		await this.core.restart();
		await this.begin();
	}

	verify(question: { runId?: RunId; head?: string } = {}): Promise<Verification> {
		return this.evidence.receipts.verify(question);
	}

	ledgerText(): Promise<string> {
		return readFile(join(this.core.home, "bridge", "receipts", "ledger.jsonl"), "utf8");
	}

	/** A copy of the home as it is when nothing writes it. */
	async copy(): Promise<StoredEvidence> {
		using _reading = await this.evidence.ledger.read();
		const folder = await mkdtemp(join(tmpdir(), "tampered "));
		await new Promise<void>((resolve) => {
			new Database(join(this.core.home, "bridge", "bridge.sqlite")).backup(join(folder, "bridge.sqlite")).then(() => resolve());
		});
		await cp(join(this.core.home, "bridge", "receipts"), join(folder, "receipts"), { recursive: true });
		return new StoredEvidence(folder);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.core.coordinator.shutdown();
		await this.#evidence?.ledger.close();
		await this.core[Symbol.asyncDispose]();
	}
}

type Seen = Pick<ReceiptProblem, "code" | "runId" | "planId" | "n">;

/** Evidence on the disk, for changing it by hand and having it checked. */
export class StoredEvidence implements AsyncDisposable {
	readonly folder: string;

	constructor(folder: string) {
		this.folder = folder;
	}

	/** Changes the database behind the triggers' back. */
	sql(statement: string, ...values: (string | number)[]): void {
		const db = new Database(join(this.folder, "bridge.sqlite"));
		try {
			const triggers = db.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'trigger'").all();
			for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
			db.pragma("foreign_keys = OFF");
			db.prepare(statement).run(...values);
		} finally {
			db.close();
		}
	}

	/** Changes the lines of the ledger. */
	async ledger(change: (lines: string[]) => readonly string[]): Promise<void> {
		const path = join(this.folder, "receipts", "ledger.jsonl");
		const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
		await writeFile(
			path,
			change(lines)
				.map((line) => `${line}\n`)
				.join(""),
		);
	}

	/** What the bridge finds, and what the offline verifier finds in its export with the same key. */
	async findings(key?: string): Promise<{ bridge: readonly Seen[]; offline: readonly Seen[]; exitCode: number }> {
		const store = openSqliteStore(this.folder);
		const log = { error: () => undefined };
		const { ledger, receipts } = createEvidence({
			bridgeHome: this.folder,
			receipts: store.receipts,
			ends: store.ledgerEnd,
			clock: systemClock,
			log,
		});
		try {
			const { problems } = await receipts.verify({});
			let exported = "";
			for await (const line of await receipts.files.lines({})) exported += `${line}\n`;
			const trusted = key ?? String(JSON.parse(exported.slice(0, exported.indexOf("\n"))).publicKey);
			const offline = await verifyOffline(exported, trusted);
			return { bridge: problems.map(seen), offline: offline.problems.map(seen), exitCode: offline.exitCode };
		} finally {
			await ledger.close();
			store.close();
		}
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await rm(this.folder, { recursive: true, force: true });
	}
}

export async function verifyOffline(exported: string, key: string): Promise<{ exitCode: number; problems: readonly ReceiptProblem[] }> {
	const verifier = spawn(process.execPath, [offlineVerifier, "--json", `--key=${key}`], { stdio: ["pipe", "pipe", "pipe"] });
	verifier.stdin.end(exported);
	const [output, failure] = await Promise.all([readAll(verifier.stdout), readAll(verifier.stderr), once(verifier, "exit")]);
	if (failure !== "") throw new Error(failure);
	return { exitCode: verifier.exitCode ?? -1, problems: JSON.parse(output).problems };
}

function seen({ code, runId, planId, n }: ReceiptProblem): Seen {
	return {
		code,
		...(runId === undefined ? {} : { runId }),
		...(planId === undefined ? {} : { planId }),
		...(n === undefined ? {} : { n }),
	};
}
