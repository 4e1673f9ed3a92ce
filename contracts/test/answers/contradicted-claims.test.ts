import { describe, expect, it } from "vitest";
import { namedFiles } from "../../src/answers/claims/named-files.ts";
import { type ActivityItem, checkAgentClaims, type FoundFile } from "../../src/index.ts";
import { activityWith, edit, reported } from "./reported-calls.ts";

type Call = Partial<ActivityItem> & { readonly path?: string };

const untouched = (path: string): Call => ({ ...edit, words: `Edit ${path}`, contradiction: "untouched", path });
const moved: Call = { ...edit, toolId: "codex:move" as never, words: "Move x to y", path: "/work/y" };

function marks(text: string, ...calls: readonly Call[]) {
	const activity = activityWith(...calls.map(({ path: _path, ...call }) => ({ status: "succeeded" as const, ...call })));
	const places = (toolCallId: string) =>
		calls.flatMap(({ path }, index) => (path !== undefined && toolCallId === `call-${index + 1}` ? [path] : []));
	return checkAgentClaims(text, { activity, delivered: { paths: [], count: 0 }, places });
}

describe("a claim about a file that shows that it was not changed as reported", () => {
	it("is not backed by a call about something else, also if the file's name has no ending", () => {
		expect(marks("I edited /etc/hostname.", untouched("/etc/hostname"), moved)).toMatchObject([{ code: "CLAIM_WITHOUT_ACTION" }]);
		expect(marks("I edited `etc/hostname`.", untouched("/etc/hostname"), moved)).toHaveLength(1);
		expect(marks("I updated the readme to match the Makefile.", untouched("/work/Makefile"), moved)).toEqual([]);
		expect(marks("I moved x to y.", untouched("/etc/hostname"), moved)).toEqual([]);
	});

	it("is backed by a later call that the file shows", () => {
		const again: Call = { ...edit, words: "Edit /etc/hostname", path: "/etc/hostname" };
		expect(marks("I edited /etc/hostname.", untouched("/etc/hostname"), again)).toEqual([]);
	});

	it("is not backed by the time of a file that holds what it held before", () => {
		const same: ActivityItem = { ...untouched("a.txt"), examined: ["a.txt"], status: "succeeded" } as never;
		const evidence = { activity: activityWith(same), delivered: { paths: [], count: 0 }, found: new Map([["a.txt", "changed"]] as const) };
		for (const text of ["I fixed the bug in a.txt.", "I changed a.txt."]) expect(checkAgentClaims(text, evidence), text).toHaveLength(1);
	});

	it("is not one about a file that did change, in another way than the agent reported", () => {
		const call: ActivityItem = {
			...edit,
			words: "Edit a.txt",
			contradiction: "not_held",
			examined: ["a.txt"],
			status: "succeeded",
		} as never;
		const problems = (state: FoundFile, text: string) => {
			const found = new Map<string, FoundFile>([
				["a.txt", state],
				["b.txt", "absent"],
			]);
			return checkAgentClaims(text, { activity: activityWith(call), delivered: { paths: [], count: 0 }, found, deleted: ["b.txt"] });
		};
		for (const text of ["Changed a.txt.", "I created a.txt.", "Changed a.txt and removed b.txt."]) {
			expect(problems("changed", text), text).toEqual([]);
			expect(problems("unchanged", text), text).toHaveLength(1);
		}
	});

	it("is not one that a file was removed which is gone, although an edit of it was reported", () => {
		const call: ActivityItem = {
			...edit,
			words: "Edit b.txt",
			contradiction: "not_found",
			examined: ["b.txt"],
			status: "succeeded",
		} as never;
		const found = new Map([["b.txt", "absent"]] as const);
		const evidence = { activity: activityWith(call), delivered: { paths: [], count: 0 }, found };
		expect(checkAgentClaims("I removed b.txt.", { ...evidence, deleted: ["b.txt"] })).toEqual([]);
		expect(checkAgentClaims("I removed b.txt.", evidence)).toHaveLength(1);
		expect(checkAgentClaims("I edited b.txt.", { ...evidence, deleted: ["b.txt"] })).toHaveLength(1);
	});

	it("is not one that says that it wasn't", () => {
		expect(marks("I moved x to y, but could not edit /etc/hostname.", untouched("/etc/hostname"), moved)).toEqual([]);
	});

	it("is not said to be about something that failed, unless something did", () => {
		expect(marks("I edited keep.txt.", untouched("/work/keep.txt"))).toMatchObject([{ code: "CLAIM_WITHOUT_ACTION" }]);
		const failed: Call = { ...reported, status: "failed", words: "npm test" };
		expect(marks("I edited keep.txt.", untouched("/work/keep.txt"), failed)).toMatchObject([{ code: "CLAIM_WITHOUT_SUCCESS" }]);
	});
});

