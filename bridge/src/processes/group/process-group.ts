import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { LedgerEntry, ProcessLedger } from "../../ports/agents/process-ledger.ts";
import { inBackground } from "./background.ts";
import { endGroup, endStartedSince, groupProcesses, type LateEndBounds } from "./process-group-end.ts";
import { type ProcessEntry, type ProcessTable, processTable } from "./process-group-table.ts";

export interface ProcessGroupCommand {
	readonly command: string;
	readonly args: readonly string[];
	/** Absolute path. */
	readonly workingDirectory: string;
	readonly environment: Readonly<Record<string, string>>;
	/** The name of the process in the ledger and the logs. */
	readonly label: string;
	/** Set for a process that yields to others, especially to those that answer users. */
	readonly isBackground?: true;
}

/** Time limits of the steps of ending a group, in milliseconds. */
export interface EndBounds {
	/** How long to wait after closing stdin. */
	readonly inputClosedMs: number;
	/** How long to wait after SIGTERM before SIGKILL. */
	readonly terminatedMs: number;
}

export interface ExitStatus {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

/** The command could not be started, or its process could not be identified and was killed. */
export class SpawnError extends Error {
	override readonly name = "SpawnError";
	readonly code = "SPAWN_FAILED";
}

type Outlets = Pick<ProcessGroup, "exited" | "drained">;
type PipedChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** A child process that leads its own process group and is recorded in the ledger while it lives. */
export class ProcessGroup {
	readonly pid: number;
	readonly startTime: string;
	readonly label: string;
	/** Settles when the leader has exited. Never rejects. */
	readonly exited: Promise<ExitStatus>;
	/** Settles when, in addition, all output has been read. Never settles unless the output is consumed. */
	readonly drained: Promise<ExitStatus>;
	/** When the process started, by the bridge's clock. */
	readonly #startedAt = Date.now();
	readonly #child: PipedChild;
	readonly #ledger: ProcessLedger;
	readonly #table: ProcessTable;
	#ending: Promise<boolean> | undefined;

	private constructor(child: PipedChild, outlets: Outlets, identity: LedgerEntry, ledger: ProcessLedger, table: ProcessTable) {
		this.#child = child;
		this.#ledger = ledger;
		this.#table = table;
		this.pid = identity.pid;
		this.startTime = identity.startTime;
		this.label = identity.label;
		this.exited = outlets.exited;
		this.drained = outlets.drained;
	}

	/**
	 * Starts a command and records it in the ledger before any communication with it.
	 * @throws SpawnError if the command cannot be started, or its process cannot be identified, so could not be ended later; the ledger's
	 * error if it cannot be recorded
	 */
	static async start(command: ProcessGroupCommand, ledger: ProcessLedger, table = processTable): Promise<ProcessGroup> {
		const { command: executable, args, detached } = command.isBackground === true ? inBackground(command) : { ...command, detached: true };
		const child = spawn(executable, [...args], {
			cwd: command.workingDirectory,
			env: { ...command.environment },
			detached,
			stdio: ["pipe", "pipe", "pipe"],
		});
		const outlets = outletsOf(child);
		const pid = await spawned(child, command.command);
		const startTime = await table.read(pid).then(
			(entry) => entry?.startTime ?? "ended",
			(error: unknown) => {
				killGroupOf(child);
				const why = error instanceof Error ? error.message : String(error);
				throw new SpawnError(`${command.command} could not be started, because the start time of its process can't be read: ${why}`, {
					cause: error,
				});
			},
		);
		const identity: LedgerEntry = { pid, startTime, label: command.label };
		const group = new ProcessGroup(child, outlets, identity, ledger, table);
		try {
			await ledger.add(identity);
		} catch (error) {
			if (!(await endGroup(group, 0, [], table))) killGroupOf(child);
			throw error;
		}
		return group;
	}

	get input(): Writable {
		return this.#child.stdin;
	}

	/**
	 * The standard output. Output is held until this property is read. A reader has to be attached at once after that, because Node then
	 * discards unread output when the child exits.
	 */
	get output(): Readable {
		return this.#child.stdout.off("readable", keep);
	}

