import {
	Artifact,
	checkAgentClaims,
	type Grounding,
	limits,
	type ProviderId,
	Redaction,
	type RunEdits,
	RunId,
	type ToolCallId,
} from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import type { CollectedSummary } from "../../../src/ports/runs/run-event.ts";
import type { RunCommand } from "../../../src/runs/domain/decide.ts";
import { toSnapshot } from "../../../src/runs/domain/run-view.ts";
import { claimedFiles } from "../../../src/runs/domain/unverified-claims.ts";
import { record } from "./arbitrary.ts";
import { play, type Turn } from "./played-turn.ts";

const NOTHING = { activity: undefined, delivered: { paths: [], count: 0 } };
const runId = RunId.parse("run-1");
const CLAIM = "I've closed the three old issues.";

const by = (providerId: string, target: "agent" | "gateway" = "agent") => ({ target, providerId: providerId as ProviderId });
const says = (text: string, messageId = "m"): RunCommand => ({ type: "say", update: { kind: "message_delta", messageId, text } });
const ended: RunCommand = { type: "end_provider", outcome: { kind: "ended" } };
const concluded = (providerId: string) => ({ type: "conclude", provider: by(providerId) }) as const;
const output = { text: "ok", truncated: false };
const calls = (toolKind: "read" | "execute" | "edit", state: "completed" | "failed" | "running"): RunCommand => ({
	type: "say",
	update: { kind: "tool_call", toolCallId: `c-${toolKind}-${state}`, title: "gh issue close 118", toolKind, state, output },
	reporter: { runId, providerId: "codex", redaction: new Redaction([]) },
});
const notes = Artifact.parse({
	...{ relativePath: "notes.txt", sizeBytes: 3, sha256: "0".repeat(64), mediaType: "text/plain" },
	...{ modifiedAt: "2026-11-23T10:00:00.000Z", artifactRef: "/artifacts/run-1/notes.txt" },
});
const collected: RunCommand = {
	type: "accept_artifacts",
	artifacts: { items: [notes], count: 1, totalBytes: 3, digest: "0".repeat(64), rejected: [], rejectedCount: 0 } satisfies CollectedSummary,
};

function groundingOf({ state }: Turn): Grounding | undefined {
	return toSnapshot(record, state, 0).grounding;
}

describe("what an agent had written when its run was cut off", () => {
	const text = `Of the 41 issues 3 are old. ${CLAIM}`;
	const provider = by("codex");
	it.each<[string, RunCommand]>([
		["the bridge restarted", { type: "interrupt", code: "BRIDGE_RESTARTED", message: "restarted", answerer: { provider } }],
		["its time was over", { type: "interrupt", code: "DEADLINE_EXCEEDED", message: "late", answerer: { provider } }],
		["the disk was full", { type: "fail", code: "DISK_FULL", message: "full", answerer: { provider } }],
	])("is judged, in the commit of the run's end: %s", (_, end) => {
		const turn = play(says(text), end);
		expect(turn.last.map(({ type }) => type)).toEqual(["answered", "ended"]);
		expect(groundingOf(turn)?.problems.map(({ start, end: to }) => text.slice(start, to))).toEqual([CLAIM]);
	});

	it("is backed by what its agent had reported, and by what is known to have changed", () => {
		const end: RunCommand = { type: "interrupt", code: "BRIDGE_RESTARTED", message: "restarted", answerer: { provider } };
		expect(groundingOf(play(calls("execute", "completed"), says(text), end))).toBeUndefined();
		expect(groundingOf(play(calls("execute", "running"), says(text), end))?.problems).toHaveLength(1);
		const deleted: RunEdits = { place: "folder", directory: "/w", files: [{ path: "old.md", status: "deleted" }], total: 1 };
		const removed = says("I've deleted old.md.");
		expect(groundingOf(play(removed, end))?.problems).toHaveLength(1);
		expect(groundingOf(play(removed, { ...end, edits: deleted }))).toBeUndefined();
	});

	it("is not judged if a provider of the bridge's own wrote it", () => {
		const end: RunCommand = { type: "interrupt", code: "BRIDGE_RESTARTED", message: "restarted", answerer: { provider, own: "programs" } };
		expect(groundingOf(play(says(text), end))).toBeUndefined();
	});
});

