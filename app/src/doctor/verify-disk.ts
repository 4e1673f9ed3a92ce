import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import type { HomeLine } from "../api/app-api.ts";
import type { Finding } from "../api/ui-api.ts";
import { verifyMain } from "../process/bridge/spawn-bridge.ts";
import { count } from "../strings/interface.ts";
import { capitalized } from "../text/capital.ts";
import { commandLine } from "../text/command-line.ts";
import { formatBytes } from "../text/format-measure.ts";
import { examineDatabases } from "./examine-databases.ts";
import { namedFindings } from "./named-findings.ts";

/** How often progress is reported during one step. A reader that left is noticed only when progress is reported. */
const SAY_EVERY_MS = 500;
const LAST_WORDS = 500;

export interface DiskToVerify {
	readonly home: string;
	/** True if the bridge is this home's own. */
	readonly ownBridge: boolean;
	/** Where git is found: a PATH. */
	readonly searchPath: string | undefined;
	/** Aborting this signal ends everything that was started for the verification. */
	readonly stop: AbortSignal;
	/** The program that reads the bridge's part. */
	readonly program?: string;
}

/**
 * Reads the databases to their ends, then the bridge's logs, stored files and records of changes. Needs neither an app nor a bridge, and
 * does not block one that is running.
 */
export async function* verifyDisk({ home, ownBridge, searchPath, stop, program = verifyMain }: DiskToVerify): AsyncGenerator<HomeLine> {
	const databases = examineDatabases({ home, ownBridge, note: () => undefined, stop });
	for await (const _ of whilePending(databases)) yield { type: "progress", part: "databases", done: 0 };
	for (const finding of await databases) yield { type: "finding", finding };
	if (!ownBridge) yield { type: "finding", finding: elsewhere };
	else if (existsSync(join(home, "bridge", "bridge.sqlite"))) {
		const args = [join(home, "bridge"), ...(searchPath === undefined ? [] : [searchPath])];
		yield* verifyBridgeHome([program, ...args], stop);
	}
}

const elsewhere: Finding = {
	about: "logs",
	state: "note",
	message:
		"This app uses a bridge that does not belong to this data folder, so the bridge's database, logs and stored files were not verified.",
	fix: "Verify them on the computer that the bridge runs on.",
};

/** Yields at regular intervals until the work has ended, successfully or not. */
async function* whilePending(work: Promise<unknown>): AsyncGenerator<void> {
	const over = new AbortController();
	let isOver = false;
	const settled = work
		.catch(() => undefined)
		.then(() => {
			isOver = true;
			over.abort();
		});
	for (;;) {
		await Promise.race([settled, delay(SAY_EVERY_MS, undefined, over).catch(() => undefined)]);
		if (isOver) return;
		yield;
	}
}

const Part = z.enum(["logs", "files", "changes"]);
type Part = z.infer<typeof Part>;
type Wrong = Readonly<Record<Part, string[]>>;

const Line = z.discriminatedUnion("type", [
	z.object({ type: z.literal("progress"), what: Part, done: z.number(), of: z.number() }),
	z.object({ type: z.literal("problem"), what: Part, message: z.string() }),
	/** A folder or a git repository that no longer exists, which is why a thread's changes can't be listed. */
	z.object({ type: z.literal("gone"), path: z.string() }),
	z.object({ type: z.literal("otherVersion") }),
	z.object({
		...{ type: z.literal("ended"), runs: z.number(), plans: z.number(), events: z.number() },
		...{ files: z.number(), bytes: z.number(), records: z.number().nullable() },
		/** How many problems of each kind were found. Only the first problems of a kind have a line. */
		problems: z.record(Part, z.number()),
	}),
]);
type Line = z.infer<typeof Line>;

const parts = { logs: "logs", files: "storedFiles", changes: "changeRecords" } as const;
const abouts = { logs: "logs", files: "stored files", changes: "records of changes" } as const;

const toRestore = `restore a backup: ${commandLine("restore FILE --replace")}`;
const restore = capitalized(toRestore);
/**
 * The advice is to verify again first, because data that could not be read may be intact (too little memory also ends the program), and a
 * backup has older data.
 */
const again = `Verify again. If the problem is still reported, ${toRestore}`;
const fixes = {
	logs: restore,
	files: `The thread's folder may still have the file. To get the stored one back, ${toRestore}`,
	changes: `List the thread's changes, which repairs what can be repaired: ${commandLine("changes THREAD")}. Then verify again. If the problem is still reported, restore a backup.`,
} as const;

