import type { Approval } from "@xworkmate/contracts";
import type { AppChange, AppState, ParkedLine } from "../../api/ui-api.ts";
import { CHANGES_ROUTE } from "../../api/ui-routes.ts";
import { AppRefusal, type RefusedLine, SIGNED_OUT } from "./app-refusal.ts";
import { applyChange } from "./app-state.ts";
import { readLines } from "./read-lines.ts";
import { Store } from "./store.ts";

export interface Link {
	/**
	 * `gone`: the app does not respond, and the page shows the last known state. `connecting` with a last known state: another page displaced
	 * this page, and the user has not looked at this page since.
	 */
	readonly state: "connecting" | "live" | "gone" | "signed_out";
	readonly app?: AppState;
	/** How far the app's clock is ahead of this page's, in milliseconds. */
	readonly clockAheadMs: number;
	/** When the app last responded, by this page's clock. */
	readonly heardAt?: string;
}

const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 5_000;
const PARKED_PAUSE_MS = 2_000;

/** How many changes to plans have been reported: in total, and for each plan. */
export interface PlanNews {
	readonly count: number;
	readonly of: Readonly<Record<string, number>>;
}

/** Follows the small state, and reconnects automatically when the app responds again. */
export class AppLink {
	readonly link = new Store<Link>({ state: "connecting", clockAheadMs: 0 });
	/** The newest record of each request that was reported or answered since the page was opened, including who answered it. */
	readonly answers = new Store<ReadonlyMap<string, Approval>>(new Map());
	/** How many changes to each thread's files on disk have been reported. */
	readonly fileNews = new Store<ReadonlyMap<string, number>>(new Map());
	/** How many changes to the tools have been reported. */
	readonly toolNews = new Store(0);
	/** How many changes to the agents have been reported. */
	readonly agentNews = new Store(0);
	/** How many changes to plans have been reported, and to which plans. */
	readonly planNews = new Store<PlanNews>({ count: 0, of: {} });
	/**
	 * How often the whole state has arrived, which is once for each connection. Anything read before the latest connection may be out of
	 * date.
	 */
	readonly connections = new Store(0);
	/** True if another page displaced this one, so that what this page shows may be out of date. */
	readonly parked = new Store(false);
	/** How many of the attempts to reconnect that the user asked for have failed. */
	readonly failedTries = new Store(0);
	#isAsked = false;
	readonly #stop = new AbortController();
	#wake: () => void = () => {};

	start(): void {
		void this.#run();
	}

	close(): void {
		this.#stop.abort();
		this.#wake();
	}

	/** Adds a request's newest record, from a response or a change. */
	readonly seeAnswer = (record: Approval): void => this.answers.set(new Map(this.answers.value).set(record.approvalId, record));

	/** Skips the pause between two attempts. */
	readonly tryNow = (): void => {
		this.#isAsked = true;
		this.#wake();
	};

	async #run(): Promise<void> {
		const { signal } = this.#stop;
		for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
			let isLookedAt = false;
			try {
				for await (const change of readLines<AppChange | ParkedLine | RefusedLine>(CHANGES_ROUTE, signal)) {
					if (change.type === "refused") throw new AppRefusal(change.failure.code, change.failure.message);
					pause = FIRST_PAUSE_MS;
					if (change.type === "parked") isLookedAt = await this.#untilLookedAt(signal);
					else this.#take(change);
				}
			} catch (error) {
				if (signal.aborted) return;
				const signedOut = error instanceof AppRefusal && error.code === SIGNED_OUT;
				this.link.set({ ...this.link.value, state: signedOut ? "signed_out" : "gone" });
				if (this.#isAsked) this.failedTries.set(this.failedTries.value + 1);
				this.#isAsked = false;
			}
			if (!isLookedAt) await this.#pause(pause);
		}
	}

	#take(change: AppChange): void {
		this.parked.set(false);
		if (change.type === "files") {
			const { threadId } = change;
			this.fileNews.set(new Map(this.fileNews.value).set(threadId, (this.fileNews.value.get(threadId) ?? 0) + 1));
			return;
		}
		if (change.type === "tools") {
			this.toolNews.set(this.toolNews.value + 1);
			return;
		}
		if (change.type === "agents") {
			this.agentNews.set(this.agentNews.value + 1);
			return;
		}
		if (change.type === "plan") {
			const { count, of } = this.planNews.value;
			const { planId } = change;
			this.planNews.set({ count: count + 1, of: { ...of, [planId]: (of[planId] ?? 0) + 1 } });
			return;
		}
		if (change.type === "plans") this.planNews.set({ ...this.planNews.value, count: this.planNews.value.count + 1 });
		const before = this.link.value;
		const app = applyChange(before.app, change);
		const serverTime = change.type === "state" ? change.state.serverTime : change.type === "alive" ? change.serverTime : undefined;
		const clockAheadMs = serverTime === undefined ? before.clockAheadMs : Date.parse(serverTime) - Date.now();
		this.#isAsked = false;
		if (change.type === "state") this.connections.set(this.connections.value + 1);
		if (change.type === "approval") this.seeAnswer(change.approval);
		this.link.set({ state: "live", clockAheadMs, heardAt: new Date().toISOString(), ...(app && { app }) });
	}

	/**
	 * Waits after another page displaced this one. A hidden page reconnects only when it becomes visible; otherwise hidden pages would keep
	 * displacing each other. A page that is visible can still be used, and waits before it displaces the other page in turn.
	 * @returns true if the user has just begun to look at the page, which must then reconnect immediately
	 */
	async #untilLookedAt(signal: AbortSignal): Promise<boolean> {
		this.parked.set(true);
		if (!document.hidden) {
			await this.#pause(PARKED_PAUSE_MS);
			return false;
		}
		this.link.set({ ...this.link.value, state: "connecting" });
		while (document.hidden && !signal.aborted)
			await new Promise((resolve) => {
				document.addEventListener("visibilitychange", resolve, { once: true });
				signal.addEventListener("abort", resolve, { once: true });
			});
		return true;
	}

	#pause(milliseconds: number): Promise<void> {
		return new Promise((resolve) => {
			const timer = setTimeout(resolve, milliseconds);
			this.#wake = () => {
				clearTimeout(timer);
				resolve();
			};
		});
	}
}
