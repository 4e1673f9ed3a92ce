import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSamePart, partsOf } from "../../../src/ui/turn/turn-parts.ts";
import type { TurnItem } from "../../../src/ui/turn/turn-view.ts";
import { typedCall } from "../action-stories.ts";
import { BEGIN } from "../stories.ts";

const seconds = (n: number) => new Date(BEGIN + n * 1_000).toISOString();
const at = "2026-01-02T10:00:00.000Z";

type Kind = "message" | "thought" | "tool" | "call" | "request" | "late request";

function item(kind: Kind, n: number): TurnItem {
	if (kind === "call") return { ...tool(n), call: { ...tool(n).call, hasRequest: true } };
	if (kind === "request" || kind === "late request") {
		const late = kind === "late request" && {
			requestedAt: seconds(n),
			...{ state: "decided", decision: "deny", decidedAt: seconds(n + 1) },
		};
		return { kind: "approval", key: `a:${n}`, approval: typedCall({ approvalId: `ask${n}`, toolCallId: `${n}`, ...late }) };
	}
	if (kind === "message") return { kind, key: `m:${n}`, messageId: `${n}`, text: `said ${n}` };
	if (kind === "thought") return { kind, key: `t:${n}`, text: `thought ${n}`, from: at, to: at };
	return tool(n);
}

function tool(n: number): Extract<TurnItem, { kind: "tool" }> {
	const call = { toolCallId: `${n}`, title: `look ${n}`, toolKind: "read", state: "completed" } as const;
	return { kind: "tool", key: `c:${n}`, from: at, to: at, call };
}

const items = fc
	.array(fc.constantFrom<Kind[]>("message", "thought", "tool", "tool", "call", "request", "late request"), { maxLength: 400 })
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

	it("put the requests that wait together into one group, with their calls, and no request that was made later", () => {
		const shown = (...all: readonly TurnItem[]) =>
			partsOf(all).flatMap((part) => part.map((group) => group.map(({ key }) => key).join(" ")));
		const [first, second] = [item("request", 1), item("request", 2)];
		expect(shown(item("tool", 9), first, item("call", 1), second, item("call", 2), item("tool", 8))).toEqual([
			"c:9",
			"a:1 c:1 a:2 c:2",
			"c:8",
		]);
		expect(shown(first, item("message", 5), second)).toEqual(["a:1", "m:5", "a:2"]);
		// The first was answered before the second was made.
		expect(shown(item("late request", 3), item("call", 3), item("late request", 7))).toEqual(["a:3 c:3", "a:7"]);
	});

	it("put neighbouring steps into one group, a message into its own", () => {
		expect(partsOf([item("thought", 1), item("tool", 2), item("message", 3), item("message", 4)])[0]?.map(({ length }) => length)).toEqual([
			2, 1, 1,
		]);
	});
});