async function* verifyBridgeHome(program: readonly string[], stop: AbortSignal): AsyncGenerator<HomeLine> {
	const wrong: Wrong = { logs: [], files: [], changes: [] };
	const gone: string[] = [];
	let ended: Extract<Line, { type: "ended" | "otherVersion" }> | undefined;
	const reading = startReading(program, stop);
	try {
		for await (const line of reading.lines()) {
			if (line.type === "progress") yield { type: "progress", part: parts[line.what], done: line.done, of: line.of };
			else if (line.type === "problem") wrong[line.what].push(line.message);
			else if (line.type === "gone") gone.push(line.path);
			else ended = line;
		}
	} finally {
		await reading.end();
	}
	stop.throwIfAborted();
	for (const what of Part.options) {
		const total = ended?.type === "ended" ? ended.problems[what] : undefined;
		for (const finding of namedFindings(abouts[what], wrong[what], fixes[what], total)) yield { type: "finding", finding };
	}
	if (ended === undefined) yield { type: "finding", finding: { about: "logs", state: "problem", ...unread(reading.words()), fix: again } };
	else if (ended.type === "otherVersion") yield { type: "finding", finding: otherVersion };
	else for (const finding of intact(ended, wrong, gone)) yield { type: "finding", finding };
}

function unread(words: string): Pick<Finding, "message"> {
	const why = words === "" ? "" : ` ${words}`;
	return { message: `The bridge's logs and stored files couldn't be read completely.${why}` };
}

const otherVersion: Finding = {
	about: "logs",
	state: "note",
	message: "The bridge's database was last used by another version of XWorkmate, so its logs and stored files were not verified.",
	fix: "If that version is newer, verify with it. Otherwise, start XWorkmate once, then verify again.",
};

const withoutGit: Finding = {
	about: abouts.changes,
	state: "note",
	message: "What the threads changed in git repositories was not verified, because git was not found.",
	fix: "Install git, then verify again.",
};

function intact(
	{ runs, plans, events, files, bytes, records }: Extract<Line, { type: "ended" }>,
	wrong: Wrong,
	gone: readonly string[],
): Finding[] {
	const ofPlans = plans === 0 ? "" : ` and ${count(plans, "plan")}`;
	const logs = `${count(events, "event")} of ${count(runs, "run")}${ofPlans}, with no gaps.`;
	const stored = `${count(files, "stored file")} (${formatBytes(bytes)}), ${files === 1 ? "matching its record" : "all matching their records"}.`;
	return [
		...(wrong.logs.length === 0 ? [{ about: abouts.logs, state: "ok", message: logs } as const] : []),
		...(wrong.files.length === 0 ? [{ about: abouts.files, state: "ok", message: stored } as const] : []),
		...ofChanges(records, wrong.changes.length, gone),
	];
}

/** `records`: null without git. */
function ofChanges(records: number | null, problems: number, gone: readonly string[]): Finding[] {
	if (records === null) return [withoutGit];
	const usable = records - gone.length;
	const message = `The records of what ${count(usable, "thread")} changed in git repositories are usable.`;
	return [
		...(gone.length > 0 ? [unlistable(gone)] : []),
		...(usable > 0 && problems === 0 ? [{ about: abouts.changes, state: "ok", message } as const] : []),
	];
}

/** The maximum number of folders and repositories that are named. */
const NAMED_GONE = 5;

function unlistable(gone: readonly string[]): Finding {
	const paths = [...new Set(gone)];
	const more = paths.length > NAMED_GONE ? ` and ${paths.length - NAMED_GONE} more` : "";
	return {
		about: abouts.changes,
		state: "note",
		message: `What ${count(gone.length, "thread")} changed can't be listed, because ${paths.length === 1 ? "a folder or git repository no longer exists" : "these folders or git repositories no longer exist"}: ${paths.slice(0, NAMED_GONE).join(", ")}${more}`,
		fix: `Put ${paths.length === 1 ? "it" : "them"} back if you need the list, or if you want runs to work there again.`,
	};
}

/** Starts the program that reads the bridge's part; returns its lines, and a way to end it. */
function startReading(program: readonly string[], stop: AbortSignal) {
	const args = ["--disable-warning=ExperimentalWarning", ...program];
	let errors = "";
	/** The program could not be started, or was stopped. */
	const fail = (error: unknown) => {
		errors ||= String(error);
	};
	let child: ChildProcess | undefined;
	let exited: Promise<unknown> = Promise.resolve();
	try {
		child = spawn(process.execPath, args, { env: {}, stdio: ["ignore", "pipe", "pipe"], signal: stop, killSignal: "SIGKILL" });
		exited = once(child, "close").catch(fail);
	} catch (error) {
		// Some reasons are thrown, such as too little memory; others arrive as an event.
		fail(error);
	}
	// A process that could not be started may have no streams.
	child?.stderr?.setEncoding("utf8").on("data", (text: string) => {
		errors = (errors + text).slice(-LAST_WORDS);
	});
	return {
		async *lines(): AsyncGenerator<Line> {
			if (child?.stdout) {
				for await (const text of createInterface({ input: child.stdout })) {
					const line = Line.safeParse(parsed(text));
					if (line.success) yield line.data;
				}
			}
			await exited;
		},
		/** The error that ended the program early or kept it from being started, if there was one. */
		words: () => /^\w*Error: .*$/m.exec(errors)?.[0] ?? "",
		async end(): Promise<void> {
			child?.kill("SIGKILL");
			await exited;
		},
	};
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// The last line of a program that was ended may be incomplete.
		return undefined;
	}
}
