import type { ProviderId, RunId } from "@xworkmate/contracts";
import type { ApprovalDesk } from "../../approvals/approval-desk.ts";
import type { CommitLog } from "../../log/commit-log.ts";
import type { RunBook } from "../../log/run-book.ts";
import type { ArtifactVault } from "../../ports/artifact-vault.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Provider } from "../../ports/provider.ts";
import type { RunLimits } from "../../ports/run-limits.ts";
import type { RunStore } from "../../ports/run-store.ts";
import type { RunWorkspace } from "../../ports/run-workspace.ts";
import type { SessionStore } from "../../ports/session-store.ts";
import type { Admission } from "../domain/admission.ts";
import type { Attempts } from "../domain/attempts.ts";
import type { CheckContract } from "./collection.ts";

/** What the parts of the core share: the ports, and the core's own log, book, queue and desk. Each names what it uses. */
export interface CoreParts {
	readonly store: RunStore;
	readonly sessions: SessionStore;
	readonly providers: ReadonlyMap<ProviderId, Provider>;
	readonly vault: ArtifactVault;
	readonly checkContract: CheckContract;
	readonly workspace: RunWorkspace;
	readonly clock: Clock;
	readonly limits: RunLimits;
	readonly log: CommitLog;
	readonly book: RunBook;
	readonly admission: Admission;
	readonly desk: ApprovalDesk;
	readonly attempts: Attempts;
	readonly onError: (error: unknown, runId?: RunId) => void;
}
