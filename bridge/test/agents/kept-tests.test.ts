import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProviderId } from "@xworkmate/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { KeptTests } from "../../src/agents/kept-tests.ts";

let folder: string;
let warnings: string[];
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "kept-tests-"));
	warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const goose = ProviderId.parse("goose");
const test = { at: "2026-01-01T10:00:00.000Z", tookMs: 300 };
const open = (name = "tests.json") => new KeptTests(join(folder, name), (message) => void warnings.push(message));

it("keeps how a test ended for the version that was tested, and for no other", () => {
	const problem = { code: "PROVIDER_ERROR", message: "It broke.", fix: "Mend it." };
	open().keep(goose, "1.0.0", { ...test, problem });
	expect(open().of(goose, "1.0.0")).toEqual({ ...test, problem });
	expect(open().of(goose, "1.1.0")).toBeUndefined();
	expect(open().of(goose, undefined)).toBeUndefined();
	open().keep(goose, undefined, test);
	expect(open().of(goose, undefined)).toEqual(test);
	open().keep(goose, undefined, undefined);
	expect(open().of(goose, undefined)).toBeUndefined();
	expect(warnings).toEqual([]);
});

it("without a file that can be used, no agent counts as tested, and one that can't be written costs a test alone", () => {
	writeFileSync(join(folder, "tests.json"), '{"version":1,"agents":{"goose":{"at":"today"}}}');
	expect(open().of(goose, "1.0.0")).toBeUndefined();
	expect(warnings).toHaveLength(1);
	writeFileSync(join(folder, "file"), "");
	const kept = open(join("file", "tests.json"));
	kept.keep(goose, "1.0.0", test);
	expect(kept.of(goose, "1.0.0")).toEqual(test);
	expect(readFileSync(join(folder, "file"), "utf8")).toBe("");
	expect(warnings.at(-1)).toContain("can't be written");
});
