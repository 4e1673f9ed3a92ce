import fc from "fast-check";
import { expect, it } from "vitest";
import { escapeText, newLine, parseCalendar, unescapeText, writeCalendar } from "../tools/calendar/ics.ts";

const text = fc.string({ unit: "grapheme", maxLength: 300 });

it("reads any text as it was written, in lines of at most 75 bytes", () => {
	fc.assert(
		fc.property(text, (title) => {
			const written = writeCalendar({ name: "VCALENDAR", lines: [newLine("SUMMARY", escapeText(title))], parts: [] });
			expect(written.split("\r\n").every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
			const [line] = parseCalendar(written).lines;
			expect(unescapeText(line?.value ?? "")).toBe(title.replace(/\r\n|\r/g, "\n").replace(/(?![\t\n])\p{Cc}/gu, ""));
		}),
	);
});

it("writes what it does not know as it was read", () => {
	const calendar = 'BEGIN:VCALENDAR\r\nX-A;B="c;d:e":f;g\r\nBEGIN:X-PART\r\nX-C:\r\nEND:X-PART\r\nEND:VCALENDAR\r\n';
	expect(writeCalendar(parseCalendar(calendar))).toBe(calendar);
});

it.each([
	"",
	"BEGIN:VEVENT\nEND:VEVENT",
	"BEGIN:VCALENDAR",
	"BEGIN:VCALENDAR\nno colon\nEND:VCALENDAR",
	"BEGIN:VCALENDAR\nEND:VCALENDAR\nBEGIN:VCALENDAR\nEND:VCALENDAR",
	"BEGIN:VCALENDAR\nEND:VEVENT",
	"BEGIN:VCALENDAR\n".repeat(100_000),
])("refuses what is not one calendar: %#", (input) => {
	expect(() => parseCalendar(input)).toThrow("not a calendar in the iCalendar format");
});
