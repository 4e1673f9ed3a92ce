import type { HomeLine, VerifiedPart } from "../../api/app-api.ts";
import type { Finding } from "../../api/ui-api.ts";
import { formatBytes } from "../../text/format-measure.ts";
import type { Console } from "../parts/console.ts";

/** Progress is shown only for a verification that takes longer than this. */
const SAID_AFTER_MS = 1_000;

const names: Readonly<Record<VerifiedPart, string>> = {
	databases: "the databases",
	logs: "the logs of runs and plans",
	storedFiles: "the stored files",
	changeRecords: "the records of changes",
	threadFiles: "the threads' files",
	receipts: "the receipts",
};

/**
 * Collects what a verification finds. If it takes long, its progress is shown: on a terminal in a line that changes, elsewhere in one line
 * for each part.
 */
export async function collectFindings(lines: AsyncIterable<HomeLine>, console: Console, stop: AbortSignal): Promise<readonly Finding[]> {
	const begun = performance.now();
	const said = new Set<VerifiedPart>();
	const findings: Finding[] = [];
	try {
		for await (const line of lines) {
			stop.throwIfAborted();
			if (line.type === "finding") findings.push(line.finding);
			if (line.type !== "progress" || performance.now() - begun < SAID_AFTER_MS) continue;
			console.status(`Verifying ${names[line.part]}${howFar(line)}…`);
			if (!console.interactive && !said.has(line.part)) console.note(`Verifying ${names[line.part]}…`);
			said.add(line.part);
		}
	} finally {
		console.status("");
	}
	stop.throwIfAborted();
	return findings;
}

function howFar({ part, done, of }: Extract<HomeLine, { type: "progress" }>): string {
	if (of === undefined) return "";
	return part === "storedFiles" ? `: ${formatBytes(done)} of ${formatBytes(of)}` : `: ${done} of ${of}`;
}
