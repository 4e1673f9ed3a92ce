import { expect, it } from "vitest";
import { instructions } from "../../../src/providers/assistant/turn/instructions.ts";

it("stay the same for a minute, so that a server's cache of them is of use, and say what time it is", () => {
	const at = (time: string) => instructions("tools.world.make", new Date(`2026-01-02T${time}Z`));
	expect(at("03:04:05.006")).toContain("Now: 2026-01-02T03:04Z.");
	expect(at("03:04:59.999")).toBe(at("03:04:05.006"));
	expect(at("03:05:00.000")).not.toBe(at("03:04:59.999"));
});
