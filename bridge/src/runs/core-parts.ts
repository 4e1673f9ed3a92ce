import type { ProviderId, RunId } from "@xworkmate/contracts";
import type { ApprovalDesk } from "../approvals/approval-desk.ts";
import type { ArtifactVault } from "../artifacts/artifact-vault.ts";
import type { Provider } from "../providers/provider.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { Admission } from "./admission.ts";
import type { Attempts } from "./attempts.ts";
import type { Clock } from "./clock.ts";
import type { CheckContract } from "./collection.ts";
import type { CommitLog } from "./commit-log.ts";
import type { RunBook } from "./run-book.ts";
import type { RunLimits } from "./run-limits.ts";
import type { RunStore } from "./run-store.ts";
import type { RunWorkspace } from "./run-workspace.ts";

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
