import { ToolCallId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { ToolCallChange } from "../../../src/providers/agent-update.ts";
import { UpdateTranslator } from "../../../src/providers/update-translator.ts";

const toolCallId = ToolCallId.parse("c1");

function inputOf(fields: Readonly<Record<string, string>>): Pick<ToolCallChange, "input"> {
	const whole = JSON.stringify(fields);
	const { command } = fields;
	return { input: { preview: { text: whole, truncated: false }, whole, ...(command !== undefined && { command }) } };
}

/** A turn in which `ls` was allowed. */
function allowedLs(asked: object = {}): UpdateTranslator {
	const translator = new UpdateTranslator();
	translator.tool({ toolCallId, title: "ls", toolKind: "execute", ...inputOf({ command: "ls" }), ...asked });
	translator.asks(toolCallId);
	translator.allowed(translator.question(toolCallId));
	return translator;
}

/** What is said of a call after it was allowed as a command and its agent has reported these changes of it. */
function afterwards(asked: object, ...reports: readonly Partial<ToolCallChange>[]) {
	const translator = allowedLs(asked);
	const updates = reports.flatMap((report) => translator.tool({ toolCallId, ...report }));
	const last = updates.at(-1);
	return last?.kind === "tool_call" ? { unpermitted: last.unpermitted, ...last.swapped } : undefined;
}

const done = { state: "completed" } as const;
const diff = [{ path: "notes.md", newText: "new", truncated: false }];
const edit = { toolKind: "edit", ...inputOf({ path: "notes.md", content: "new" }) } as const;

it.each([
	["with an input of its own", [{ ...edit, ...done, diff }], "edit notes.md"],
	["in an earlier report", [{ ...edit, state: "running", diff }, done], "edit notes.md"],
	["with its kind alone", [{ toolKind: "edit", ...done }], "edit"],
	["with its kind and a title", [{ toolKind: "delete", title: "Tidy up", ...done }], "Tidy up"],
	["with a place", [{ toolKind: "delete", locations: [{ path: "a.txt" }], ...done }], "delete a.txt"],
	["that failed", [{ ...edit, state: "failed", diff }], "edit notes.md"],
	["without its kind", [{ ...inputOf({ path: "notes.md" }), diff, ...done }], "edit notes.md"],
] as const)("a call that was allowed as a command and ends as an edit is another one, and both are named: %s", (_, reports, reported) => {
	expect(afterwards({}, ...reports.map((report) => report as Partial<ToolCallChange>))).toEqual({
		unpermitted: "another",
		allowed: "ls",
		reported,
	});
});

it("a command that was asked about with a change of one file, and that is reported with a change of another, is another call", () => {
	const other = [{ path: "/work/other.md", newText: "new", truncated: false }];
	const swapped = { unpermitted: "another", allowed: "edit notes.md", reported: "edit /work/other.md" };
	expect(afterwards({ diff }, { ...done, diff: other })).toEqual(swapped);
	expect(afterwards({ diff }, { ...done, diff: [...diff, ...other] })).toEqual(swapped);
});

it.each([
	["ends as it was allowed", {}, [{ ...done, ...inputOf({ command: "ls" }) }]],
	["shows what the command changed", {}, [{ ...done, diff }]],
	["was asked about with its change", { diff, content: "new" }, [{ ...done, ...inputOf({}), diff }]],
	["shows the file of its change in another spelling", { diff }, [{ ...done, diff: [{ ...diff[0], path: "/work/notes.md" }] }]],
	["changes a file that its title names", { diff, title: "ls > a.md" }, [{ ...done, diff: [{ ...diff[0], path: "/work/a.md" }] }]],
	["was asked about with more changes than are kept", { diff, lacksDiffs: true }, [{ ...done, diff: [{ ...diff[0], path: "a.md" }] }]],
	["was called an edit when it was allowed", { toolKind: "edit" }, [{ toolKind: "edit", ...done, diff }]],
	[
		"gets its kind only later",
		{ toolKind: "other", ...inputOf({ command: "write", path: "a.md" }) },
		[{ ...done, toolKind: "edit", diff }],
	],
	["has no input at its end", {}, [{ ...inputOf({}), ...done }]],
	["is called a look later", {}, [{ toolKind: "read", ...done }]],
	["has not ended", {}, [{ ...edit, state: "running" }]],
] as const)("a call that was allowed as a command is not called another one if it %s", (_, asked, reports) => {
	const said = afterwards(asked, ...reports.map((report) => report as Partial<ToolCallChange>));
	expect(said?.unpermitted).toBeUndefined();
});

it.each([
	["a question that showed nothing but a title", { title: "Run tests", input: undefined }, "Run tests"],
	["a question about a file", { title: "Read a.txt", toolKind: "read", ...inputOf({ path: "a.txt" }) }, "Read a.txt"],
	["a question with another kind of input", { title: "Tidy up", toolKind: "other", ...inputOf({ what: "all" }) }, "Tidy up"],
] as const)("a call that is reported with a command after %s is another one, and both are named", (_, asked, allowed) => {
	for (const field of ["command", "cmd"]) {
		const reported = { unpermitted: "another", allowed, reported: "rm -rf x" };
		expect(afterwards(asked, { ...done, ...inputOf({ [field]: "rm -rf x" }) }), field).toEqual(reported);
	}
});

it("a command is what was allowed if the question named it in its title or its text, or had an empty input after the command", () => {
	const reported = { ...done, ...inputOf({ command: "bash -lc 'npm test'" }) };
	for (const title of ["npm test", "`npm test`", "shell · npm test", "Run `npm test` in src", "npm test (Run the tests)"])
		expect(afterwards({ title, input: undefined }, reported)?.unpermitted, title).toBeUndefined();
	for (const title of ["npm test | tee log", "Don't npm test it", "pnpm test"])
		expect(afterwards({ title, input: undefined }, reported)?.unpermitted, title).toBe("another");
	expect(afterwards({ title: "Wait", input: undefined }, { ...done, ...inputOf({ command: " " }) })?.unpermitted).toBeUndefined();
	const output = { text: "It would run: npm test", truncated: false };
	expect(afterwards({ title: "Test", input: undefined, output }, reported)?.unpermitted).toBeUndefined();
	const translator = new UpdateTranslator();
	translator.tool({ toolCallId, title: "bash", toolKind: "execute", ...inputOf({ command: "npm test" }) });
	translator.tool({ toolCallId, title: "external_directory", ...inputOf({}) });
	translator.asks(toolCallId);
	translator.allowed(translator.question(toolCallId));
	expect(translator.tool({ toolCallId, ...reported })).not.toMatchObject([{ unpermitted: "another" }]);
});

const running = { state: "running" } as const;
const named = (command: string) => ({ title: command, ...inputOf({ command }) });

it.each([
	[
		"that ends as it was allowed",
		[
			{ ...named("rm -rf ~"), ...running },
			{ ...named("ls"), ...done },
		],
		"rm -rf ~",
	],
	[
		"that fails as it was allowed",
		[
			{ ...named("rm -rf ~"), ...running },
			{ ...named("ls"), state: "failed" },
		],
		"rm -rf ~",
	],
	["that is renamed while it runs", [{ ...named("rm -rf ~"), ...running }, named("ls"), done], "rm -rf ~"],
	["that began as it was allowed", [running, named("rm -rf ~"), { ...named("bash -lc ls"), ...done }], "rm -rf ~"],
	["that was renamed before it began", [named("rm -rf ~"), running, { ...named("ls"), ...done }], "rm -rf ~"],
	[
		"that ends as a third one",
		[
			{ ...named("rm -rf ~"), ...running },
			{ ...named("make"), ...done },
		],
		"rm -rf ~",
	],
	[
		"that changes files",
		[
			{ ...edit, ...running },
			{ ...named("ls"), toolKind: "execute", ...done },
		],
		"edit",
	],
] as const)("an allowed call that ran as something else meanwhile, by its agent's report, is another one: %s", (_, reports, reported) => {
	const said = afterwards({}, ...reports.map((report) => report as Partial<ToolCallChange>));
	expect(said).toEqual({ unpermitted: "another", allowed: "ls", reported });
});

it.each([
	[
		"its command arrives piece by piece",
		{},
		[
			{ ...named("l"), ...running },
			{ ...named("ls"), ...done },
		],
	],
	["its command arrives in a shell", {}, [{ ...named("bash -lc 'l"), ...running }, named("bash -lc 'ls'"), { ...named("ls"), ...done }]],
	["it is only renamed, and back before it begins", {}, [named("rm -rf ~"), named("ls"), running, done]],
	[
		"it shows a change while it runs",
		{},
		[
			{ ...inputOf({}), diff, ...running },
			{ ...named("ls"), ...done },
		],
	],
	["it runs what its title named", { title: "ls", input: undefined }, [{ ...named("ls"), ...running }, done]],
] as const)("one that did not is not called another one: %s", (_, asked, reports) => {
	const said = afterwards(asked, ...reports.map((report) => report as Partial<ToolCallChange>));
	expect(said).toEqual({ unpermitted: undefined });
});

it("what an agent reports while it asks, or is allowed to do afterwards, is not something else", () => {
	const translator = new UpdateTranslator();
	translator.tool({ toolCallId, toolKind: "execute", ...named("ls") });
	translator.asks(toolCallId);
	translator.allowed(translator.question(toolCallId));
	// Reported as running first, and asked about then.
	translator.tool({ toolCallId, ...named("make"), ...running });
	translator.asks(toolCallId);
	translator.tool({ toolCallId, ...running });
	translator.allowed(translator.question(toolCallId));
	expect(translator.tool({ toolCallId, ...done })[0]).not.toHaveProperty("unpermitted");
});

describe("a call that was allowed, and that its agent never reports as ended", () => {
	const left = (...reports: readonly Partial<ToolCallChange>[]) => {
		const translator = allowedLs();
		for (const report of reports) translator.tool({ toolCallId, ...report });
		return translator.leftOpen().map(({ state, unpermitted, swapped }) => ({ state, unpermitted, ...swapped }));
	};
	const evil = inputOf({ command: "curl evil" });

	it.each([
		["runs as another command", [{ ...evil, state: "running" }], "running"],
		["gets another command and isn't said to run", [evil], "pending"],
		["runs as the beginning of its command", [{ ...inputOf({ command: "l" }), state: "running" }], "running", "l"],
		["ran as another command before it got its name back", [{ ...evil, state: "running" }, inputOf({ command: "ls" })], "running"],
	] as const)("is another one at the end of the turn if it %s, and both are named", (_, reports, state, reported: string = "curl evil") => {
		expect(left(...(reports as readonly Partial<ToolCallChange>[]))).toEqual([{ state, unpermitted: "another", allowed: "ls", reported }]);
	});

	it.each([
		["as it was allowed", { ...inputOf({ command: "ls" }), state: "running" }],
		["without its command", { state: "running" }],
	] as const)("is what was allowed if it is reported %s", (_, report) => {
		expect(left(report as Partial<ToolCallChange>)).toEqual([{ state: "running", unpermitted: undefined }]);
	});

	it("isn't left open once it has ended or is asked about again", () => {
		expect(left({ ...evil, state: "completed" })).toEqual([]);
		const translator = allowedLs();
		translator.asks(toolCallId, "again");
		translator.tool({ toolCallId, ...evil });
		expect(translator.leftOpen()).toEqual([]);
	});
});
