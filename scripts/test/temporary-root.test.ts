import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasRoom, runsPrograms, temporaryRoot } from "../temporary-root.ts";

it("is the folder that TMPDIR names", () => {
	expect(process.env.TMPDIR, "of this test run").toBeDefined();
	expect(temporaryRoot()).toBe(tmpdir());
});

it("takes no folder that is not there, has little room, or runs no programs", () => {
	const missing = join(tmpdir(), "missing");
	expect([hasRoom(missing), runsPrograms(missing)]).toEqual([false, false]);
	expect(runsPrograms(tmpdir())).toBe(true);
});

it.runIf(process.platform === "linux")("takes no file system without room", () => {
	expect([hasRoom("/proc"), runsPrograms("/proc")]).toEqual([false, false]);
});
