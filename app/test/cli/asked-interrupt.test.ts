import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { until } from "../support/until.ts";

const SCRIPT = "/usr/bin/script";
const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
const program = `
	import { ApprovalAnswers } from ${url("../../src/cli/approval-answers.ts")};
	import { terminalConsole } from ${url("../../src/cli/words/console.ts")};
	const at = "2026-01-01T00:00:00.000Z";
	const approval = {
		...{ approvalId: "a1", runId: "run-1", threadId: "t", title: "Build", toolKind: "execute", inputHash: "0".repeat(64) },
		...{ options: ["allow_once", "deny"], requestedAt: at, expiresAt: at, state: "pending" },
	};
	const decideApproval = async ({ decision }) => void process.stdout.write("decided " + decision);
	const interrupted = new Promise((resolve) => process.once("SIGINT", resolve));
	setInterval(() => undefined, 1_000);
	await new ApprovalAnswers({ decideApproval }, terminalConsole(process.env), "ask").see(approval);
	await interrupted;
	process.stdout.write("interrupted");
	process.exit();
`;

// A terminal of its own is needed: script gives one.
it.runIf(existsSync(SCRIPT))("Ctrl+C at the question reaches the command, and answers nothing", async () => {
	const command = `'${process.execPath}' --input-type=module --eval "$PROGRAM"`;
	const child = spawn(SCRIPT, ["-qec", command, "/dev/null"], { env: { ...process.env, PROGRAM: program }, stdio: "pipe" });
	let shown = "";
	child.stdout.on("data", (data: Buffer) => {
		shown += data.toString();
	});
	const ended = new Promise((resolve) => child.once("exit", resolve));
	await until("the question", () => shown.includes("[d]eny? "));
	child.stdin.write("\u0003");
	await ended;
	expect(shown).toContain("Not answered. The request is withdrawn when the run stops.");
	expect(shown).toContain("interrupted");
	expect(shown).not.toContain("decided");
});
