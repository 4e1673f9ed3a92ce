import { expect } from "vitest";
import { BridgeClient, type ClientBounds, findBridge, type TurnEnd, TurnTransport } from "../../src/bridge-client/index.ts";
import { FakeBridge } from "./fake-bridge.ts";
import type { Fault } from "./fake-fault.ts";
import { fastClient } from "./fast-bounds.ts";
import { RecordingSink } from "./recording-sink.ts";
import { temporaryHome } from "./temporary-home.ts";

/** A transport, the bridge it talks to, and what it was told. */
export class TransportScene implements AsyncDisposable {
	readonly home: ReturnType<typeof temporaryHome>;
	readonly sink = new RecordingSink();
	readonly stop = new AbortController();
	readonly bridge: FakeBridge;
	readonly client: BridgeClient;
	transport: TurnTransport;

	private constructor(bridge: FakeBridge, home: ReturnType<typeof temporaryHome>, bounds: Partial<ClientBounds>) {
		this.bridge = bridge;
		this.home = home;
		const all = { ...fastClient, ...bounds };
		this.client = new BridgeClient(() => findBridge({ home: home.path }), all);
		const submission = { method: "session.start", params: this.sink.params } as const;
		this.transport = new TurnTransport({ client: this.client, sink: this.sink, submission, resumed: false, bounds: all });
	}

	static async open(bounds: Partial<ClientBounds> = {}): Promise<TransportScene> {
		const home = temporaryHome();
		return new TransportScene(await FakeBridge.start(home.path), home, bounds);
	}

	/** To its end, which the sink here has nothing to write of. */
	async run(): Promise<TurnEnd> {
		const end = await this.transport.run(this.stop.signal);
		if (end.kind === "terminal") this.transport.settled();
		return end;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.stop.abort();
		await this.bridge[Symbol.asyncDispose]();
		this.home[Symbol.dispose]();
	}
}

/** Everything of the run was seen, once, and the end is its snapshot. */
export function expectWhole(scene: TransportScene, end: TurnEnd): void {
	const [run] = scene.bridge.runs;
	expect(end).toEqual({ kind: "terminal", snapshot: run?.snapshot() });
	expect(scene.sink.shown).toEqual(run?.log);
	expect(scene.bridge.runs).toHaveLength(1);
}

const streams = new Set(["session.start", "session.message", "xworkmate.tasks.subscribe"]);

/** A fault for the first stream only. */
export function firstStream(fault: Fault): FakeBridge["fault"] {
	let used = false;
	return (call) => {
		if (used || !streams.has(call.method)) return undefined;
		used = true;
		return fault;
	};
}