describe("a claim that a file was moved or renamed", () => {
	const found = (states: Readonly<Record<string, FoundFile>>) => new Map(Object.entries(states));
	const problems = (text: string, states: Readonly<Record<string, FoundFile>>, delivered: readonly string[] = []) =>
		checkAgentClaims(text, { activity: undefined, delivered: { paths: delivered, count: delivered.length }, found: found(states) });

	it.each([
		"I renamed a.txt to b.txt.",
		"I moved a.txt to b.txt.",
		"Ich habe a.txt nach b.txt verschoben.",
		"J’ai renommé a.txt en b.txt.",
	])("needs the file with the new name: %s", (text) => {
		expect(problems(text, { "a.txt": "changed", "b.txt": "absent" }, ["a.txt"])).toMatchObject([{ reason: "no_file" }]);
		expect(problems(text, { "a.txt": "absent", "b.txt": "changed" })).toEqual([]);
		expect(problems(text, { "a.txt": "absent" }, ["b.txt"])).toEqual([]);
	});

	it.each([
		"I renamed a.txt to b.txt.",
		"I moved a.txt to b.txt.",
		"Ich habe a.txt nach b.txt verschoben.",
		"J’ai renommé a.txt en b.txt.",
	])("is refuted by the file with the old name, unless that may have been made again: %s", (text) => {
		expect(namedFiles(text)).toEqual(["b.txt", "a.txt"]);
		expect(problems(text, { "a.txt": "unchanged" }, ["b.txt"])).toHaveLength(1);
		expect(problems(text, { "a.txt": "unchanged", "b.txt": "changed" })).toHaveLength(1);
		expect(problems(text, { "a.txt": "changed", "b.txt": "changed" })).toEqual([]);
		expect(problems(text, {}, ["b.txt"])).toEqual([]);
	});

	it("says nothing of the old name if the file was only moved to another folder", () => {
		const text = "I moved a.txt to docs/a.txt.";
		expect(namedFiles(text)).toEqual(["docs/a.txt"]);
		expect(problems(text, { "a.txt": "unchanged", "docs/a.txt": "changed" })).toEqual([]);
	});
});

it("a file that is known to have been deleted during the run backs the claim that it was", () => {
	const evidence = { activity: undefined, delivered: { paths: [], count: 0 }, found: new Map([["b.txt", "absent"]] as const) };
	expect(checkAgentClaims("I deleted b.txt.", { ...evidence, deleted: ["docs/b.txt"] })).toEqual([]);
	expect(checkAgentClaims("I deleted b.txt.", { ...evidence, deleted: ["docs/c.txt"] })).toHaveLength(1);
	const deep = { ...evidence, found: new Map([["src/b.txt", "absent"]] as const) };
	expect(checkAgentClaims("I deleted src/b.txt.", { ...deep, deleted: ["b.txt"] })).toHaveLength(1);
	expect(checkAgentClaims("I deleted src/b.txt.", { ...deep, deleted: ["src/b.txt"] })).toEqual([]);
});

it("a claim about several files names the one that is lacking", () => {
	const found = new Map<string, FoundFile>([
		["a.md", "changed"],
		["b.csv", "unseen"],
		["c.pdf", "absent"],
		["d.txt", "unchanged"],
	]);
	const evidence = { activity: undefined, delivered: { paths: [], count: 0 }, found };
	const problem = (text: string) => checkAgentClaims(text, evidence)[0];
	expect(problem("I wrote a.md, b.csv and c.pdf.")).toMatchObject({ reason: "no_file", file: "c.pdf" });
	expect(problem("I wrote a.md and b.csv.")).toMatchObject({ code: "CLAIM_WITHOUT_ACTION", file: "b.csv" });
	expect(problem("I wrote a.md and deleted d.txt.")).toMatchObject({ reason: "still_there", file: "d.txt" });
	expect(problem("I wrote c.pdf.")).not.toHaveProperty("file");
	expect(problem("I renamed a.md to c.pdf.")).not.toHaveProperty("file");
});

it("what was renamed within a file is no file that was renamed", () => {
	const found = new Map([
		["a.ts", "changed"],
		["lodash.js", "absent"],
	] as const);
	const evidence = { activity: undefined, delivered: { paths: [], count: 0 }, found };
	expect(checkAgentClaims("I renamed the import in a.ts to lodash.js.", evidence)).toEqual([]);
});

describe("a claim about a call of which only a title is known", () => {
	const problems = (call: Partial<ActivityItem>, text: string) => {
		const activity = activityWith({ ...reported, status: "succeeded", titleOnly: true, ...call });
		return checkAgentClaims(text, { activity, delivered: { paths: [], count: 0 } });
	};
	const call = { words: "Send mail to Anna" } as const;
	const text = "I sent the mail to Anna.";

	it("is backed only if the user allowed what the title says", () => {
		expect(problems(call, text)).toMatchObject([{ code: "CLAIM_WITHOUT_ACTION" }]);
		expect(problems({ ...call, approval: { required: false, decision: "allow", by: "configuration:provider" } }, text)).toHaveLength(1);
		expect(problems({ ...call, approval: { required: true, decision: "allow_once", by: "person" } }, text)).toEqual([]);
	});

	it.each(["configuration:provider", "window:apr-1"])("isn't backed by a permission that no one was asked for: %s", (by) => {
		expect(problems({ ...call, approval: { required: true, decision: "allow_once", by } }, text)).toHaveLength(1);
	});

	it("leaves typed calls, failures and looks as they are", () => {
		const typed = { origin: "executed", toolId: "mail.messages.send" as never } as const;
		expect(problems({ ...call, ...typed }, text)).toEqual([]);
		expect(problems({ ...call, status: "failed" }, text)).toMatchObject([{ code: "CLAIM_WITHOUT_SUCCESS" }]);
		expect(problems({ ...call, words: "Read the log" }, "I verified it.")).toEqual([]);
	});
});
