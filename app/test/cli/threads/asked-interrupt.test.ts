import { describe, expect, it } from "vitest";
import { hasTerminals, inTerminal } from "../../support/terminal.ts";
import { until } from "../../support/until.ts";

const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
/** Asks about the requests a1 and a2, and reports what was decided, how often Ctrl+C arrived, and that the questions have ended. */
const program = `
	import { ApprovalAnswers } from ${url("../../../src/cli/threads/approval-answers.ts")};
	import { terminalConsole } from ${url("../../../src/cli/parts/console.ts")};
	const at = "2026-01-01T00:00:00.000Z";
	const approval = (approvalId) => ({
		...{ approvalId, runId: "run-1", threadId: "t", title: "Build " + approvalId, toolKind: "execute", inputHash: "0".repeat(64) },
		...{ options: ["allow_once", "deny"], requestedAt: at, expiresAt: at, state: "pending" },
	});
	const say = (text) => void process.stdout.write("<" + text + ">\\n");
	const decide = async ({ approvalId, decision }) => {
		say(approvalId + " " + decision);
		return { applied: true };
	};
	let interrupts = 0;
	process.on("SIGINT", () => say("interrupt " + ++interrupts));
	setInterval(() => undefined, 1_000);
	const console = terminalConsole(process.env);
	const answers = new ApprovalAnswers({ console, mode: "ask", canAsk: console.canAsk, decide });
	process.on("SIGUSR2", () => answers.drop("a1"));
	process.on("SIGUSR1", () => {
		console.status("still working");
		console.note("a note");
	});
	say("process " + process.pid);
	const seen = ["a1", "a2"].map((id) => answers.see(approval(id)));
	await Promise.all(seen);
	say("dealt with, " + (process.stdin.isPaused() ? "the terminal is free" : "still reading"));
`;

const terminal = (shell?: string) => inTerminal(program, shell);

describe.runIf(hasTerminals)("two requests on a terminal", () => {
	it("Ctrl+C at the question reaches the command once, and answers nothing", async () => {
		await using asked = terminal();
		await asked.untilShown("[d]eny? ");
		asked.type("\u0003");
		await asked.untilShown("<interrupt 1>");
		await asked.untilShown("<dealt with, the terminal is free>");
		expect(asked.shown).toContain("Not answered. The requests are withdrawn when the run stops.");
		expect(asked.shown).not.toMatch(/<a\d |interrupt 2/);
		expect(asked.questions()).toBe(1);
	});

	it("are asked about one after the other, and a key answers only the one that is shown", async () => {
		await using asked = terminal();
		await asked.untilShown("[d]eny? ");
		expect(asked.shown).toContain("1 more request is waiting after this one.");
		expect(asked.shown).not.toContain("Approval needed: Build a2");
		// The second line is typed before the second question is shown.
		asked.type("a\na\n");
		await asked.untilShown("Approval needed: Build a2");
		await until("the second question", () => asked.questions() === 2);
		expect(asked.shown).not.toContain("<a2 ");
		asked.type("d\n");
		await asked.untilShown("<dealt with, the terminal is free>");
		expect(asked.shown.match(/<a\d \w+>/g)).toEqual(["<a1 allow_once>", "<a2 deny>"]);
	});

	it("the question stays on the screen, below whatever is printed while it is open", async () => {
		await using asked = terminal();
		await asked.untilShown("[d]eny? ");
		asked.signal("SIGUSR1");
		await until("the question again", () => asked.questions() === 2);
		expect(asked.shown.slice(asked.shown.indexOf("a note"))).toContain("[a]llow once, [d]eny? ");
		expect(asked.shown).not.toContain("still working");
	});

	it("are asked about no longer once they were answered elsewhere, and the next is asked about", async () => {
		await using asked = terminal();
		await asked.untilShown("[d]eny? ");
		asked.signal("SIGUSR2");
		await until("the second question", () => asked.questions() === 2);
		asked.type("a\n");
		await asked.untilShown("<dealt with, the terminal is free>");
		expect(asked.shown.match(/<a\d \w+>/g)).toEqual(["<a2 allow_once>"]);
	});

	it("that end without an answer say how to answer them, each", async () => {
		await using asked = terminal();
		for (const count of [1, 2]) {
			await until("a question", () => asked.questions() === count);
			asked.type("\u0004");
		}
		await asked.untilShown("<dealt with, the terminal is free>");
		for (const id of ["a1", "a2"]) expect(asked.shown).toContain(`approvals allow ${id}`);
		expect(asked.shown).not.toMatch(/<a\d /);
	});

	it("are not asked about if the input is no terminal, and nothing of it is taken for an answer", async () => {
		await using asked = terminal("<<'LINES'\nallow the others\nagain\nLINES");
		await asked.untilShown("<dealt with, ");
		expect(asked.questions()).toBe(0);
		for (const id of ["a1", "a2"]) expect(asked.shown).toContain(`approvals deny ${id}`);
		expect(asked.shown).not.toMatch(/<a\d /);
	});
});
