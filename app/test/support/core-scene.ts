import type { ThreadId } from "@xworkmate/contracts";
import { AppCore, type AppCoreOptions, type SentTurn, type TurnEvent } from "../../src/core/index.ts";
import { FakeBridge } from "./fake-bridge.ts";
import type { FakeRun } from "./fake-run.ts";
import { fastClient, fastSync } from "./fast-bounds.ts";
import { temporaryHome } from "./temporary-home.ts";

export const routing = { executionTarget: "agent" } as const;

/** An app's core with a bridge, in their own home; the core may be closed and opened again. */
export class CoreScene implements AsyncDisposable {
	readonly bridge: FakeBridge;
	readonly faults: unknown[] = [];
	readonly #home: ReturnType<typeof temporaryHome>;
	readonly #bounds: AppCoreOptions["bounds"];
	core: AppCore;

	private constructor(bridge: FakeBridge, home: ReturnType<typeof temporaryHome>, bounds: AppCoreOptions["bounds"]) {
		this.bridge = bridge;
		this.#home = home;
		this.#bounds = bounds;
		this.core = this.#open();
	}

	static async open(bounds: AppCoreOptions["bounds"] = {}): Promise<CoreScene> {
		const home = temporaryHome();
		return new CoreScene(await FakeBridge.start(home.path), home, bounds);
	}

	get home(): string {
		return this.#home.path;
	}

	/** Closes the core and opens it again, as a restart of the app does. */
	async restart(between: () => void | Promise<void> = () => undefined): Promise<void> {
		await this.core[Symbol.asyncDispose]();
		await between();
		this.core = this.#open();
		this.core.resume();
	}

	send(prompt: string, threadId?: ThreadId): Promise<SentTurn> {
		return this.core.send({ prompt, routing, ...(threadId && { threadId }) });
	}

	/** A turn for the gateway, in its own thread unless one is named. */
	sendToGateway(prompt: string, threadId?: ThreadId): Promise<SentTurn> {
		return this.core.send({ prompt, routing: { executionTarget: "gateway" }, ...(threadId && { threadId }) });
	}

	/** The prompts that the bridge was given, in order, each once. */
	get submitted(): readonly unknown[] {
		const submits = this.bridge.calls.filter(({ method }) => method.startsWith("session."));
		return [...new Map(submits.map(({ params }) => [params.turnId, params.prompt])).values()];
	}

	/** Every event of a turn to its end. */
	async events({ threadId, turnId }: SentTurn, afterSeq?: number): Promise<readonly TurnEvent[]> {
		const events: TurnEvent[] = [];
		for await (const event of this.core.watch(threadId, turnId, afterSeq)) events.push(event);
		return events;
	}

	/** The last event of a turn. */
	async end(sent: SentTurn): Promise<Extract<TurnEvent, { type: "ended" }>> {
		const last = (await this.events(sent)).at(-1);
		if (last?.type !== "ended") throw new Error(`the watch ended with ${last?.type}`);
		return last;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.core[Symbol.asyncDispose]();
		await this.bridge[Symbol.asyncDispose]();
		this.#home[Symbol.dispose]();
	}

	#open(): AppCore {
		const bounds = {
			queueAskMs: 20,
			...this.#bounds,
			client: { ...fastClient, ...this.#bounds?.client },
			sync: { ...fastSync, ...this.#bounds?.sync },
		};
		return AppCore.open({ home: this.home, bounds, fault: (error) => this.faults.push(error) });
	}
}

export function shownOf(events: readonly TurnEvent[]) {
	return events.flatMap((event) => (event.type === "update" ? [event.update] : []));
}

/** Leaves a run unfinished until it is told how to end. */
export function held(bridge: FakeBridge): () => FakeRun {
	const runs: FakeRun[] = [];
	bridge.onRun = (run) => void runs.push(run.text("at work"));
	return () => {
		const run = runs.at(-1);
		if (run === undefined) throw new Error("no run came");
		return run;
	};
}
