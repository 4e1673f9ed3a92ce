import { EventEmitter } from "node:events";
import type { Approval, ThreadId } from "@xworkmate/contracts";
import type { BridgeView } from "../api/ui-api.ts";
import type { BridgeTrouble } from "../process/bridge/bridge-trouble.ts";
import type { Thread, ThreadChange } from "./index.ts";

/** What a decision writes in addition to the thread itself. */
export type ChangeExtras = Pick<ThreadChange, "created" | "sentDraft" | "snapshot" | "updates">;

/** A thread as it was and is on disk; `after` is absent when it was deleted. */
export interface WrittenThread extends ChangeExtras {
	readonly threadId: ThreadId;
	readonly before: Thread | undefined;
	readonly after: Thread | undefined;
}

export type ApprovalNews =
	| { readonly type: "approval"; readonly approval: Approval }
	/** Every change comes on its own from now on, or no longer. */
	| { readonly type: "followed"; readonly isFollowed: boolean }
	/** What was known may be gone. */
	| { readonly type: "resync" };

/** What the parts of the app tell each other: all of it, each once it is so. Listeners are called at once, in the order they came. */
interface AppEventMap {
	threadWritten: [written: WrittenThread];
	/** What a list shows of the thread: its record, its draft, its queue, its run's step, contact with its run. */
	summaryChanged: [threadId: ThreadId];
	/** A user looks at the thread. */
	threadOpened: [threadId: ThreadId];
	/** Files of a watched thread changed on disk. */
	filesChanged: [threadId: ThreadId];
	/** The turns of the OpenClaw queue or its pause; the threads that wait, or waited. */
	gatewayQueueChanged: [threads: readonly ThreadId[]];
	approvalChanged: [approval: Approval];
	/** The bridge's changes tell of an approval, or of how they are followed. */
	approvalNews: [news: ApprovalNews];
	grantsChanged: [];
	/** A run's update tells of a grant. It may be an old one, revoked since: the bridge knows. */
	grantHeardOf: [];
	/** A call of the bridge is over: whether the bridge answered it. */
	bridgeHeard: [answered: boolean];
	/** The supervisor of this machine's bridge saw a trouble begin, change or end. */
	bridgeTroubled: [trouble: BridgeTrouble | undefined];
	/** What the app knows of its bridge. */
	bridgeChanged: [view: BridgeView];
}

export class AppEvents extends EventEmitter<AppEventMap> {
	constructor() {
		super();
		// Each part listens once and for as long as the app is open, so many listeners are no leak.
		this.setMaxListeners(0);
	}
}
