import type { ServerResponse } from "node:http";
import type { Change } from "@xworkmate/contracts";
import { z } from "zod";
import { AT } from "./fake-run.ts";

/** A heartbeat of any stream. */
export const beat = { jsonrpc: "2.0", method: "session.heartbeat", params: { at: AT } };

/** What changed on a fake bridge, as the test says it; a cursor of another log is answered with a resync. */
export class FakeChanges {
	readonly #log: string;
	readonly #changes: Change[] = [];
	readonly #readers = new Set<() => void>();
	/** The `after` of every subscription. */
	readonly asked: (string | undefined)[] = [];
	/** Open streams. */
	open = 0;

	constructor(log = "0a") {
		this.#log = log;
	}

	get cursor(): string {
		return `${this.#log}-${this.#changes.length}`;
	}

	tell(...changes: readonly Change[]): void {
		this.#changes.push(...changes);
		for (const reader of this.#readers) reader();
	}

	serve(response: ServerResponse, params: unknown): void {
		const { after } = z.object({ after: z.string().optional() }).parse(params);
		this.asked.push(after);
		response.writeHead(200, { "content-type": "text/event-stream" });
		response.flushHeaders();
		const [log, last] = (after ?? `${this.#log}-0`).split("-");
		let seen = log === this.#log ? Number(last) : 0;
		const write = (cursor: string, change: Change) => {
			const data = { jsonrpc: "2.0", method: "xworkmate.change", params: { cursor, change } };
			response.write(`id: ${cursor}\ndata: ${JSON.stringify(data)}\n\n`);
		};
		if (log !== this.#log) write(`${this.#log}-0`, { kind: "resync" });
		const follow = () => {
			for (const change of this.#changes.slice(seen)) write(`${this.#log}-${++seen}`, change);
		};
		response.write('data: {"jsonrpc":"2.0","method":"session.heartbeat","params":{"at":"2026-01-02T03:04:05.006Z"}}\n\n');
		const heartbeat = setInterval(() => response.write(`data: ${JSON.stringify(beat)}\n\n`), 50);
		this.#readers.add(follow);
		this.open += 1;
		response.on("close", () => {
			clearInterval(heartbeat);
			this.#readers.delete(follow);
			this.open -= 1;
		});
		follow();
	}
}
