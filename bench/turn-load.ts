import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import type { BridgeProcess } from "../e2e/support/bridge/bridge-process.ts";
import { createSseParser } from "../e2e/support/wire/sse-parser.ts";
import { turn } from "../e2e/support/wire/turn.ts";
import { agentId } from "./bench-bridge.ts";

export interface TurnLoad {
	/** The agent's instructions, in the language of e2e/fakes/unruly-agent.ts. */
	readonly script: string;
	/** How many updates with the agent's text each turn's stream must show; absent = any number. */
	readonly updates?: number;
}

/** Threads of one bridge whose agents are ready; each runs one turn after another. */
export class TurnClient implements Disposable {
	readonly #bridge: BridgeProcess;
	readonly #threads: readonly string[];
	readonly #agent = new Agent({ keepAlive: true });

	/** @param threads how many turns run at once */
	constructor(bridge: BridgeProcess, threads: number) {
		this.#bridge = bridge;
		this.#threads = Array.from({ length: threads }, (_, index) => `bench-${threads}-${index}`);
	}

	/** Begins each thread's conversation, which starts its agent process. */
	async open(): Promise<void> {
		await Promise.all(this.#threads.map((threadId) => this.#stream("session.start", threadId, { script: "SAY ready" })));
	}

	/** Runs `turns` in each thread, streamed. @throws Error for a turn that did not complete or showed a different number of updates */
	async run(turns: number, load: TurnLoad): Promise<void> {
		await Promise.all(
			this.#threads.map(async (threadId) => {
				for (let index = 0; index < turns; index++) await this.#stream("session.message", threadId, load);
			}),
		);
	}

	[Symbol.dispose](): void {
		this.#agent.destroy();
	}

	async #stream(method: string, threadId: string, { script, updates }: TurnLoad): Promise<void> {
		const params = turn({ prompt: `UNRULY:${script}`, providerId: agentId, threadId });
		const events = createSseParser()(await this.#post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })));
		const said = events.filter(({ data }) => /"kind":"(?:message|thought)_delta"/.test(data)).length;
		const completed = events.at(-1)?.data.includes('"status":"completed"') === true;
		if (!completed || said !== (updates ?? said))
			throw new Error(`a turn with ${said} updates ended with ${events.at(-1)?.data.slice(0, 1000)}`);
	}

	async #post(body: string): Promise<string> {
		const { promise, resolve, reject } = Promise.withResolvers<string>();
		const headers = {
			authorization: `Bearer ${this.#bridge.token}`,
			accept: "application/json, text/event-stream",
			"content-type": "application/json",
			"content-length": Buffer.byteLength(body),
		};
		const options = { host: "127.0.0.1", port: this.#bridge.port, path: "/acp/rpc", method: "POST", agent: this.#agent, headers };
		request(options, (response) => resolve(text(response)))
			.once("error", reject)
			.end(body);
		return promise;
	}
}
