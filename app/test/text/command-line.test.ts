import { describe, expect, it } from "vitest";
import { commandLine } from "../../src/text/command-line.ts";

describe("[D12] a command that is printed", () => {
	const checkout = "/home/a/XWorkmate copy/app/src/main.ts";

	it.each([
		["start", "npm start"],
		["start --open", "npm start -- --open"],
		["open", "npm run -s xworkmate -- open"],
		['run "hello"', 'npm run -s xworkmate -- run "hello"'],
	])("works in a checkout: %s", (words, typed) => {
		expect(commandLine(words, checkout)).toBe(typed);
	});

	it.each(["/usr/local/bin/xworkmate", "/opt/x/xworkmate.cmd"])("works where it is installed as %s", (startedAs) => {
		expect([commandLine("open", startedAs), commandLine("start", startedAs)]).toEqual(["xworkmate open", "xworkmate start"]);
	});

	it("is the one of a checkout when nothing is known", () => {
		expect(commandLine("open", "")).toBe("npm run -s xworkmate -- open");
	});
});
