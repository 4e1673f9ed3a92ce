import { describe, expect, it } from "vitest";
import { repositoryFiles } from "../house/source-file.ts";
import { placesOfOneMachine, sourceProblems } from "../house/source-rules.ts";
import { repositoryRoot } from "../repository.ts";

const path = "app/src/x.ts";
const checkout = "/srv/some checkout/";

describe("the source rules", () => {
	it.each([
		["let x: any", "says any"],
		["const x = [] as any[]", "says any"],
		["y(x!)", "asserts that a value is there (!)"],
		["const x = y as unknown as string", "casts through unknown"],
		["const x = process.env.HOME", "reads the environment"],
		["// @ts-ignore\nx()", "suppresses a check (@ts-ignore)"],
		["// biome-ignore lint/a/b\nx()", "suppresses a check (biome-ignore)"],
	])("refuse %j", (text, problem) => {
		expect(sourceProblems({ path, text })).toEqual([`${path}:1 ${problem}`]);
	});

	it.each(['const any = "any"; // any', "if (!x || x !== y) z();", "const x = y as string", "// biome-ignore lint/a/b: the reason\nx()"])(
		"accept %j",
		(text) => {
			expect(sourceProblems({ path, text })).toEqual([]);
		},
	);

	it("let the entry read the environment", () => {
		expect(sourceProblems({ path: "bridge/src/config/config.ts", text: "const x = process.env" })).toEqual([]);
	});

	it("refuse a file of 400 lines", () => {
		expect(sourceProblems({ path, text: "x();\n".repeat(399) })).toEqual([]);
		expect(sourceProblems({ path, text: "x();\n".repeat(400) })).toHaveLength(1);
	});

	it("fail loudly on a file that does not parse", () => {
		expect(() => sourceProblems({ path, text: "const = 3" })).toThrow(SyntaxError);
	});

	it("find the checkout's own folder", () => {
		expect(placesOfOneMachine({ path, text: `see ${checkout}app/src` }, [checkout])).toEqual([`${path}:1 names ${checkout}`]);
	});

	it.each(["registry.example.org", "nexus.example.org:8081"])("find the host %s", (host) => {
		expect(placesOfOneMachine({ path, text: `registry=${"https"}://${host}/` }, [checkout])).toHaveLength(1);
	});

	it.each(["~/.xworkmate/threads", "https://example.org/registry", "a/srv/some checkout/b", "/usr/bin"])("accept %s", (text) => {
		expect(placesOfOneMachine({ path, text }, [checkout])).toEqual([]);
	});

	it("read the repository without what is installed", () => {
		const paths = repositoryFiles(repositoryRoot).map((file) => file.path);
		expect(paths).toContain("scripts/toolchain.mjs");
		expect(paths.filter((name) => name.includes("node_modules"))).toEqual([]);
	});
});
