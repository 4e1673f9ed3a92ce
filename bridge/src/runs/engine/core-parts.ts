import type { ProviderId, RunId } from "@xworkmate/contracts";
import type { ApprovalBroker } from "../../approvals/approval-broker.ts";
import type { CommitLog } from "../../log/commit-log.ts";
import type { ArtifactStore } from "../../ports/artifact-store.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Provider } from "../../ports/provider.ts";
import type { RunLimits } from "../../ports/run-limits.ts";
import type { RunAppend, RunStore } from "../../ports/run-store.ts";
import type { RunWorkspace } from "../../ports/run-workspace.ts";
import type { SessionStore } from "../../ports/session-store.ts";
import type { Admission } from "../domain/admission.ts";
import type { Attempts } from "../domain/attempts.ts";
import type { CheckContract } from "./collection.ts";
import type { RunLookup } from "./run-lookup.ts";

/** What the parts of the core share: the ports, and the core's own log, lookup, queue and broker. Each names what it uses. */
export interface CoreParts {
	readonly store: RunStore;
	readonly sessions: SessionStore;
	readonly providers: ReadonlyMap<ProviderId, Provider>;
	readonly artifactStore: ArtifactStore;
	readonly checkContract: CheckContract;
	readonly workspace: RunWorkspace;
	readonly clock: Clock;
	readonly limits: RunLimits;
	readonly log: CommitLog<RunId, RunAppend>;
	readonly lookup: RunLookup;
	readonly admission: Admission;
	readonly broker: ApprovalBroker;
	readonly attempts: Attempts;
	readonly onError: (error: unknown, runId?: RunId) => void;
}
