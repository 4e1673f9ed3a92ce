import { describe, expect, it } from "vitest";
import { advice, sentence } from "../src/index.ts";

describe("what a user reads of an error", () => {
	it.each([
		["the disk is full", "The disk is full."],
		["couldn't read it (EIO)", "Couldn't read it (EIO)."],
		["Is it there?", "Is it there?"],
		["It said “no.”", "It said “no.”"],
		["routing.model: unknown", "routing.model: unknown."],
		["turnId is missing", "turnId is missing."],
		["/home/a can't be written", "/home/a can't be written."],
		["photo.jpg is too large", "photo.jpg is too large."],
		["first line\nsecond line", "First line\nsecond line"],
		["", ""],
	])("%j reads %j", (given, read) => {
		expect(sentence(given)).toBe(read);
	});

	it("[D12] leaves a command at the end of advice as it is typed", () => {
		expect(advice("Start it: npm start")).toBe("Start it: npm start");
		expect(advice("free some space")).toBe("Free some space.");
	});
});
