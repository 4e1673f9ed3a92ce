import { expect, test } from "vitest";
import { sparingMemory, withoutSparingMemory } from "../../../src/process/background/sparing-memory.ts";

test("what an app in the background starts doesn't get the variables with which it spares memory, and keeps the user's own", () => {
	const given = { ...sparingMemory, PATH: "/usr/bin", MALLOC_ARENA_MAX: "4" };
	expect(withoutSparingMemory(sparingMemory)).toEqual({});
	expect(withoutSparingMemory(given)).toEqual({ PATH: "/usr/bin", MALLOC_ARENA_MAX: "4" });
});
