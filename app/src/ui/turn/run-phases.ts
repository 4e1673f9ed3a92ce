import type { RunLogEntry } from "../../api/ui-api.ts";
import { logPageWords } from "../../strings/runs/log-page-words.ts";
import { stageWords } from "../../strings/runs/states.ts";

/** A period in which a run was doing one thing. */
export interface RunPhase {
	readonly name: string;
	readonly milliseconds: number;
}

/** How a run spent its time, in order. The last phase ends with the run's newest entry. */
export function runPhases(entries: readonly RunLogEntry[]): readonly RunPhase[] {
	const begins = entries.flatMap((entry) => {
		const name = beginsPhase(entry);
		return name === undefined ? [] : [{ name, at: Date.parse(entry.at) }];
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

function beginsPhase({ what, stage, status }: RunLogEntry): string | undefined {
	if (what === "written") return logPageWords.sending;
	if (stage !== undefined) return stageWords[stage];
	// After a run's last status, only its files are being transferred.
	return status === undefined || status === "queued" || status === "running" ? undefined : logPageWords.saving;
}
