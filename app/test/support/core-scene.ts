import type { ThreadId } from "@xworkmate/contracts";
import type { AppApi, SentTurn, TurnEvent } from "../../src/api/app-api.ts";
import { type AppOptions, type OpenedApp, openApp } from "../../src/core/open-app.ts";
import { FakeBridge } from "./fake-bridge.ts";
import type { FakeRun } from "./fake-run.ts";
import { fastClient, fastSync } from "./fast-bounds.ts";
import { temporaryHome } from "./temporary-home.ts";

export const routing = { executionTarget: "agent" } as const;

/** An app with a bridge, in their own home; the app may be closed and opened again. */
export class CoreScene implements AsyncDisposable {
	readonly bridge: FakeBridge;
	readonly faults: unknown[] = [];
	readonly #home: ReturnType<typeof temporaryHome>;
	readonly #bounds: AppOptions["bounds"];
	/** Set before a restart, for an app whose bridge is elsewhere, even if it has the address of the one in the home. */
	bridgeUrl: string | undefined;
	app: OpenedApp;

	private constructor(bridge: FakeBridge, home: ReturnType<typeof temporaryHome>, bounds: AppOptions["bounds"]) {
		this.bridge = bridge;
		this.#home = home;
		this.#bounds = bounds;
		this.app = this.#open();
	}

	/** What the command and the page ask of it. */
	get api(): AppApi {
		return this.app.api;
	}

	static async open(bounds: AppOptions["bounds"] = {}): Promise<CoreScene> {
		const home = temporaryHome();
		return new CoreScene(await FakeBridge.start(home.path), home, bounds);
	}

	get home(): string {
		return this.#home.path;
	}

	/** Closes the app and opens it again, as a restart does. */
	async restart(between: () => void | Promise<void> = () => undefined): Promise<void> {
		await this.app[Symbol.asyncDispose]();
		await between();
		this.app = this.#open();
		this.app.resume();
	}

	send(prompt: string, threadId?: ThreadId): Promise<SentTurn> {
		return this.api.send({ prompt, routing, ...(threadId && { threadId }) });
	}

	/** A turn for the gateway, in its own thread unless one is named. */
	sendToGateway(prompt: string, threadId?: ThreadId): Promise<SentTurn> {
		return this.api.send({ prompt, routing: { executionTarget: "gateway" }, ...(threadId && { threadId }) });
	}

	/** The prompts that the bridge was given, in order, each once. */
	get submitted(): readonly unknown[] {
		const submits = this.bridge.calls.filter(({ method }) => method.startsWith("session."));
		return [...new Map(submits.map(({ params }) => [params.turnId, params.prompt])).values()];
	}

	/** Every event of a turn to its end. */
	async events(turn: SentTurn, afterSeq?: number): Promise<readonly TurnEvent[]> {
		const events: TurnEvent[] = [];
		for await (const event of this.api.watch({ ...turn, ...(afterSeq !== undefined && { afterSeq }) })) events.push(event);
		return events;
	}

	/** The last event of a turn. */
	async end(sent: SentTurn): Promise<Extract<TurnEvent, { type: "ended" }>> {
		const last = (await this.events(sent)).at(-1);
		if (last?.type !== "ended") throw new Error(`the watch ended with ${last?.type}`);
		return last;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.app[Symbol.asyncDispose]();
		await this.bridge[Symbol.asyncDispose]();
		this.#home[Symbol.dispose]();
	}

	#open(): OpenedApp {
		const bounds = {
			queueAskMs: 20,
			...this.#bounds,
			client: { ...fastClient, ...this.#bounds?.client },
			sync: { ...fastSync, ...this.#bounds?.sync },
		};
		const { home, bridgeUrl } = this;
		return openApp({
			home,
			...(bridgeUrl !== undefined && { bridgeUrl, token: this.bridge.token }),
			bounds,
			fault: (error) => this.faults.push(error),
		});
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
