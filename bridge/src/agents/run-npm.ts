import { setTimeout as delay } from "node:timers/promises";
import type { ProcessLedger } from "../ports/agents/process-ledger.ts";
import { ProcessGroup } from "../processes/group/process-group.ts";
import type { BoundedTail } from "./bounded-tail.ts";
import type { NpmCommand } from "./npm-command.ts";

/** Limits in milliseconds or bytes, as their names say. */
export interface NpmBounds {
	/** The time limit for a whole installation. */
	readonly wholeMs: number;
	/** How long npm may run without any output and without writing to the disk before it is stopped. */
	readonly silentMs: number;
	/** How much output npm and the package scripts may produce. */
	readonly outputBytes: number;
}

export const npmBounds: NpmBounds = { wholeMs: 30 * 60_000, silentMs: 5 * 60_000, outputBytes: 64 * 2 ** 20 };

export interface NpmRun {
	readonly npm: NpmCommand;
	readonly args: readonly string[];
	readonly folder: string;
	readonly environment: Readonly<Record<string, string>>;
	readonly label: string;
	readonly ledger: ProcessLedger;
	readonly bounds: NpmBounds;
	readonly tail: BoundedTail;
	/** When there was last progress other than output, in milliseconds since 1970; 0 if never. */
	readonly lastProgress: () => number;
	readonly onLine: (line: string) => void;
}

/** `ended`: npm exited with this code, or null if a signal ended it. */
export type NpmEnd = { readonly kind: "ended"; readonly code: number | null } | { readonly kind: "silent" } | { readonly kind: "flooding" };

const LOOK_EVERY_MS = 1_000;
const END = { inputClosedMs: 0, terminatedMs: 2_000 };
const DRAIN_MS = 2_000;
const LONGEST_LINE = 4_096;

/**
 * Runs one npm command in its own process group, with an empty stdin. The whole group has ended when the promise settles.
 * @throws SpawnError; the ledger's error if the process cannot be recorded; the signal's reason if it is aborted
 */
export async function runNpm(run: NpmRun, signal: AbortSignal): Promise<NpmEnd> {
	signal.throwIfAborted();
	const { npm, args, folder, environment, label, ledger, bounds, tail } = run;
	const command = { command: npm.command, args: [...npm.before, ...args], workingDirectory: folder, environment, label };
	const group = await ProcessGroup.start(command, ledger);
	// A script that reads stdin gets the end of input instead of waiting forever.
	group.input.on("error", () => undefined).end();
	const before = tail.written;
	let heard = Date.now();
	let rest = "";
	const take = (bytes: Buffer) => {
		heard = Date.now();
		tail.append(bytes);
		const lines = (rest + bytes.toString("utf8")).split("\n");
		rest = (lines.pop() ?? "").slice(-LONGEST_LINE);
		for (const line of lines) run.onLine(line);
	};
	group.output.on("data", take);
	group.errors.on("data", take);
	const isOver = new AbortController();
	const watch = async (): Promise<NpmEnd> => {
		for (;;) {
			await delay(LOOK_EVERY_MS, undefined, { signal: isOver.signal });
			if (tail.written - before > bounds.outputBytes) return { kind: "flooding" };
			if (Date.now() - Math.max(heard, run.lastProgress()) > bounds.silentMs) return { kind: "silent" };
		}
	};
	const aborted = Promise.withResolvers<never>();
	aborted.promise.catch(() => undefined);
	const onAbort = () => aborted.reject(signal.reason);
	signal.addEventListener("abort", onAbort, { once: true });
	if (signal.aborted) onAbort();
	const watching = watch();
	watching.catch(() => undefined);
	try {
		const ended = group.exited.then(async ({ code }): Promise<NpmEnd> => {
			await Promise.race([group.drained, delay(DRAIN_MS, undefined, { ref: false })]);
			return { kind: "ended", code };
		});
		return await Promise.race([ended, watching, aborted.promise]);
	} finally {
		isOver.abort();
		signal.removeEventListener("abort", onAbort);
		await group.end(END);
		group.discardOutput();
	}
}
