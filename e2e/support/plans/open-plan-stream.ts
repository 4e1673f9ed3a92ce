import { randomUUID } from "node:crypto";
import type { BareClient } from "../wire/bare-client.ts";
import { createSseParser } from "../wire/sse-parser.ts";
import { PlanUpdate } from "./plan-wire.ts";

/** What a stream ended with: the response to its request. */
interface StreamEnd {
	readonly id: string;
	readonly result: unknown;
}

/** A stream of plans, as it comes over the wire. */
export async function openPlanStream(client: BareClient, params: { readonly planId?: string; readonly afterFeedSeq?: number }) {
	const request = randomUUID();
	const response = await client.respond({
		method: "POST",
		path: "/acp/rpc",
		headers: { accept: "application/json, text/event-stream" },
		body: JSON.stringify({ jsonrpc: "2.0", id: request, method: "xworkmate.plans.subscribe", params }),
	});
	response.setEncoding("utf8");
	const updates: PlanUpdate[] = [];
	let end: StreamEnd | undefined;
	const messages = (async function* () {
		const parse = createSseParser();
		for await (const text of response) {
			for (const { data, id } of parse(String(text))) {
				const message: { method?: string; params?: unknown; id?: string; result?: unknown } = JSON.parse(data);
				if (message.method === "plan.update") {
					const update = PlanUpdate.parse(message.params);
					if (id !== String(update.feedSeq)) throw new Error(`an update of the place ${update.feedSeq} has the id ${id}`);
					updates.push(update);
					yield update;
				} else if (message.method === undefined) end = { id: String(message.id), result: message.result };
			}
		}
	})();
	return {
		id: request,
		get response() {
			return end;
		},
		/** Reads until an update fits. @throws Error if the stream ends before that */
		async until(fits: (update: PlanUpdate) => boolean): Promise<void> {
			for (let next = await messages.next(); ; next = await messages.next()) {
				if (next.done === true) throw new Error("the stream ended before the update");
				if (fits(next.value)) return;
			}
		},
		/** All updates and the response, once the bridge has closed the stream. */
		async toEnd() {
			while ((await messages.next()).done !== true);
			return { updates, response: end };
		},
		drop: () => void response.destroy(),
	};
}
