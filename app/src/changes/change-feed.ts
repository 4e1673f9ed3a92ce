import type { Approval, ApprovalId, PlanId, ThreadId } from "@xworkmate/contracts";
import { AutoResetEvent } from "@xworkmate/platform/async";
import type { AppChange, AppState } from "../api/ui-api.ts";
import type { AppEvents } from "../threads/app-events.ts";

/** If more threads and requests than this have changed for a reader, the reader receives the complete state instead, which is shorter. */
const MANY = 2_000;

/** The current state. */
export interface ChangeSource {
	state(): AppState;
	/** Undefined if the thread has been deleted. */
	thread(threadId: ThreadId): Extract<AppChange, { type: "thread" }>["thread"] | undefined;
	readonly grants?: readonly Approval[] | undefined;
	readonly gatewayQueue: AppState["gatewayQueue"];
	readonly bridge: AppState["bridge"];
	readonly plans?: AppState["plans"];
	readonly newDraft?: AppState["newDraft"];
}

/**
 * Lets any number of windows follow the small state. A watcher records only which parts have changed, and reads them when its reader is
 * ready. A slow reader therefore receives the newest version of each part, and only the names of the changed parts and the changed requests
 * for approval are stored for that reader.
 */
export class ChangeFeed {
	readonly #watchers = new Set<Watcher>();

	constructor(events: AppEvents) {
		events.on("summaryChanged", (threadId) => this.#note((watcher) => watcher.threads.add(threadId)));
		events.on("approvalChanged", (approval) =>
			this.#note((watcher) => {
				watcher.approvals.set(approval.approvalId, approval);
				// A plan whose agent is waiting for an answer counts as waiting for the user.
				watcher.plans = true;
			}),
		);
		events.on("filesChanged", (threadId) => this.#note((watcher) => watcher.files.add(threadId)));
		events.on("toolsChanged", () =>
			this.#note((watcher) => {
				watcher.tools = true;
			}),
		);
		events.on("agentsChanged", () =>
			this.#note((watcher) => {
				watcher.agents = true;
			}),
		);
		events.on("planChanged", (planId) => this.#note((watcher) => watcher.changedPlans.add(planId)));
		events.on("plansChanged", () =>
			this.#note((watcher) => {
				watcher.plans = true;
			}),
		);
		const noteNewDraft = () =>
			this.#note((watcher) => {
				watcher.newDraft = true;
			});
		events.on("newDraftChanged", noteNewDraft);
		events.on("threadWritten", ({ sentDraft }) => {
			if (sentDraft !== undefined && sentDraft.threadId === undefined) noteNewDraft();
		});
		events.on("grantsChanged", () =>
			this.#note((watcher) => {
				watcher.grants = true;
			}),
		);
		events.on("gatewayQueueChanged", (threads) =>
			this.#note((watcher) => {
				watcher.gatewayQueue = true;
				for (const threadId of threads) watcher.threads.add(threadId);
			}),
		);
		events.on("bridgeChanged", () =>
			this.#note((watcher) => {
				watcher.bridge = true;
			}),
		);
	}

	get isWatched(): boolean {
		return this.#watchers.size > 0;
	}

	/** Ends every watch. */
	close(): void {
		for (const watcher of this.#watchers) watcher.changed.close();
	}

	/** Leaving the loop ends the watch at once, even if nothing happens. */
	watch(source: ChangeSource): AsyncIterableIterator<AppChange> {
		const watcher = new Watcher(source);
		this.#watchers.add(watcher);
		const leave = () => {
			watcher.changed.close();
			this.#watchers.delete(watcher);
		};
		const changes = this.#changes(watcher, leave);
		return {
			[Symbol.asyncIterator]() {
				return this;
			},
			next: () => changes.next(),
			return: () => {
				leave();
				return changes.return(undefined);
			},
		};
	}

	async *#changes(watcher: Watcher, leave: () => void): AsyncGenerator<AppChange, undefined> {
		try {
			while (!watcher.changed.closed) {
				const changes = this.#take(watcher);
				yield* changes;
				// If something changed after the parts were taken, the event is set, so no change is missed between reading and waiting.
				if (changes.length === 0) await watcher.changed.wait();
			}
		} finally {
			leave();
		}
	}

	#take(watcher: Watcher): readonly AppChange[] {
		const { source } = watcher;
		const { threads, approvals, grants, files, tools, agents, changedPlans, plans, newDraft, gatewayQueue, bridge, everything } =
			watcher.take();
		const notices: AppChange[] = [...files].map((threadId) => ({ type: "files", threadId }));
		if (tools) notices.push({ type: "tools" });
		if (agents) notices.push({ type: "agents" });
		for (const planId of changedPlans) notices.push({ type: "plan", planId });
		if (everything || threads.size + approvals.size > MANY) return [{ type: "state", state: source.state() }, ...notices];
		const changes: AppChange[] = [...threads].map((threadId) => {
			const thread = source.thread(threadId);
			return thread === undefined ? { type: "thread_deleted", threadId } : { type: "thread", thread };
		});
		changes.push(...notices);
		for (const approval of approvals.values()) changes.push({ type: "approval", approval });
		if (grants && source.grants !== undefined) changes.push({ type: "grants", grants: source.grants });
		if (gatewayQueue) changes.push({ type: "gatewayQueue", gatewayQueue: source.gatewayQueue });
		if (plans && source.plans !== undefined) changes.push({ type: "plans", plans: source.plans });
		if (newDraft) changes.push({ type: "newDraft", ...(source.newDraft && { draft: source.newDraft }) });
		if (bridge) changes.push({ type: "bridge", bridge: source.bridge });
		return changes;
	}

	#note(change: (watcher: Watcher) => void): void {
		for (const watcher of this.#watchers) {
			change(watcher);
			watcher.changed.set();
		}
	}
}

/** Changes that one reader has not received yet. */
class Watcher {
	readonly source: ChangeSource;
	readonly changed = new AutoResetEvent();
	threads = new Set<ThreadId>();
	approvals = new Map<ApprovalId, Approval>();
	files = new Set<ThreadId>();
	tools = false;
	agents = false;
	changedPlans = new Set<PlanId>();
	plans = false;
	newDraft = false;
	grants = false;
	gatewayQueue = false;
	bridge = false;
	/** A new reader does not have any state yet. */
	everything = true;

	constructor(source: ChangeSource) {
		this.source = source;
	}

	take() {
		const { threads, approvals, grants, files, tools, agents, changedPlans, plans, newDraft, gatewayQueue, bridge, everything } = this;
		this.threads = new Set();
		this.approvals = new Map();
		this.grants = false;
		this.files = new Set();
		this.tools = false;
		this.agents = false;
		this.changedPlans = new Set();
		this.plans = false;
		this.newDraft = false;
		this.gatewayQueue = false;
		this.bridge = false;
		this.everything = false;
		return { threads, approvals, grants, files, tools, agents, changedPlans, plans, newDraft, gatewayQueue, bridge, everything };
	}
}
