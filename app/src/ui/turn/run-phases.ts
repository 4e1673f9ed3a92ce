import type { RunLogEntry } from "../../api/ui-api.ts";
import { logPageWords } from "../../strings/runs/log-page-words.ts";
import { stageWords } from "../../strings/runs/states.ts";

/** A period in which a run was doing one thing. */
export interface RunPhase {
	readonly name: string;
	readonly milliseconds: number;
}

/** The shortest silence before an interruption that is a phase of its own. */
const SILENCE_MS = 1_000;
const runtimes: ReadonlySet<RunLogEntry["from"]> = new Set<RunLogEntry["from"]>(["agent", "openclaw", "plugin"]);

/**
 * How a run spent its time, in order. The last phase ends with the run's newest entry. If the run was interrupted, the time before it in
 * which nothing was recorded is a phase of its own, because the agent or the bridge may have been gone.
 */
export function runPhases(entries: readonly RunLogEntry[]): readonly RunPhase[] {
	const silence = silenceBefore(entries);
	const begins = entries.flatMap((entry) => {
		const name = beginsPhase(entry);
		const own = name === undefined ? [] : [{ name, at: Date.parse(entry.at) }];
		return silence !== undefined && entry === silence.end ? [{ name: logPageWords.unrecorded, at: silence.since }, ...own] : own;
	});
	// Saving files does not count as the run's newest entry, because files may be downloaded again days after the run ended.
	const ofRun = entries.filter(({ from }) => from !== "sync");
	const last = Math.max(...ofRun.map(({ at, lastAt }) => Date.parse(lastAt ?? at)));
	const phases: RunPhase[] = [];
	for (const [index, { name, at }] of begins.entries()) {
		// The clocks of the app and the bridge may differ slightly, so a negative duration becomes zero.
		const milliseconds = Math.max(0, (begins[index + 1]?.at ?? last) - at);
		const before = phases.at(-1);
		if (before?.name === name) phases[phases.length - 1] = { name, milliseconds: before.milliseconds + milliseconds };
		else phases.push({ name, milliseconds });
	}
	return phases.filter(({ milliseconds }) => milliseconds > 0);
}

/** Since when nothing had been recorded when the run was interrupted. Undefined if it was not, or if it was not silent before. */
function silenceBefore(entries: readonly RunLogEntry[]): { readonly since: number; readonly end: RunLogEntry } | undefined {
	const at = entries.findIndex(({ status }) => status === "interrupted");
	const end = entries[at];
	if (end === undefined) return undefined;
	const seen = entries.slice(0, at).filter(({ from, stage }) => stage !== undefined || runtimes.has(from));
	if (seen.length === 0) return undefined;
	const since = Math.max(...seen.map((entry) => Date.parse(entry.lastAt ?? entry.at)));
	return Date.parse(end.at) - since < SILENCE_MS ? undefined : { since, end };
}

function beginsPhase({ what, stage, status }: RunLogEntry): string | undefined {
	if (what === "written") return logPageWords.sending;
	if (stage !== undefined) return stageWords[stage];
	// After a run's last status, only its files are being transferred.
	return status === undefined || status === "queued" || status === "running" ? undefined : logPageWords.saving;
}
