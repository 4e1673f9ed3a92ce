import type { Timestamp } from "@xworkmate/contracts";
import type { Database } from "better-sqlite3";
import type { RunStep, StepStore } from "../../../ports/runs/run-step.ts";
import { shownRun } from "../rows/shown.ts";
import { answer } from "../rows/translate-error.ts";

interface StepRow {
	readonly n: number;
	readonly at: Timestamp;
	readonly body: string;
}

export function createStepStore(db: Database): StepStore {
	const ofRun = `FROM run_step WHERE run = ${shownRun("?")}`;
	const steps = db.prepare<[string], StepRow>(`SELECT n, at, body ${ofRun} ORDER BY n`);
	const open = db.prepare<[string], { open: number }>(
		`SELECT count(*) FILTER (WHERE kind = 'began') - count(*) FILTER (WHERE kind = 'settled') AS open ${ofRun}`,
	);
	return {
		readSteps: (runId) => answer(db.name, () => steps.all(runId).map(({ n, at, body }) => ({ n, at, step: JSON.parse(body) as RunStep }))),
		countOpenCalls: (runId) => answer(db.name, () => open.get(runId)?.open ?? 0),
	};
}
