import { expect, it } from "vitest";
import { diskFinding, roomFindings, spaceFinding } from "../../src/doctor/examine-machine.ts";

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
	expect(finding.fix?.includes("Free some space") ?? false).toBe(state !== "ok");
});

it("doctor warns when a run as large as the latest would not find room, once", () => {
	const room = (freeBytes: number, neededBytes?: number) =>
		roomFindings({ storage: { freeBytes, totalBytes: 100 * GIB, ...(neededBytes !== undefined && { neededBytes }) } });
	expect(room(20 * GIB, 30 * GIB)).toMatchObject([{ about: "disk", state: "problem", message: expect.stringContaining("needs 32.2 GB") }]);
	expect(room(20 * GIB, 10 * GIB)).toEqual([]);
	expect(room(20 * GIB)).toEqual([]);
	// The disk itself is a finding then.
	expect(room(GIB / 2, 30 * GIB)).toEqual([]);
	expect(roomFindings({})).toEqual([]);
});

it("a file system that says nothing of its space is not called full", async () => {
	expect(await diskFinding("/proc/self")).toEqual({
		about: "disk",
		state: "ok",
		message: "The file system doesn't report how much space is free.",
	});
});
