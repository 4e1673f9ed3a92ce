import { expect, it } from "vitest";
import { spaceFinding } from "../../src/doctor/examine-machine.ts";

const GIB = 1024 ** 3;

it.each([
	["a GiB or more of a small disk is enough", GIB, 10 * GIB, "ok"],
	["less than a GiB is a problem", GIB - 1, 10 * GIB, "problem"],
	["most of a disk of 60 MiB is enough", 50 * 1024 ** 2, 60 * 1024 ** 2, "ok"],
	["the rest of a disk of 60 MiB is a problem", 5 * 1024 ** 2, 60 * 1024 ** 2, "problem"],
	["less than 5% of a large disk is a note", 49 * GIB, 1000 * GIB, "note"],
	["5% of a large disk is enough", 50 * GIB, 1000 * GIB, "ok"],
	["a full disk is a problem", 0, 10 * GIB, "problem"],
] as const)("doctor warns before the disk is full: %s", (_, freeBytes, totalBytes, state) => {
	const finding = spaceFinding("disk", { freeBytes, totalBytes });
	expect(finding).toMatchObject({ about: "disk", state, message: expect.stringMatching(/ of .* free/) });
	expect(finding.fix?.includes("Free up some space") ?? false).toBe(state !== "ok");
});
