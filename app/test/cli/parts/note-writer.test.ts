import { expect, it } from "vitest";
import { createNoteWriter } from "../../../src/cli/parts/note-writer.ts";

it("notes into a file on a full disk never throw, and how many were lost is told when there is space", () => {
	const written: string[] = [];
	let isFull = false;
	const note = createNoteWriter(true, (text) => {
		if (isFull) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
		written.push(text);
	});
	note("one\n");
	isFull = true;
	note("two\n");
	note("three\n");
	isFull = false;
	note("four\n");
	note("five\n");
	expect(written).toEqual(["one\n", "2 notes could not be written\nfour\n", "five\n"]);
});
