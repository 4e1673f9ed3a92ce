import { describe, expect, it } from "vitest";
import { emptyTurn, foldEvents } from "../../../src/ui/turn/turn-view.ts";
import { update } from "../stories.ts";

const messages = (from: number, to: number) =>
	Array.from({ length: to - from }, (_, index) => ({
		type: "update" as const,
		update: { ...update(1, { kind: "message_delta", messageId: `m${from + index}`, text: "x" }), seq: from + index + 1 },
	}));

describe("a long run", () => {
	it("takes 10,000 updates in one batch, reading the items before them twice at most", () => {
		const before = foldEvents(emptyTurn, messages(0, 1_000));
		let reads = 0;
		const items = new Proxy([...before.items], {
			get: (target, key, itself) => {
				reads += 1;
				return Reflect.get(target, key, itself);
			},
		});
		const view = foldEvents({ ...before, items }, messages(1_000, 11_000));
		expect(view.items).toHaveLength(11_000);
		// The length counts as well, once for each item.
		expect(reads).toBeLessThan(6_000);
		const one = Array.from({ length: 10_000 }, (_, index) => ({
			type: "update" as const,
			update: { ...update(1, { kind: "message_delta", messageId: "m", text: "x" }), seq: index + 1 },
		}));
		expect(foldEvents(emptyTurn, one).items).toMatchObject([{ text: "x".repeat(10_000) }]);
	});

	it("looks through no earlier items for the next update, however long the run is", () => {
		let view = foldEvents(emptyTurn, messages(0, 1_000));
		let reads = 0;
		for (const item of view.items) {
			const { key } = item;
			Object.defineProperty(item, "key", {
				get: () => {
					reads += 1;
					return key;
				},
			});
		}
		for (let seq = 1_000; seq < 1_100; seq++) view = foldEvents(view, messages(seq, seq + 1));
		expect(view.items).toHaveLength(1_100);
		expect(reads).toBe(0);
	});

	it("is the same when an earlier view of it is continued twice", () => {
		const before = foldEvents(emptyTurn, messages(0, 10));
		const one = foldEvents(before, messages(10, 20));
		const keys = foldEvents(before, messages(15, 20)).items.map(({ key }) => key);
		expect(keys).toEqual([...before.items.map(({ key }) => key), "m:m15:0", "m:m16:0", "m:m17:0", "m:m18:0", "m:m19:0"]);
		expect(foldEvents(one, messages(20, 30))).toEqual(foldEvents(emptyTurn, messages(0, 30)));
	});
});