describe("the answer to a plan's work", () => {
	const REPORT = "The bridge was closed.";
	const answer = `${REPORT} ${CLAIM}\n<deliverable>\n${REPORT} ${CLAIM}\n</deliverable>\n${REPORT}\n`;
	const marked = (...commands: readonly RunCommand[]) => groundingOf(play(...commands))?.problems ?? [];

	it("has its message judged as a message, as before it is sent, and its work as an answer", () => {
		const problems = marked(says(answer), ended, { ...concluded("codex"), isForPlan: true });
		expect(problems.map(({ start, end }) => [start, answer.slice(start, end)])).toEqual([
			[0, REPORT],
			[answer.indexOf(CLAIM), CLAIM],
			[answer.lastIndexOf(CLAIM), CLAIM],
			[answer.lastIndexOf(REPORT), REPORT],
		]);
		expect(checkAgentClaims(answer.slice(answer.indexOf("<"), answer.indexOf("</")), NOTHING, { isMessage: true })).toHaveLength(1);
	});

	it("has as many problems as any answer at most", () => {
		const many = `${CLAIM}\n<deliverable>\n${CLAIM}\n</deliverable>\n`.repeat(100);
		expect(marked(says("I've closed the issues.", "m1"), says(many, "m2"), ended, { ...concluded("codex"), isForPlan: true })).toHaveLength(
			limits.answerProblems,
		);
	});

	it("is an answer without a message in a run that no plan started", () => {
		expect(marked(says(answer), ended, concluded("codex"))).toHaveLength(5);
	});
});

