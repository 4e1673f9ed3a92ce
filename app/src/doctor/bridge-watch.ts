import { ContractError } from "@xworkmate/contracts";
import type { BridgeView, Refusal } from "../api/ui-api.ts";
import type { PendingApprovals } from "../approvals/pending-approvals.ts";
import { type BridgeClient, type BridgeEndpoint, BridgeTransportError, failureVerdict } from "../bridge-client/index.ts";
import type { BridgeTrouble } from "../process/bridge/bridge-trouble.ts";
import type { AppEvents } from "../threads/app-events.ts";
import { timestamp } from "../threads/thread-repository.ts";

export interface BridgeWatchParts {
	readonly client: Pick<BridgeClient, "call">;
	readonly endpoint: () => Promise<BridgeEndpoint>;
	/** True if the bridge is this home's own. */
	readonly own: boolean;
	/** Whether the user started the bridge that runs now. */
	readonly startedByUser: () => boolean;
	readonly events: AppEvents;
	/** The approvals are refreshed after every poll that the bridge answers, because only the bridge knows them. */
	readonly approvals: Pick<PendingApprovals, "refresh">;
	readonly fault: (error: unknown) => void;
	/** Milliseconds between two polls while a window is open. */
	readonly askMs: number;
	readonly pages: { readonly isWatched: boolean };
}

/**
 * The app's view of its bridge: polled at the start, when calls begin to fail or to succeed, when a problem has ended, when a grant or a
 * change to the tools or the agents is reported, and while a window is open.
 */
export class BridgeWatch {
	readonly #parts: BridgeWatchParts;
	readonly #timer: NodeJS.Timeout;
	#asking: Promise<void> | undefined;
	#askedAt = 0;
	readonly #stop = new AbortController();
	#trouble: BridgeTrouble | undefined;
	view: BridgeView;

	constructor(parts: BridgeWatchParts) {
		this.#parts = parts;
		this.view = { state: "starting", since: timestamp(), own: parts.own, clockAheadMs: 0 };
		this.#timer = setInterval(() => this.lookAgain(), parts.askMs).unref();
		parts.events.on("bridgeHeard", (answered) => this.#heard(answered));
		parts.events.on("bridgeTroubled", (trouble) => this.#troubled(trouble));
		parts.events.on("grantHeardOf", () => void this.ask());
		// The bridge is asked again, because a permission for a tool does not apply while a different version of the tool is in use.
		parts.events.on("toolsChanged", () => void this.#askAnew());
		// Only the bridge's capabilities say whether an agent that the user set up answered or failed in a run.
		parts.events.on("agentsChanged", () => void this.#askAnew());
	}

	/** Polls if a window is open and the last poll is old. */
	lookAgain(): void {
		if (this.#parts.pages.isWatched && Date.now() - this.#askedAt >= this.#parts.askMs / 2) void this.ask();
	}

	#heard(answered: boolean): void {
		if (answered !== (this.view.state === "connected") && this.#asking === undefined) void this.ask();
	}

	/** Handles a problem that the bridge's supervisor reports, before a call that is waiting for an answer would notice it. */
	#troubled(trouble: BridgeTrouble | undefined): void {
		if (trouble === undefined && this.#trouble !== undefined && this.view.state !== "connected") return void this.#over(this.#trouble);
		this.#trouble = trouble;
		this.#showAgain();
		if (trouble === undefined) void this.ask();
	}

	/**
	 * Ends a problem that is over. The result of the last call is out of date by now, so the problem is shown until the bridge has been asked
	 * again.
	 */
	async #over(trouble: BridgeTrouble): Promise<void> {
		await this.#asking;
		await this.ask();
		if (this.#trouble !== trouble) return;
		this.#trouble = undefined;
		this.#showAgain();
	}

	#showAgain(): void {
		const { trouble: _before, own: _own, startedByUser: _by, since: _since, ...view } = this.view;
		this.#show(view);
	}

	/** Polls the bridge. Never rejects: a failed call becomes part of the view, and any other error is reported as a fault. */
	async ask(): Promise<BridgeView> {
		if (this.#stop.signal.aborted) return this.view;
		this.#asking ??= this.#ask().finally(() => {
			this.#asking = undefined;
		});
		await this.#asking;
		return this.view;
	}

	/** Polls after a change. If a poll is in progress, polls again after it, because its answer may be from before the change. */
	async #askAnew(): Promise<void> {
		await this.#asking;
		await this.ask();
	}

	async close(): Promise<void> {
		this.#stop.abort();
		clearInterval(this.#timer);
		await this.#asking;
	}

	async #ask(): Promise<void> {
		const { client, endpoint, approvals, fault } = this.#parts;
		const { signal } = this.#stop;
		this.#askedAt = Date.now();
		try {
			const url = (await endpoint()).url.origin;
			const capabilities = await client.call("acp.capabilities", {}, signal);
			const clockAheadMs = Date.parse(capabilities.serverTime) - Date.now();
			this.#show({ state: "connected", url, capabilities, clockAheadMs });
			await approvals.refresh(signal);
		} catch (error) {
			const refusal = refusalOf(error);
			if (signal.aborted) return;
			if (refusal === undefined) return fault(error);
			const state = isRefused(error) ? "refused" : "unreachable";
			const { url, capabilities, clockAheadMs } = this.view;
			this.#show({ state, refusal, clockAheadMs, ...(url && { url }), ...(capabilities && { capabilities }) });
		}
	}

	#show(view: Omit<BridgeView, "own" | "startedByUser" | "since" | "trouble">): void {
		const before = this.view;
		const isAsBefore = before.state === view.state && before.trouble?.what === this.#trouble?.what;
		const since = isAsBefore ? before.since : timestamp();
		const { own, startedByUser } = this.#parts;
		this.view = { ...view, since, own, ...(startedByUser() && { startedByUser: true }), ...(this.#trouble && { trouble: this.#trouble }) };
		if (markOf(before) !== markOf(this.view)) this.#parts.events.emit("bridgeChanged", this.view);
	}
}

/** Identifies a view without the parts that differ in every answer, such as timestamps, so that these do not count as a change. */
function markOf({ capabilities, clockAheadMs, ...view }: BridgeView): string {
	return JSON.stringify({ ...view, ahead: Math.round(clockAheadMs / 5_000), capabilities: { ...capabilities, serverTime: "" } });
}

function refusalOf(error: unknown): Refusal | undefined {
	if (failureVerdict(error) === undefined || !(error instanceof Error) || !("code" in error)) return undefined;
	const fix = "fix" in error && typeof error.fix === "string" ? error.fix : undefined;
	return { code: String(error.code), message: error.message, ...(fix !== undefined && { fix }) };
}

function isRefused(error: unknown): boolean {
	return (
		error instanceof ContractError || (error instanceof BridgeTransportError && error.code !== "ACP_HTTP_CONNECT_FAILED" && error.final)
	);
}
