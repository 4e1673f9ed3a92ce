import { limits, type Occurrence, type OccurrenceId } from "@xworkmate/contracts";
import type { AppApi } from "../../api/app-api.ts";
import { plansPageWords } from "../../strings/plans-page-words.ts";
import { commandLine } from "../../text/command-line.ts";
import { isCutShort } from "../../text/is-cut-short.ts";
import { oneLine } from "../../text/printable.ts";
import { isUnderWay } from "../parts/asked-runs.ts";

/**
 * The occurrences whose work was cancelled, but whose last run has not ended yet. None if the bridge does not answer, because nothing is
 * known about the runs then.
 */
export async function stillRunning(api: Pick<AppApi, "tasks">, occurrences: readonly Occurrence[]): Promise<ReadonlySet<OccurrenceId>> {
	const cut = occurrences.filter(isCutShort);
	if (cut.length === 0) return new Set();
	const [threadId, ...others] = new Set(cut.map(({ runs }) => runs.at(-1)?.threadId));
	try {
		const { items } = await api.tasks({ ...(threadId !== undefined && others.length === 0 && { threadId }), limit: limits.listMax });
		const active = new Set<string | undefined>(items.filter(({ status }) => isUnderWay(status)).map(({ turnId }) => turnId));
		return new Set(cut.filter(({ runs }) => active.has(runs.at(-1)?.turnId)).map(({ occurrenceId }) => occurrenceId));
	} catch {
		return new Set();
	}
}

/** The line to print about such an occurrence. */
export function stillRunningLine({ runs }: Pick<Occurrence, "runs">): string {
	const threadId = runs.at(-1)?.threadId ?? "";
	return `${plansPageWords.stillRunning} See whether it has stopped: ${commandLine(`tasks --thread ${oneLine(threadId, 200)}`)}`;
}
