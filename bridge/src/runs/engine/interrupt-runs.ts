import type { InterruptedCode, ProviderId, RunId } from "@xworkmate/contracts";
import type { Provider } from "../../ports/agents/provider.ts";
import type { RunWorkspace } from "../../ports/runs/run-workspace.ts";
import type { Attempts } from "../domain/attempts.ts";
import { answererOf } from "./answerer-of.ts";
import type { LiveRun } from "./live-run.ts";
import { whereItWrote } from "./where-it-wrote.ts";

/** How many interruptions are written in one commit. */
const BATCH = 1_000;

const messages = {
	BRIDGE_RESTARTED: "The bridge was restarted while the run was executing; its outcome is unknown.",
	STORE_RESTORED:
		"A backup was restored, so the bridge can't tell what the run did after the backup was made. The run was not started again.",
	POISONED: "The bridge went down repeatedly while starting or finishing this run, so the run is not tried again.",
} as const satisfies Partial<Record<InterruptedCode, string>>;

export type InterruptionCode = keyof typeof messages;

export interface LostRun {
	readonly run: LiveRun;
	readonly code: InterruptionCode;
}

interface Deps {
	readonly workspace: RunWorkspace;
	readonly attempts: Attempts;
	readonly providers: ReadonlyMap<ProviderId, Provider>;
	readonly onError: (error: unknown, runId: RunId) => void;
}

/** Ends runs whose outcome is not known, many in one commit. Resolves when all ends are durable. */
export async function interruptRuns(lost: readonly LostRun[], deps: Deps): Promise<void> {
	for (let first = 0; first < lost.length; first += BATCH) await interruptTogether(lost.slice(first, first + BATCH), deps);
}

/**
 * Withdraws requests that agents made through the previous bridge, before this one shows them to anyone: no agent is waiting for the
 * answers, and an agent whose run continues asks again. Resolves when the withdrawals are durable.
 */
export async function withdrawRequests(found: readonly LiveRun[]): Promise<void> {
	for (const run of found) run.dispatch({ type: "take_up" });
	await Promise.all(found.map((run) => run.durable()));
}

/** Ends runs together. All slow work is done before the first run ends. */
async function interruptTogether(lost: readonly LostRun[], { workspace, attempts, providers, onError }: Deps): Promise<void> {
	const ends = await Promise.all(
		lost.map(async ({ run, code }) => {
			const how = await whereItWrote(run, messages[code], workspace, (error) => onError(error, run.runId));
			const answerer = answererOf(run.record, providers.get(run.record.provider.providerId));
			return { run, command: { type: "interrupt", code, ...how, answerer } as const };
		}),
	);
	for (const { run, command } of ends) run.dispatch(command);
	await Promise.all(ends.map(({ run }) => run.durable()));
	for (const { run } of ends) attempts.close(run.runId);
}
