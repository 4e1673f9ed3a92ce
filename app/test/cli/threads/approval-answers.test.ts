import { type Approval, ApprovalId, ProviderId, RunId, ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { AppApi } from "../../../src/api/app-api.ts";
import { ApprovalAnswers, type ApproveMode } from "../../../src/cli/threads/approval-answers.ts";
import { decisionWords, unappliedWords } from "../../../src/cli/words/requests/decision-words.ts";
import { AppError } from "../../../src/errors/app-error.ts";
import { localTime } from "../../../src/text/local-time.ts";
import { AT } from "../../support/fake-run.ts";

const pending: Approval = {
	approvalId: ApprovalId.parse("approval-1"),
	runId: RunId.parse("run-1"),
	threadId: ThreadId.parse("thread"),
	title: "Run \u001b[2Jrm -rf build",
	toolKind: "execute",
	input: { text: "rm -rf \u001b]0;safe\u0007build", truncated: true },
	inputHash: "0".repeat(64),
	options: ["allow_window", "allow_once", "deny"],
	requestedAt: AT,
	expiresAt: AT,
	state: "pending",
};

/** What is decided of an approval that no one can be asked about, and what is printed. */
async function answered(mode: ApproveMode, approval: Approval): Promise<{ decided: string[]; notes: string }> {
	const decided: string[] = [];
	const notes: string[] = [];
	const api: Pick<AppApi, "decideApproval"> = {
		decideApproval: async ({ approvalId, decision }) => {
			decided.push(`${approvalId} ${decision}`);
			return { record: { ...approval, state: "decided", decision }, applied: true };
		},
	};
	const console = { note: (text: string) => void notes.push(text), asking: () => () => undefined };
	await new ApprovalAnswers({ console, mode, canAsk: false, decide: api.decideApproval }).see(approval);
	return { decided, notes: notes.join("\n") };
}

it("without a terminal nothing is decided, and it says how to", async () => {
	const { decided, notes } = await answered("ask", pending);
	expect(decided).toEqual([]);
	expect(notes).toContain("npm run -s xworkmate -- approvals allow approval-1");
	expect(notes).toContain("Only the beginning is shown.");
});

it("says at the question that a change was cut off, although the input is complete", async () => {
	const input = { text: JSON.stringify({ file_path: "a.txt" }), truncated: false };
	const edit = { ...pending, title: "Edit a.txt", toolKind: "edit", input } as const;
	const cut = await answered("ask", { ...edit, proposed: { text: "a.txt\n+first", truncated: true } });
	expect(cut.notes).toContain("the change, as the agent reports it: a.txt\n  +first");
	expect(cut.notes).toContain("Only the beginning is shown. If in doubt, deny.");
	const whole = await answered("ask", { ...edit, proposed: { text: "a.txt\n+first", truncated: false } });
	expect(whole.notes).not.toContain("Only the beginning is shown.");
});

it.each([
	[
		new AppError("ANSWER_NOT_SENT", "Your answer was not sent because the bridge can't be reached.", "Wait."),
		"· Your answer was not sent because the bridge can't be reached.",
	],
	[
		new AppError("ANSWER_UNCONFIRMED", "Your answer may not have arrived, because the connection to the bridge was lost.", "Wait."),
		"· Your answer may not have arrived, because the connection to the bridge was lost.",
	],
	[new Error("It broke."), "· Your answer wasn't confirmed: It broke."],
])("says of an answer that failed only what is known: %s", async (error, line) => {
	const notes: string[] = [];
	const console = { note: (text: string) => void notes.push(text), asking: () => () => undefined };
	const decide = () => Promise.reject(error);
	await new ApprovalAnswers({ console, mode: "none", canAsk: false, decide }).see(pending);
	expect(notes[0]).toBe(line);
	expect(notes[1]).toContain("Answer it:");
});

it("shows the control characters of what is asked as codes", async () => {
	const { notes } = await answered("ask", pending);
	expect(notes).toContain("Run \\u{1b}[2Jrm -rf build (execute)");
	expect(notes).not.toMatch(/[^\P{Cc}\n]/u);
});

it("[D7] shows a script with its line breaks, what it is for, and where it would run", async () => {
	const text = JSON.stringify({
		command: "cat > a <<EOF\nline\nEOF",
		description: "Write a",
		timeout_ms: 5_000,
		cwd: "/src",
		shell: "zsh",
	});
	const { notes } = await answered("ask", { ...pending, title: "Write", input: { text, truncated: false } });
	expect(notes.split("\n").slice(0, 9)).toEqual([
		"Approval needed: cat > a <<EOF ⏎ line ⏎ EOF (execute)",
		"  the agent says: Write a",
		"  cat > a <<EOF",
		"  line",
		"  EOF",
		"  shell: zsh",
		"  folder: /src",
		"  time limit: 5 s",
		"  the agent calls it: Write",
	]);
});

it("[D2] names what a permission for a time would cover, and offers none that it cannot name", async () => {
	const offered: Approval = { ...pending, grantScope: { kind: "program", words: ["npm", "test"] }, windowSeconds: 900 };
	const { notes } = await answered("ask", offered);
	expect(notes).toContain(
		'Allow commands that start with "npm test" (no new options) in this thread and working folder for 15 min: npm run -s xworkmate -- approvals allow-window approval-1',
	);
	expect((await answered("ask", pending)).notes).not.toContain("allow-window");
});

it("--approve none denies, --approve all allows once", async () => {
	expect((await answered("none", pending)).decided).toEqual(["approval-1 deny"]);
	expect((await answered("all", pending)).decided).toEqual(["approval-1 allow_once"]);
});

it("--approve all leaves a request that can only be denied to the user, who did not deny it", async () => {
	const { decided, notes } = await answered("all", { ...pending, options: ["deny"] });
	expect(decided).toEqual([]);
	expect(notes).toContain("This can’t be allowed:");
	expect(notes).toContain(
		`  --approve all can't allow this request. The run waits until you deny the request or it expires (${localTime(AT, Date.now())}).`,
	);
	expect((await answered("ask", { ...pending, options: ["deny"] })).notes).not.toContain("--approve all");
	expect(notes).toContain("approvals deny approval-1");
	expect((await answered("all", { ...pending, options: ["deny", "allow_window"] })).decided).toEqual(["approval-1 allow_window"]);
});

it("what is decided already is left alone", async () => {
	for (const mode of ["ask", "all", "none"] as const) {
		expect(await answered(mode, { ...pending, state: "withdrawn" })).toEqual({ decided: [], notes: "" });
	}
});

it("says of a request that can't be answered any more what happened to it, and never that someone answered", () => {
	const { decision: _, ...unanswered } = pending;
	expect(unappliedWords({ ...pending, state: "decided", decision: "deny" })).toBe("Already answered: denied.");
	expect(unappliedWords({ ...unanswered, state: "expired" })).toBe("Not answered: the request had expired and was denied automatically.");
	expect(unappliedWords({ ...unanswered, state: "withdrawn" })).toBe("Not answered: the run is no longer waiting for an answer.");
});

it("[D2] says for how long a permission was given, as its record has it", () => {
	const given: Approval = { ...pending, state: "decided", decision: "allow_window", windowSeconds: 300 };
	expect(decisionWords(given)).toBe("allowed with a 5-minute permission");
	const { windowSeconds: _, ...old } = given;
	expect(decisionWords(old)).toBe("allowed for a limited time");
});

it("names the files that the agent named for a request elsewhere than in its input", async () => {
	const input = { text: '{"command":"cat a.md"}', truncated: false };
	const { notes } = await answered("ask", { ...pending, title: "cat a.md", input, alsoNamed: ["/etc/pass\u001b[2Jwd"] });
	expect(notes).toContain("  also mentions: /etc/pass\\u{1b}[2Jwd");
});

it("says why a request can only be denied, and what a denial does, and names no command that would be refused", async () => {
	const asker = { target: "agent", providerId: ProviderId.parse("codex") } as const;
	const { notes } = await answered("ask", { ...pending, asker, options: ["deny"], deniesAlways: true });
	expect(notes).toContain(
		"  This can’t be allowed: codex offers no way to allow it only once, and XWorkmate never allows anything permanently.",
	);
	expect(notes).toContain("  codex can only be told to deny this permanently.");
	expect(notes).toContain("  Answer it: npm run -s xworkmate -- approvals deny approval-1");
	expect(notes).not.toContain("approvals allow approval-1");
	expect((await answered("ask", { ...pending, deniesAlways: true })).notes).toContain(
		"  Its agent can only be told to deny this permanently.",
	);
	expect((await answered("ask", pending)).notes).not.toContain("permanently");
});
