import { expect, it } from "vitest";
import { isSameZone, zoneWords } from "../src/index.ts";

it.each([
	["Asia/Bangkok", "Bangkok"],
	["America/New_York", "New York"],
	["America/Argentina/Buenos_Aires", "Buenos Aires"],
	["UTC", "UTC"],
	["Etc/GMT+3", "Etc/GMT+3"],
	["Asia/Kolkata", "Kolkata"],
	["Asia/Calcutta", "Kolkata"],
	["Europe/Kiev", "Kyiv"],
])("a zone has one name, the one in use today: %s", (zone, words) => {
	expect(zoneWords(zone)).toBe(words);
	// Whatever the runtime calls it.
	expect(zoneWords(new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone)).toBe(words);
});

it("zones are the same under an older name", () => {
	expect(isSameZone("Asia/Kolkata", "Asia/Calcutta")).toBe(true);
	expect(isSameZone("Asia/Kolkata", "Asia/Bangkok")).toBe(false);
	expect(isSameZone("Mars/Base", "Mars/Base")).toBe(true);
	expect(isSameZone("Mars/Base", "UTC")).toBe(false);
});
