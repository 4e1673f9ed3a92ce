import { type InterruptedCode, type OwnProvider, omitUndefined, type RunEdits } from "@xworkmate/contracts";
import type { FilesFound, ProviderOutcome, RunEvent } from "../../ports/runs/run-event.ts";
import type { RunProvider } from "../../ports/runs/run-record.ts";
import type { RunState } from "./run-state.ts";

/** Why the artifact contract is not met, as the check words it. */
export interface ContractBreach {
	readonly code: "NO_EXPORTED_ARTIFACTS" | "REQUIRED_ARTIFACT_MISSING";
	readonly message: string;
}

/** Who answers, and for whom. The claims in the answer are judged by it. */
export interface Answerer {
	readonly provider: RunProvider;
	/** Set if the provider is one of the bridge's own. */
	readonly own?: OwnProvider;
	/** Set if a plan started the run, so that its answer contains a message to be sent. */
	readonly isForPlan?: boolean;
}

/** What the conclusion depends on, apart from the log. */
export interface Conclusion extends Answerer {
	readonly breach?: ContractBreach;
	/** Set if remote files could not be fetched, so that it is unknown whether the turn met its contract. */
	readonly loss?: { readonly code: InterruptedCode; readonly message: string };
	/** What was found of the files that the answer says were created or removed. */
	readonly filesFound?: FilesFound;
	/** What is known to have changed where the run worked. */
	readonly edits?: RunEdits;
}

type Ended = Extract<RunEvent, { type: "ended" }>;
type Stopped = Extract<ProviderOutcome, { kind: "cancelled" }>;

/** The message of an OpenClaw run without its required files (docs/protocol.md#a-runs-end). */
const PARTIAL_ARTIFACTS = "openclaw returned partial artifacts without required final deliverables";

/**
 * The only place where a finished provider turn gets its terminal status (docs/protocol.md#a-runs-end). Decides from facts only: how the
 * provider ended, whether a stop was requested, what was collected or could not be fetched, what the contract requires, and what the agent
 * said.
 */
export function conclude(state: RunState, { provider, breach, loss }: Conclusion): readonly Ended[] {
	const outcome = state.providerOutcome;
	if (outcome === undefined) return [];
	switch (outcome.kind) {
		case "failed": {
			const { kind: _kind, ...why } = outcome;
			return [{ type: "ended", status: "failed", ...why }];
		}
		case "cancelled":
			return [concludeStop(state, outcome)];
		case "lost":
			return [{ type: "ended", status: "interrupted", code: outcome.code, message: outcome.message }];
		case "ended":
			return [loss === undefined ? concludeTurn(state, provider, breach) : { type: "ended", status: "interrupted", ...loss }];
	}
}

function concludeTurn(state: RunState, provider: RunProvider, breach: ContractBreach | undefined): Ended {
	if (breach !== undefined) return missing(provider, breach);
	if (state.answer === undefined && state.artifacts.count === 0) {
		return { type: "ended", status: "failed", code: "NO_OUTPUT", message: "The agent ended without an answer and delivered no files." };
	}
	return { type: "ended", status: "completed" };
}

function missing(provider: RunProvider, breach: ContractBreach): Ended {
	if (provider.target === "gateway" && breach.code === "REQUIRED_ARTIFACT_MISSING") {
		const message = `${PARTIAL_ARTIFACTS}: ${breach.message}`;
		return { type: "ended", status: "artifact_missing", code: "OPENCLAW_REQUIRED_ARTIFACT_MISSING", message };
	}
	return { type: "ended", status: "artifact_missing", code: breach.code, message: breach.message };
}

function concludeStop(state: RunState, { incomplete, forced, normalEnd }: Stopped): Ended {
	if (incomplete !== undefined) return { type: "ended", status: "cancelled", code: "CANCEL_INCOMPLETE", message: incomplete };
	if (state.cancelRequestedAt !== undefined)
		return { type: "ended", status: "cancelled", ...omitUndefined({ message: forced ?? normalEnd }) };
	return {
		type: "ended",
		status: "cancelled",
		code: "CANCELLED_REMOTELY",
		message: "The agent reports that the run was stopped. XWorkmate did not stop it.",
	};
}
