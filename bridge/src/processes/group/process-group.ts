import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { LedgerEntry, ProcessLedger } from "../../ports/agents/process-ledger.ts";
import { inBackground } from "./background.ts";
import { endGroup, groupProcesses } from "./process-group-end.ts";
import { listProcesses, readProcess } from "./process-group-table.ts";

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

/** Time limits of each step of ending a group, in milliseconds. */
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

/** The command could not be started at all. */
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
	/** Settles when, in addition, all output has been read. Never settles while the output is not consumed. */
	readonly drained: Promise<ExitStatus>;
	readonly #child: PipedChild;
	readonly #ledger: ProcessLedger;
	#ending: Promise<void> | undefined;

	private constructor(child: PipedChild, outlets: Outlets, identity: LedgerEntry, ledger: ProcessLedger) {
		this.#child = child;
		this.#ledger = ledger;
		this.pid = identity.pid;
		this.startTime = identity.startTime;
		this.label = identity.label;
		this.exited = outlets.exited;
		this.drained = outlets.drained;
	}

	/**
	 * Starts a command and records it in the ledger before any communication with it.
	 * @throws SpawnError if it cannot be started; the ledger's error
	 */
	static async start(command: ProcessGroupCommand, ledger: ProcessLedger): Promise<ProcessGroup> {
		const { command: executable, args, detached } = command.isBackground === true ? inBackground(command) : { ...command, detached: true };
		const child = spawn(executable, [...args], {
			cwd: command.workingDirectory,
			env: { ...command.environment },
			detached,
			stdio: ["pipe", "pipe", "pipe"],
		});
		const outlets = outletsOf(child);
		const pid = await spawned(child, command.command);
		const startTime = (await readProcess(pid))?.startTime ?? "ended";
		const identity: LedgerEntry = { pid, startTime, label: command.label };
		const group = new ProcessGroup(child, outlets, identity, ledger);
		try {
			await ledger.add(identity);
		} catch (error) {
			await endGroup(group, 0);
			throw error;
		}
		return group;
	}

	get input(): Writable {
		return this.#child.stdin;
	}

	/** The standard output. A reader should be attached at once, because output is held until this is called. */
	get output(): Readable {
		return this.#child.stdout.off("readable", keep);
	}

	/** The standard error, to be read like `output`. */
	get errors(): Readable {
		return this.#child.stderr.off("readable", keep);
	}

	get running(): boolean {
		return this.#child.exitCode === null && this.#child.signalCode === null;
	}

	/**
	 * Closes stdin, then sends SIGTERM and finally SIGKILL to the whole group and its descendants, each after the time limit of the previous
	 * step. Resolves when all of them are gone. Repeated calls share one ending.
	 */
	end(bounds: EndBounds): Promise<void> {
		this.#ending ??= this.#end(bounds);
		return this.#ending;
	}

	/** Discards the output that has not been read. */
	discardOutput(): void {
		this.#child.stdout.destroy();
		this.#child.stderr.destroy();
	}

	/** Sends SIGKILL to the whole group at once. Resolves when all of it is gone. */
	async kill(): Promise<void> {
		await endGroup(this, 0);
		await this.end({ inputClosedMs: 0, terminatedMs: 0 });
	}

	async #end({ inputClosedMs, terminatedMs }: EndBounds): Promise<void> {
		const members = groupProcesses(this, await listProcesses());
		this.#child.stdin.end();
		if (inputClosedMs > 0) await Promise.race([this.exited, delay(inputClosedMs, undefined, { ref: false })]);
		await endGroup(this, terminatedMs, members);
		this.#child.stdin.destroy();
		await this.#ledger.remove(this.pid);
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
	// An agent that has exited breaks the pipe. Its exit is reported anyway, and an unhandled 'error' event would end the bridge.
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