describe("an agent's answer that claims what nothing backs", () => {
	it("[T1-38] [T1-95] [T1-96] is unverified, in the commit of the run's end, with the sentence and with its text as it was", () => {
		const text = `Of the 41 issues 3 are old. ${CLAIM}`;
		const turn = play(says(text), ended, concluded("codex"));
		expect(turn.last.map(({ type }) => type)).toEqual(["answered", "ended"]);
		const grounding = groundingOf(turn);
		expect(grounding).toMatchObject({ state: "unverified", problems: [{ code: "CLAIM_WITHOUT_ACTION" }] });
		expect(grounding?.problems.map(({ start, end }) => text.slice(start, end))).toEqual([CLAIM]);
		expect(toSnapshot(record, turn.state, 0)).toMatchObject({ status: "completed", output: { text } });
	});

	it.each([
		["failed", [calls("execute", "failed")]],
		["never ended", [calls("execute", "running")]],
		["failed beside a read", [calls("read", "completed"), calls("edit", "failed")]],
	])("is unverified if its only call %s", (_how, reported) => {
		const turn = play(...reported, says(CLAIM), ended, concluded("codex"));
		expect(groundingOf(turn)).toMatchObject({ state: "unverified", problems: [{ code: "CLAIM_WITHOUT_SUCCESS" }] });
		expect(turn.last.at(-1)?.type).toBe("ended");
	});

	it("is unverified if all that it reports is reading", () => {
		expect(groundingOf(play(calls("read", "completed"), says(CLAIM), ended, concluded("codex")))).toMatchObject({ state: "unverified" });
	});

	it("needs a reported call that is about the same, or a file if it is about a file", () => {
		const made = "I have saved the report as notes.txt.";
		const end = (...commands: readonly RunCommand[]) => play(...commands).last.map(({ type }) => type);
		const marked = ["answered", "ended"];
		expect(end(calls("execute", "completed"), says(CLAIM), ended, concluded("codex"))).toEqual(["ended"]);
		expect(end(says(CLAIM), ended, collected, concluded("codex"))).toEqual(marked);
		expect(end(says(made), ended, collected, concluded("codex"))).toEqual(["ended"]);
		expect(end(calls("execute", "completed"), says(made), ended, concluded("codex"))).toEqual(marked);
		expect(end(calls("edit", "completed"), says(CLAIM), ended, concluded("codex"))).toEqual(["ended"]);
	});

	it("takes no call for evidence whose file was looked for and not found, and knows the files of a call that does not name them", () => {
		const call = (facts: object): RunCommand => ({
			type: "say",
			update: { kind: "tool_call", toolCallId: "c1", title: "Edit", toolKind: "edit", state: "completed", output, ...facts },
			reporter: { runId, providerId: "codex", redaction: new Redaction([]) },
		});
		const end = (text: string, ...commands: readonly RunCommand[]) => groundingOf(play(...commands, says(text), ended, concluded("codex")));
		expect(end("I updated the parser.", call({}))).toBeUndefined();
		for (const finding of ["notFound", "untouched", "notHeld"]) {
			expect(end("I updated the parser.", call({ [finding]: true })), finding).toMatchObject({ state: "unverified" });
		}
		const deleted = { toolKind: "delete", locations: [{ path: "/work/old.txt" }] };
		expect(end("I deleted old.txt.", call({ ...deleted, stillThere: false }))).toBeUndefined();
		expect(end("I deleted old.txt.", call({ ...deleted, stillThere: true }))).toMatchObject({ state: "unverified" });
		expect(end("I deleted new.txt.", call({ ...deleted, stillThere: false }))).toMatchObject({ state: "unverified" });
	});

	describe("that all tests pass", () => {
		const call = (state: string, title: string, rawInput?: unknown): RunCommand => ({
			type: "say",
			update: {
				...{ kind: "tool_call", toolCallId: "c1", title, toolKind: "execute", state: state as "completed", output },
				...(rawInput !== undefined && { input: { text: JSON.stringify(rawInput), truncated: false } }),
			},
			reporter: { runId, providerId: "codex", redaction: new Redaction([]) },
		});
		const isMarked = (...commands: readonly RunCommand[]) =>
			groundingOf(play(...commands, says("All tests pass."), ended, concluded("codex")))?.state === "unverified";

		it.each([
			["npm test", { command: "ls" }],
			["npm test", { command: "echo npm test" }],
			["npm test", { command: ["bash", "-lc", "ls"] }],
			["npm test; ls", { command: "ls" }],
			["npm test", { script: "ls" }],
			["npm test", { note: "x".repeat(5_000), command: "ls" }],
			["cat vitest.log", undefined],
			["cat src/test.ts", { command: "cat vitest.log" }],
			["Run the tests", undefined],
			["Check the vitest results", undefined],
			// Only the beginning of these is known, and anything may follow.
			["Check", { command: `npm test -- ${"a.test.ts ".repeat(500)}` }],
			["Check", { command: `npm test${" ".repeat(1_000)}|| true` }],
			["Check", { command: `npm test # ${"测".repeat(1_000)}\ntrue` }],
			["Check", { command: ["bash", "-lc", `npm test${" ".repeat(4_000)}|| true`] }],
			[`npm test${" ".repeat(400)}|| true`, undefined],
			// The status is that of the last line.
			["Check", { command: "npm test\necho done" }],
			["npm test\necho done", undefined],
			["Check", { command: "cat > test.sh <<EOF\nset -e\nnpm test\nEOF" }],
			["Check", { command: "npm test '<<true'\ntrue" }],
			["Check", { command: "npm test # <<true\ntrue" }],
			["Check", { command: "python3 - <<EOF\nprint('the tests')\nEOF" }],
		])("is not backed by a call titled “%s” with the input %j", (title, rawInput) => {
			expect(isMarked(call("completed", title, rawInput))).toBe(true);
		});

		it.each([
			["Check", { command: "npm test" }],
			["Check", { command: ["bash", "-lc", "npx vitest run"] }],
			["Check", { command: "set -e\nnpm test\necho done" }],
			["Check", { command: "cd app\r\n\tnpm test" }],
			["Check", { command: "npm test", description: "x".repeat(5_000) }],
			["Check", { command: ["bash", "-lc", "npm test"], description: "x".repeat(5_000) }],
			["Check", { command: "cat > notes.md <<EOF\nIt's done; exit 0\nEOF\nnpm test" }],
			["npm test", undefined],
			["`npm test`", {}],
			["Bash: CI=1 npm test", undefined],
			["./gradlew test [current working directory /work] (Runs the tests)", undefined],
		])("is backed by a call titled “%s” with the input %j", (title, rawInput) => {
			expect(isMarked(call("completed", title, rawInput))).toBe(false);
		});

		it("is judged by the last command that the agent gave", () => {
			const before = call("pending", "npm test", {});
			expect(isMarked(before, call("pending", "npm test", { command: "ls" }), call("completed", "npm test"))).toBe(true);
			expect(isMarked(before, call("running", "npm test", { command: "npm test" }), call("completed", "npm test", { command: "ls" }))).toBe(
				true,
			);
			expect(isMarked(call("pending", "Terminal", {}), call("running", "x", { command: "npm test" }), call("completed", "x"))).toBe(false);
			// The command that was running is not the one that is reported as done.
			const ran = call("running", "x", { command: "true" });
			expect(isMarked(ran, call("completed", "x", { command: "npm test" }))).toBe(true);
			expect(isMarked(ran, call("running", "x"), call("completed", "x", { command: "npm test" }), call("completed", "x"))).toBe(true);
			const shell = call("running", "x", { command: ["bash", "-lc", "npm test"] });
			expect(isMarked(shell, call("completed", "x", { command: "npm test" }))).toBe(false);
		});
	});

	describe("about a call that shows nothing but a title", () => {
		const toolCallId = "c1" as ToolCallId;
		const call = (title: string, facts: object = {}): RunCommand => ({
			type: "say",
			update: { kind: "tool_call", toolCallId, title, toolKind: "execute", state: "completed", ...facts },
			reporter: { runId, providerId: "codex", redaction: new Redaction([]) },
		});
		const isMarked = (text: string, ...commands: readonly RunCommand[]) =>
			groundingOf(play(...commands, says(text), ended, concluded("codex")))?.state === "unverified";

		it.each([
			["All tests pass.", "npm test"],
			["I sent the mail to Anna.", "Send mail"],
			["I deleted old.txt.", "rm old.txt"],
			["I pushed the branch.", "git push"],
			["Done!", "npm test"],
		])("is unverified: %s, %s", (text, title) => {
			expect(isMarked(text, call(title))).toBe(true);
			expect(isMarked(text, call(title, { toolKind: "other", input: { text: "{}", truncated: false } }))).toBe(true);
			expect(isMarked(text, call(title, { state: "running", output }), call(title))).toBe(false);
			expect(isMarked(text, call(title, { input: { text: JSON.stringify({ command: title }), truncated: false } }))).toBe(false);
		});

		it("may be right about a gateway, which may send no more", () => {
			const gateway: RunCommand = { type: "conclude", provider: by("openclaw", "gateway") };
			expect(groundingOf(play(call("git push"), says("I pushed the branch."), ended, gateway))).toBeUndefined();
		});
	});

	it("is judged by each line of a command", () => {
		const end = (text: string, command: string) => {
			const input = { text: JSON.stringify({ command }), truncated: false };
			const call: RunCommand = {
				type: "say",
				update: { kind: "tool_call", toolCallId: "c1", title: "Terminal", toolKind: "execute", state: "completed", input },
				reporter: { runId, providerId: "codex", redaction: new Redaction([]) },
			};
			return groundingOf(play(call, says(text), ended, concluded("codex")));
		};
		expect(end("I deleted old.txt.", "ls\nrm old.txt")).toBeUndefined();
		expect(end("I deleted old.txt.", "rm --dry-run old.txt\nls")).toMatchObject({ state: "unverified" });
		expect(end("I wrote use.md.", "cat > use.md <<'EOF'\nIt's run with --help\nEOF")).toBeUndefined();
		expect(end("I wrote use.md.", "python3 - <<EOF\nopen('use.md', 'w')\nEOF")).toBeUndefined();
		expect(end("I wrote use.md.", "echo $((1 << n))\ntouch use.md")).toBeUndefined();
	});

	it("a call is named by its command or by the files that were looked at, and its title is kept as the agent's", () => {
		const named = (facts: object) => {
			const call: RunCommand = {
				type: "say",
				update: { kind: "tool_call", toolCallId: "c1", title: "Delete customers.db", toolKind: "delete", state: "completed", ...facts },
				reporter: { runId, providerId: "codex", redaction: new Redaction([]) },
			};
			return toSnapshot(record, play(call, ended, concluded("codex")).state, 0).activity?.items[0];
		};
		const title = "Delete customers.db";
		expect(named({})).toMatchObject({ words: title });
		expect(named({})).not.toHaveProperty("title");
		expect(named({ stillThere: true, examined: ["main.js"] })).toMatchObject({ words: "main.js", file: "main.js", title });
		const input = { text: '{"command":"ls"}', truncated: false };
		expect(named({ toolKind: "execute", input })).toMatchObject({ words: "ls", command: "ls", title });
	});

	it("takes the title of a call for no evidence of a file where another was looked at", () => {
		const call: RunCommand = {
			type: "say",
			update: {
				...{ kind: "tool_call", toolCallId: "c1", title: "Write report.pdf", toolKind: "edit", state: "completed" },
				...{ untouched: false, examined: ["tiny2.txt"], locations: [{ path: "/work/tiny2.txt" }] },
			},
			reporter: { runId, providerId: "codex", redaction: new Redaction([]) },
		};
		const about = (text: string) => groundingOf(play(call, says(text), ended, concluded("codex")));
		expect(about("I wrote report.pdf.")).toMatchObject({ state: "unverified" });
		expect(about("I wrote tiny2.txt.")).toBeUndefined();
	});

	it("is unverified also in the messages before the last one, whose sentences are quoted", () => {
		const first = `Let me look. ${CLAIM}`;
		const turn = play(says(first, "m1"), calls("read", "completed"), says("There is nothing else.", "m2"), ended, concluded("codex"));
		expect(groundingOf(turn)).toEqual({
			state: "unverified",
			problems: [{ code: "CLAIM_WITHOUT_ACTION", start: 0, end: 0, said: CLAIM }],
		});
		const both = play(says(first, "m1"), says("I wrote a.md.", "m2"), ended, concluded("codex"));
		expect(groundingOf(both)?.problems).toMatchObject([{ said: CLAIM }, { start: 0, end: 13 }]);
		const many = Array.from({ length: 600 }, (_, at) => says(`I wrote b${at}.md. `, `m${Math.floor(at / 50)}`));
		const files = claimedFiles(play(...many, says("I wrote a.md.", "last")).state, by("codex"), undefined);
		expect(files.slice(0, 2)).toEqual(["a.md", "b0.md"]);
		expect(files).toHaveLength(500);
		const done = [calls("execute", "completed"), says("There is nothing else.", "m2"), ended, concluded("codex")];
		expect(groundingOf(play(says(first, "m1"), ...done))).toBeUndefined();
	});

	it("an honest turn has no event more", () => {
		expect(play(says("I found three old issues. Should I close them?"), ended, concluded("codex")).last).toHaveLength(1);
		expect(play(ended, concluded("codex")).last).toHaveLength(1);
	});

	it("is checked however the turn ended: a stop and a failure show it too", () => {
		for (const outcome of [
			{ kind: "cancelled", remote: true },
			{ kind: "failed", code: "PROVIDER_FAILED", message: "x" },
		] as const) {
			const turn = play(says(CLAIM), { type: "end_provider", outcome } as RunCommand, concluded("codex"));
			expect(groundingOf(turn)).toMatchObject({ state: "unverified" });
		}
	});

	it("holds for OpenClaw, and neither for a script nor for the assistant, which checks itself", () => {
		const gateway: RunCommand = { type: "conclude", provider: by("openclaw", "gateway") };
		expect(groundingOf(play(says(CLAIM), ended, gateway))).toMatchObject({ state: "unverified" });
		for (const own of ["programs", "agent"] as const) {
			expect(groundingOf(play(says(CLAIM), ended, { type: "conclude", provider: by("codex"), own }))).toBeUndefined();
		}
		// A name does not make an agent the bridge's own.
		expect(groundingOf(play(says(CLAIM), ended, concluded("assistant")))).toMatchObject({ state: "unverified" });
	});

	it("what was checked already is not checked again", () => {
		const grounding: Grounding = { state: "grounded", problems: [] };
		const turn = play(says(CLAIM), { type: "answer_checked", checked: { grounding } }, ended, concluded("codex"));
		expect(groundingOf(turn)).toEqual(grounding);
	});

	it("offsets are of the text that the snapshot shows, also if it is longer than that", () => {
		const text = `${CLAIM} ${"é".repeat(limits.outputBytes)}. ${CLAIM}`;
		const { problems = [] } = groundingOf(play(says(text), ended, concluded("codex"))) ?? {};
		expect(problems).toEqual([{ code: "CLAIM_WITHOUT_ACTION", start: 0, end: CLAIM.length }]);
	});
});
