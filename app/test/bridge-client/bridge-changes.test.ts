import { type Change, ChangeCursor } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { BridgeChanges } from "../../src/bridge-client/bridge-changes.ts";
import { decodeChanges } from "../../src/bridge-client/wire/change-item.ts";
import { FakeChanges } from "../support/fake-changes.ts";
import { fastClient } from "../support/fast-bounds.ts";
import { TransportScene } from "../support/transport-scene.ts";
import { until } from "../support/until.ts";

const anything: Change = { kind: "resync" };

/** A reader of a bridge's changes that keeps what it took. */
async function reading(options: { readonly after?: string; readonly refuses?: (cursor: string) => boolean } = {}) {
	const scene = await TransportScene.open();
	const changes = new FakeChanges();
	scene.bridge.changes = changes;
	const taken: string[] = [];
	const faults: unknown[] = [];
	let last = ChangeCursor.optional().parse(options.after);
	const reader = new BridgeChanges({
		bounds: fastClient,
		open: (signal) => scene.client.changes(last, signal),
		take: async (items) => {
			for (const { cursor } of items) {
				if (options.refuses?.(cursor)) throw new Error("no room");
				taken.push(cursor);
				last = cursor;
			}
		},
		followed: () => undefined,
		fault: (error) => faults.push(error),
	});
	reader.start();
	const close = async () => {
		await reader.close();
		await scene[Symbol.asyncDispose]();
	};
	return { scene, changes, taken, faults, reader, [Symbol.asyncDispose]: close };
}

it("takes every change once and in order, also over a bridge that goes away", async () => {
	await using read = await reading();
	read.changes.tell(anything, anything);
	await until("the first two", () => read.taken.length === 2);
	await read.scene.bridge.down();
	await until("the loss", () => !read.reader.isFollowed);
	read.changes.tell(anything, anything);
	await read.scene.bridge.listen();
	await until("the other two", () => read.taken.length === 4);
	expect(read.taken).toEqual(["0a-1", "0a-2", "0a-3", "0a-4"]);
	expect(read.changes.asked.at(-1)).toBe("0a-2");
	expect(read.faults).toEqual([]);
});

it("tries a change again that could not be taken, and what follows it after it", async () => {
	let refused = 0;
	await using read = await reading({ refuses: (cursor) => cursor === "0a-2" && refused++ < 2 });
	read.changes.tell(anything, anything, anything);
	await until("all three", () => read.taken.length === 3);
	expect(read.taken).toEqual(["0a-1", "0a-2", "0a-3"]);
	expect(read.faults).toHaveLength(2);
});

it("begins again where the cursor is of another bridge", async () => {
	await using read = await reading({ after: "ff-7" });
	read.changes.tell(anything);
	await until("all", () => read.taken.length === 2);
	expect(read.taken).toEqual(["0a-0", "0a-1"]);
});

it("counts a change of a kind that it does not know, and shows nothing of it", () => {
	const event = (params: unknown) => ({
		data: JSON.stringify({ jsonrpc: "2.0", method: "xworkmate.change", params }),
		id: "0a-1",
		event: undefined,
	});
	expect(decodeChanges([event({ cursor: "0a-1", change: { kind: "weather" } })])).toEqual([{ cursor: "0a-1" }]);
	expect(() => decodeChanges([event({ change: anything })])).toThrow("a change has no cursor");
	const heartbeat = { data: JSON.stringify({ jsonrpc: "2.0", method: "session.heartbeat", params: {} }), id: undefined, event: undefined };
	expect(decodeChanges([heartbeat])).toEqual([]);
});
