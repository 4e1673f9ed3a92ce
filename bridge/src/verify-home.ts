import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { verifyEdits } from "./edits/verify-edits.ts";
import { openToVerify } from "./store/sqlite/file/open-to-verify.ts";
import { verifyFiles } from "./verify-files.ts";
import { verifyLogs } from "./verify-logs.ts";

/*
 * Reads the logs, the stored files and the records of changes of a bridge's home, which may be in use, and changes nothing. This is a
 * separate process with the lowest priority, so that a working bridge is not held up. Prints lines of JSON: its progress, each problem, and
 * finally what was read.
 */
// This process has no environment, so the PATH on which to find git is an argument.
const [bridgeHome = "", searchPath] = process.argv.slice(2);

const SAY_EVERY_MS = 200;
/** The maximum number of problems of one kind in a report, which counts them all. */
const MOST_PROBLEMS = 1_000;

const print = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

// The process that started this one is gone.
process.stdout.on("error", () => process.exit(1));
try {
	setPriority(constants.priority.PRIORITY_LOW);
} catch {
	// Not every system lets a process lower its priority.
}

let saidAt = 0;
type Part = "logs" | "files" | "changes";
const problems: Record<Part, number> = { logs: 0, files: 0, changes: 0 };

function say(what: Part, done: number, of: number): void {
	if (performance.now() - saidAt < SAY_EVERY_MS) return;
	saidAt = performance.now();
	print({ type: "progress", what, done, of: Math.max(done, of) });
}

function problemsOf(what: Part): (message: string) => void {
	return (message) => {
		problems[what] += 1;
		if (problems[what] <= MOST_PROBLEMS) print({ type: "problem", what, message });
	};
}

const store = openToVerify(bridgeHome);
if (store === undefined) print({ type: "otherVersion" });
else {
	const runs = store.countRuns();
	const logs = verifyLogs(store, { problem: problemsOf("logs"), read: (read) => say("logs", read, runs) });
	const bytes = store.keptBytes();
	const root = join(bridgeHome, "artifacts");
	const files = await verifyFiles(store, root, { problem: problemsOf("files"), read: (read) => say("files", read, bytes) });
	store[Symbol.dispose]();
	const changes = {
		problem: problemsOf("changes"),
		gone: (path: string) => print({ type: "gone", path }),
		read: (read: number, of: number) => say("changes", read, of),
	};
	const records = await verifyEdits(bridgeHome, searchPath, changes);
	print({ type: "ended", ...logs, ...files, records, problems });
}
