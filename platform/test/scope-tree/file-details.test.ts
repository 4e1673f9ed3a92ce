import { Timestamp } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { mediaType } from "../../src/scope-tree/media-type.ts";
import { modifiedAt } from "../../src/scope-tree/modified-at.ts";

describe("what the manifest says of a file", () => {
	it.each([
		["report.md", "text/markdown"],
		["a/b.PNG", "image/png"],
		["archive.tar.gz", "application/gzip"],
		["Makefile", "application/octet-stream"],
		["html", "application/octet-stream"],
		["folder.html/html", "application/octet-stream"],
		["x.unknown-extension", "application/octet-stream"],
	])("takes the type of %s from its extension", (path, type) => {
		expect(mediaType(path)).toBe(type);
	});

	it.each([
		[0, "1970-01-01T00:00:00.000Z"],
		[1_700_000_000_123.9, "2023-11-14T22:13:20.123Z"],
		[-1, "1969-12-31T23:59:59.999Z"],
		[9e18, "9999-12-31T23:59:59.999Z"],
		[-9e18, "0000-01-01T00:00:00.000Z"],
	])("writes the time %d as the contract does", (milliseconds, text) => {
		expect(modifiedAt(milliseconds)).toBe(text);
		expect(Timestamp.parse(text)).toBe(text);
	});
});
