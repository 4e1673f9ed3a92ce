import { expect, it } from "vitest";
import { PersistentMap } from "../../../src/runs/domain/persistent-map.ts";

it("a map that never changes keeps what it had when the next one is made", () => {
	const keys = Array.from({ length: 1_000 }, (_, index) => `call-${index}`);
	const maps: PersistentMap<string>[] = [];
	for (const key of keys) maps.push((maps.at(-1) ?? new PersistentMap<string>()).with(key, key));
	const last = maps.at(-1)?.with("call-0", "other");
	expect(maps.map(({ size }) => size)).toEqual(keys.map((_, index) => index + 1));
	expect([maps[0]?.get("call-0"), maps[0]?.get("call-1"), maps[999]?.get("call-0"), last?.get("call-0")]).toEqual([
		"call-0",
		undefined,
		"call-0",
		"other",
	]);
	expect([...(last?.values() ?? [])].sort()).toEqual(["other", ...keys.slice(1)].sort());
});