	/** The standard error, to be read like `output`. */
	get errors(): Readable {
		return this.#child.stderr.off("readable", keep);
	}

	get running(): boolean {
		return isRunning(this.#child);
	}

	/**
	 * Closes stdin, then sends SIGTERM and finally SIGKILL to the whole group and its descendants, each after the time limit of the previous
	 * step. Resolves with true when all of them are gone, or with false if one may still be running; it then stays in the ledger, and the next
	 * bridge tries again. Repeated calls share one ending.
	 */
	end(bounds: EndBounds): Promise<boolean> {
		this.#ending ??= this.#end(bounds);
		return this.#ending;
	}

	/** The processes of the group and their descendants, as far as they can be found by their parents; empty if they can't be listed. */
	async processes(): Promise<readonly ProcessEntry[]> {
		return await this.#table.list().then(
			(table) => groupProcesses(this, table),
			() => [],
		);
	}

	/**
	 * Ends what the leader has started since a time, such as a command that it has left running, but not the leader. Resolves as `end` does.
	 * @param since milliseconds since the epoch
	 * @param seen what `processes` has returned before; a process whose parent has ended since then is found only there
	 */
	async endStartedSince(since: number, bounds: LateEndBounds, seen: readonly ProcessEntry[] = []): Promise<boolean> {
		return await endStartedSince(this, since - this.#startedAt, bounds, seen, this.#table);
	}

	/** Discards the output that has not been read. */
	discardOutput(): void {
		this.#child.stdout.destroy();
		this.#child.stderr.destroy();
	}

	/** Sends SIGKILL to the whole group at once. Resolves as `end` does. */
	async kill(): Promise<boolean> {
		await endGroup(this, 0, [], this.#table);
		return await this.end({ inputClosedMs: 0, terminatedMs: 0 });
	}

	async #end({ inputClosedMs, terminatedMs }: EndBounds): Promise<boolean> {
		const members = await this.processes();
		this.#child.stdin.end();
		if (inputClosedMs > 0) await Promise.race([this.exited, delay(inputClosedMs, undefined, { ref: false })]);
		const isGone = await endGroup(this, terminatedMs, members, this.#table);
		// Reaches the group even if the processes can't be listed. A process that has left the group may still be running.
		if (!isGone) killGroupOf(this.#child);
		this.#child.stdin.destroy();
		if (isGone) await this.#ledger.remove(this.pid);
		return isGone;
	}
}

function isRunning({ exitCode, signalCode }: PipedChild): boolean {
	return exitCode === null && signalCode === null;
}

/** Sends SIGKILL to the group that a child leads. While the child runs, no other group can have its number. */
function killGroupOf(child: PipedChild): void {
	if (child.pid === undefined || !isRunning(child)) return;
	try {
		process.kill(-child.pid, "SIGKILL");
	} catch {
		child.kill("SIGKILL");
	}
}

function spawned(child: PipedChild, command: string): Promise<number> {
	return new Promise((resolve, reject) => {
		child.once("error", (error) => reject(new SpawnError(`${command} could not be started: ${error.message}`, { cause: error })));
		child.once("spawn", () => {
			if (child.pid !== undefined) resolve(child.pid);
		});
	});
}

/**
 * Holds the output from the start. A short-lived child exits before its start time is read, and Node discards the unread output of a child
 * that has exited, unless a "readable" listener is attached.
 */
function outletsOf(child: PipedChild): Outlets {
	// A child that has exited breaks the pipe. Its exit is reported anyway, and an unhandled 'error' event would end the bridge.
	for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on("error", () => {});
	for (const pipe of [child.stdout, child.stderr]) pipe.on("readable", keep);
	return { exited: statusAt(child, "exit"), drained: statusAt(child, "close") };
}

function keep(): void {}

function statusAt(child: PipedChild, event: "exit" | "close"): Promise<ExitStatus> {
	return new Promise((resolve) => {
		child.once(event, (code: number | null, signal: NodeJS.Signals | null) => resolve({ code, signal }));
	});
}
