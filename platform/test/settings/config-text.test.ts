import { describe, expect, it } from "vitest";
import { parseConfig } from "../../src/settings/config-text.ts";
import { meaningInText, settingNamed } from "../../src/settings/setting-list.ts";

const places = (text: string) => parseConfig(text).problems.map(({ line, column, message, fix }) => `${line}:${column} ${message} ${fix}`);

describe("config.json", () => {
	it("may have comments, trailing commas and a schema; each value has the form of its setting", () => {
		const { values, problems } = parseConfig(`{
			// Comment.
			"$schema": "./config.schema.json",
			"maxActiveRuns": 8, /* another */
			"allowCommands": ["git status", "npm test"],
			"openclawUntested": true,
			"tlsProxy": false,
			"logLevel": "debug",
		}`);
		expect(problems).toEqual([]);
		expect(Object.fromEntries([...values].map(([name, { text }]) => [name, text]))).toEqual({
			XWORKMATE_MAX_ACTIVE_RUNS: "8",
			XWORKMATE_ALLOW_COMMANDS: "git status\nnpm test",
			XWORKMATE_OPENCLAW_UNTESTED: "1",
			XWORKMATE_TLS_PROXY: "0",
			XWORKMATE_LOG_LEVEL: "debug",
		});
	});

	it.each([
		['{\n  "maxActiveRun": 3\n}', '2:3 "maxActiveRun" is not an XWorkmate setting. Did you mean "maxActiveRuns"?'],
		['{ "XWORKMATE_MAX_QUEUED": 3 }', '1:3 "XWORKMATE_MAX_QUEUED" is not an XWorkmate setting. Did you mean "maxQueued"?'],
		['{ "--max-queued": 3 }', '1:3 "--max-queued" is not an XWorkmate setting. Did you mean "maxQueued"?'],
		['{ "compilerOptions": {} }', '1:3 "compilerOptions" is not an XWorkmate setting. Remove it.'],
		['{ "__proto__": {} }', '1:3 "__proto__" is not an XWorkmate setting. Remove it.'],
		['{ "home": "/x" }', '1:3 "home" can\'t be set in this file. Remove it, and set XWORKMATE_HOME in the environment.'],
	])("refuses the member of %s with its place and the nearest key", (text, said) => {
		expect(places(text)).toEqual([said]);
	});

	it.each([
		['{ "maxActiveRuns": "3" }', '1:20 "maxActiveRuns" must be a whole number from 1 to 1000.'],
		['{ "maxActiveRuns": 1.5 }', '1:20 "maxActiveRuns" must be a whole number from 1 to 1000.'],
		['{ "maxActiveRuns": 0 }', '1:20 "maxActiveRuns" must be a whole number from 1 to 1000.'],
		['{ "maxActiveRuns": null }', '1:20 "maxActiveRuns" must be a whole number from 1 to 1000.'],
		['{ "tlsProxy": 1 }', '1:15 "tlsProxy" must be true or false.'],
		['{ "allowedRoots": "/tmp" }', '1:19 "allowedRoots" must be a list of strings, such as ["a", "b"].'],
		['{ "allowedRoots": ["src"] }', '1:19 "allowedRoots" must be an absolute path.'],
		['{ "allowedRoots": ["/a:/b"] }', '1:19 "allowedRoots" must not contain ":" in an item.'],
		['{ "allowCommands": [" ls"] }', '1:20 "allowCommands" must not contain an item that is empty, or that begins or ends with a space.'],
		['{ "openclawUrl": {} }', '1:18 "openclawUrl" must be a string in quotes, such as "a".'],
		['{ "openclawUrl": "ws://me:hunter22@host" }', '1:18 "openclawUrl" must not contain a password.'],
		['{ "logLevel": "loud" }', '1:15 "logLevel"'],
	])("refuses the value of %s", (text, said) => {
		expect(places(text)[0]?.startsWith(said)).toBe(true);
	});

	it("is never told to separate the items of a list, which is only done in a variable or a flag", () => {
		for (const key of ["allowedHosts", "allowedRoots", "allowCommands"]) {
			const [problem] = parseConfig(`{ "${key}": "a,b" }`).problems;
			expect(problem?.message).toContain("must be a list of strings");
			expect(problem?.fix).not.toMatch(/separated|per line/);
			const setting = settingNamed(key);
			expect(setting === undefined || meaningInText(setting)).toMatch(/[^.]; (comma-separated|separated like PATH|one per line)\.$/);
		}
	});

	it("holds no secret: it is refused without being repeated", () => {
		const [said = ""] = places('{ "openclawToken": "hunter2hunter2" }');
		expect(said).toContain('1:3 "openclawToken" is a secret');
		expect(said).toContain("config secret openclawToken");
		expect(said).not.toContain("hunter2");
		expect(places('{ "token": "hunter2hunter2" }')[0]).toContain("set XWORKMATE_TOKEN in the environment");
	});

	it.each([
		["", "1:1 The file is empty."],
		['{ "maxActiveRuns": 8', "1:21 The file is not JSON (CloseBraceExpected)."],
		["[1]", "1:1 The file is not a JSON object."],
		['"text"', "1:1 The file is not a JSON object."],
		["\0\0\0", "1:1 The file is not JSON ("],
		['{ "maxQueued": 1, "maxQueued": 2 }', '1:19 "maxQueued" appears more than once.'],
	])("refuses the damaged %j", (text, said) => {
		expect(places(text)[0]?.startsWith(said)).toBe(true);
	});

	it("says how to write a file that is empty", () => {
		expect(parseConfig(" ").problems[0]?.fix).toBe('Write the settings in the form { "maxActiveRuns": 4 }, or delete the file.');
		expect(parseConfig("{").problems[0]?.fix).toBe("Correct the file at that position, or delete the file.");
	});

	it("keeps what is right beside what is wrong, and names every problem", () => {
		const { values, problems } = parseConfig('{ "a": 1, "maxQueued": 3, "b": 2 }');
		expect([...values.keys()]).toEqual(["XWORKMATE_MAX_QUEUED"]);
		expect(problems.map(({ key }) => key)).toEqual(["a", "b"]);
	});
});
