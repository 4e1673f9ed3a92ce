import { EventEmitter } from "node:events";
import type { Approval, PlanId, ThreadId } from "@xworkmate/contracts";
import type { BridgeView } from "../api/ui-api.ts";
import type { BridgeTrouble } from "../process/bridge/bridge-trouble.ts";
import type { Thread, ThreadChange } from "./index.ts";

/** What a decision writes in addition to the thread itself. */
export type ChangeExtras = Pick<ThreadChange, "created" | "sentDraft" | "snapshot" | "updates">;

/** A thread before and after a write; `after` is absent if it was deleted. */
export interface WrittenThread extends ChangeExtras {
	readonly threadId: ThreadId;
	readonly before: Thread | undefined;
	readonly after: Thread | undefined;
}

export type ApprovalNews =
	| { readonly type: "approval"; readonly approval: Approval }
	/** The bridge has begun or stopped streaming every change. */
	| { readonly type: "followed"; readonly isFollowed: boolean }
	/** Changes may have been missed. */
	| { readonly type: "resync" };

/**
 * Events between the parts of the app. Each is emitted once it has taken effect. Listeners are called synchronously, in the order in which
 * they were added.
 */
interface AppEventMap {
	threadWritten: [written: WrittenThread];
	/**
	 * What a list shows about the thread has changed: its record, marks, draft or queue, the step of its run, or the contact with its run.
	 */
	summaryChanged: [threadId: ThreadId];
	/** The draft of a new thread has appeared or disappeared. A draft that is sent is announced by `threadWritten`. */
	newDraftChanged: [];
	/** A page or a command has read the thread. */
	threadOpened: [threadId: ThreadId];
	/** Files of a watched thread changed on disk. */
	filesChanged: [threadId: ThreadId];
	/** The OpenClaw queue was paused or resumed, or its turns changed. Names the threads whose position changed or that left the queue. */
	gatewayQueueChanged: [threads: readonly ThreadId[]];
	approvalChanged: [approval: Approval];
	/** A bridge change about an approval, or about how changes are followed. */
	approvalNews: [news: ApprovalNews];
	grantsChanged: [];
	/** The bridge's tools have changed, or may have changed while its changes were not followed. */
	toolsChanged: [];
	/** The state of an agent, or of its installation, test or sign-in, has changed, or may have changed while changes were not followed. */
	agentsChanged: [];
	/** The app has read a plan again, because the plan was or may have been changed, created or deleted. */
	planChanged: [planId: PlanId];
	/** What is shown about all plans together has changed: how many plans need review, the inbox, or contact with the bridge. */
	plansChanged: [];
	/** The bridge has begun or stopped reporting what happens to plans. */
	plansFollowed: [isFollowed: boolean];
	/**
	 * A record mentions an unknown grant, which may have been revoked since, or changes may have been missed: the bridge has to be asked for
	 * its grants.
	 */
	grantHeardOf: [];
	/** A call to the bridge has ended, other than by being aborted or timing out. The value is true if the call got a status below 500. */
	bridgeHeard: [answered: boolean];
	/** The supervisor of this machine's bridge reports that a problem began, changed or ended. */
	bridgeTroubled: [trouble: BridgeTrouble | undefined];
	/** The app's view of its bridge changed. */
	bridgeChanged: [view: BridgeView];
}

export class AppEvents extends EventEmitter<AppEventMap> {
	constructor() {
		super();
		// Each part adds a listener for as long as the app is open, and each watch of a plan adds two until its end, so a large number is not a
		// leak.
		this.setMaxListeners(0);
	}
}
