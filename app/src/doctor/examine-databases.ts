import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ContractError } from "@xworkmate/contracts";
import { ifAbsent } from "@xworkmate/platform/errors";
import { checkDatabase, WHOLE_CHECK_BYTES } from "@xworkmate/platform/sqlite";
import type { Finding } from "../api/ui-api.ts";
import type { AppError } from "../errors/app-error.ts";
import { damagedDatabase } from "../store/app-database.ts";
import { formatBytes, formatSpan } from "../text/format-measure.ts";

/** The time limit for one database: enough for several gigabytes. */
const CHECK_MS = 30_000;

interface ExaminedDatabases {
	readonly home: string;
	/** True if the bridge is this home's own. */
	readonly ownBridge: boolean;
	/** Prints what is being checked, if the check takes a while. */
	readonly note: (words: string) => void;
	readonly checkMs?: number;
	/** Ends the check, which then rejects. If given, there is no time limit for a database. */
	readonly stop?: AbortSignal;
}

/** Reads the databases of the app and its bridge to their ends, even while they are in use, or reports what was not checked. */
export async function examineDatabases({
	home,
	ownBridge,
	note,
	stop,
	checkMs = CHECK_MS,
}: ExaminedDatabases): Promise<readonly Finding[]> {
	const findings: Finding[] = [];
	for (const part of ownBridge ? (["app", "bridge"] as const) : (["app"] as const)) {
		const path = join(home, part, `${part}.sqlite`);
		const size = await sizeOf(path);
		if (size > WHOLE_CHECK_BYTES) note(`Checking ${path} (${formatBytes(size)})…`);
		const damage =
			part === "app" ? damagedDatabase(path, undefined) : new ContractError("DATABASE_DAMAGED", { detail: `${path} is damaged.` });
		if (size > 0) findings.push(await examine(path, size, damage, stop ?? AbortSignal.timeout(checkMs), checkMs));
		stop?.throwIfAborted();
	}
	return findings;
}

/** The size of a database, including what was written but not yet moved into the main file. */
async function sizeOf(path: string): Promise<number> {
	const sizes = [path, `${path}-wal`].map(async (one) => (await stat(one).catch(ifAbsent))?.size ?? 0);
	const [size = 0, unmoved = 0] = await Promise.all(sizes);
	return size === 0 ? 0 : size + unmoved;
}

async function examine(path: string, size: number, damage: AppError | ContractError, stop: AbortSignal, checkMs: number): Promise<Finding> {
	const about = "database";
	try {
		const problem = await checkDatabase(path, stop);
		if (problem === undefined) return { about, state: "ok", message: `${path} is intact (${formatBytes(size)}).` };
		return { about, state: "problem", message: `${damage.message} (${damage.code})`, fix: damage.fix };
	} catch {
		if (!stop.aborted)
			return { about, state: "problem", message: `${path} can't be read.`, fix: "Check the file's owner, its permissions and its disk." };
		return {
			about,
			state: "note",
			message: `${path} was not checked completely, because checking ${formatBytes(size)} takes longer than ${formatSpan(checkMs)}.`,
		};
	}
}
