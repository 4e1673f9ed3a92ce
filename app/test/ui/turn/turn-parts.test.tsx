import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSamePart, partsOf } from "../../../src/ui/turn/turn-parts.ts";
import type { TurnItem } from "../../../src/ui/turn/turn-view.ts";

const at = "2026-01-02T10:00:00.000Z";

function item(kind: "message" | "thought" | "tool", n: number): TurnItem {
	if (kind === "message") return { kind, key: `m:${n}`, messageId: `${n}`, text: `said ${n}` };
	if (kind === "thought") return { kind, key: `t:${n}`, text: `thought ${n}`, from: at, to: at };
	return { kind, key: `c:${n}`, from: at, to: at, call: { toolCallId: `${n}`, title: `look ${n}`, toolKind: "read", state: "completed" } };
}

const items = fc
	.array(fc.constantFrom("message" as const, "thought" as const, "tool" as const, "tool" as const), { maxLength: 400 })
	.map((kinds) => kinds.map(item));

describe("the parts of a turn", () => {
	it("hold every item once, in order", () => {
		fc.assert(
			fc.property(items, (all) => {
				expect(partsOf(all).flat(2)).toEqual(all);
			}),
		);
	});

	it("stay the same when something is added, but for the last", () => {
		fc.assert(
			fc.property(items, fc.integer({ min: 1, max: 100 }), (all, cut) => {
				const before = partsOf(all.slice(0, -cut));
				const after = partsOf(all);
				for (const [index, part] of before.slice(0, -1).entries()) expect(isSamePart(part, after[index] ?? [])).toBe(true);
			}),
		);
	});

	it("are split the same when they continue earlier ones, whatever changed since", () => {
		const change = fc.record({ at: fc.nat(400), cut: fc.integer({ min: 0, max: 100 }), by: items });
		fc.assert(
			fc.property(items, change, (first, { at: place, cut, by }) => {
				const changed = first.map((one, index) => (index === place ? { ...one } : one)).slice(0, first.length - cut);
				const all = [...changed, ...by];
				const parts = partsOf(all, { items: first, parts: partsOf(first) });
				expect(parts).toEqual(partsOf(all));
			}),
			{ numRuns: 500 },
		);
	});

	it("are split again when what follows them continues their last group", () => {
		const full = Array.from({ length: 20 }, (_, n) => item(n % 2 === 0 ? "message" : "tool", n));
		const before = [...full, item("message", 20)];
		const all = [...full, item("tool", 21)];
		expect(partsOf(all, { items: before, parts: partsOf(before) })).toEqual(partsOf(all));
	});

	it("are kept as they are for a new item of a long run: only the last one is split again", () => {
		let reads = 0;
		const counted = Array.from({ length: 10_000 }, (_, n) => {
			const one = item("message", n);
			return Object.defineProperty({ ...one }, "kind", {
				get: () => {
					reads += 1;
					return one.kind;
				},
			});
		});
		const before = { items: counted, parts: partsOf(counted) };
		reads = 0;
		const after = partsOf([...counted, item("message", 10_000)], before);
		expect(reads).toBeLessThan(100);
		expect(after.slice(0, -2).every((part, index) => part === before.parts[index])).toBe(true);
	});

	it("are not the same once an item changed", () => {
		const [part = []] = partsOf([item("message", 1), item("tool", 2)]);
		const [changed = []] = partsOf([...(part[0] ?? []), { ...item("tool", 2) }]);
		expect(isSamePart(part, changed)).toBe(false);
		expect(isSamePart(part, part.slice(0, 1))).toBe(false);
	});

	it("put neighbouring steps into one group, a message into its own", () => {
		expect(partsOf([item("thought", 1), item("tool", 2), item("message", 3), item("message", 4)])[0]?.map(({ length }) => length)).toEqual([
			2, 1, 1,
		]);
	});
});
