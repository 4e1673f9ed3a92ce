import { createInterface } from "node:readline/promises";
import type { Approval, ApprovalDecision } from "@xworkmate/contracts";
import type { AppApi } from "../api/app-api.ts";
import { askedView } from "../api/asked-view.ts";
import { commandLine } from "../text/command-line.ts";
import { formatSpan } from "../text/format-measure.ts";
import { printable } from "../text/printable.ts";
import { callLine, callLines } from "./words/call-lines.ts";
import type { Console } from "./words/console.ts";
import { unappliedWords } from "./words/decision-words.ts";
import { offerWords } from "./words/grant-words.ts";

export type ApproveMode = "ask" | "all" | "none";

const keys: Readonly<Record<string, ApprovalDecision>> = { a: "allow_once", w: "allow_window", d: "deny" };

/** Answers requests for approval according to `--approve`, or asks the user on a terminal. */
export class ApprovalAnswers {
	readonly #api: AppApi;
	readonly #console: Console;
	readonly #mode: ApproveMode;
	readonly #asking = new Map<string, AbortController>();

	constructor(api: AppApi, console: Console, mode: ApproveMode) {
		this.#api = api;
		this.#console = console;
		this.#mode = mode;
	}

	/** Handles a record from the run's stream: answers a pending one; for any other, removes the question from the screen. */
	async see(approval: Approval): Promise<void> {
		this.#asking.get(approval.approvalId)?.abort();
		this.#asking.delete(approval.approvalId);
		if (approval.state !== "pending") return;
		const decision = await this.#decision(approval);
		if (decision === undefined) return;
		const { record, applied } = await this.#api.decideApproval({ approvalId: approval.approvalId, decision });
		if (!applied) this.#console.note(`· ${unappliedWords(record)}`);
	}

	async #decision(approval: Approval): Promise<ApprovalDecision | undefined> {
		if (this.#mode === "all") return approval.options.find((option) => option === "allow_once") ?? approval.options[0];
		if (this.#mode === "none") return "deny";
		this.#show(approval);
		if (this.#console.interactive) return this.#ask(approval);
		const { approvalId } = approval;
		this.#console.note(
			`  Answer it: ${commandLine(`approvals allow ${approvalId}`)}\n         or: ${commandLine(`approvals deny ${approvalId}`)}`,
		);
		const offer = offerWords(approval);
		if (offer !== undefined) this.#console.note(`  Allow ${offer}: ${commandLine(`approvals allow-window ${approvalId}`)}`);
		return undefined;
	}

	#show(approval: Approval): void {
		const call = callLine(approval);
		if (call === undefined) this.#showRequest(approval);
		else this.#showCall(approval, call);
	}

	#showRequest(approval: Approval): void {
		const { input, toolKind } = approval;
		const view = askedView(approval);
		const main = view.command ?? view.text;
		const title = view.title === undefined && main !== undefined && !main.includes("\n") ? main : (view.title ?? approval.title);
		this.#console.note(`Approval needed: ${indented(title)} (${toolKind})`);
		const line = (name: string, value: string | undefined) => value !== undefined && this.#console.note(`  ${name}: ${indented(value)}`);
		if (view.description !== undefined) this.#console.note(`  ${indented(view.description)}`);
		if (main !== undefined && main !== title) this.#console.note(`  ${indented(main)}`);
		for (const { name, value } of view.parts) line(name, value);
		line("folder", view.directory);
		line("time limit", view.limitMs === undefined ? view.limit : formatSpan(view.limitMs));
		for (const { name, value } of view.fields) line(name, value);
		if (input?.truncated === true) this.#console.note("  (Only the beginning is shown. If in doubt, deny.)");
	}

	#showCall(approval: Approval, call: string): void {
		this.#console.note(`Approval needed: ${call}`);
		for (const line of callLines(approval)) this.#console.note(line);
		const { input, approvalId } = approval;
		if (input !== undefined) this.#console.note(`  input: ${indented(input.text)}`);
		if (input?.truncated === true) this.#console.note(`  The whole input: ${commandLine(`approvals show ${approvalId}`)}`);
	}

	async #ask(approval: Approval): Promise<ApprovalDecision | undefined> {
		const abort = new AbortController();
		this.#asking.set(approval.approvalId, abort);
		const terminal = createInterface({ input: process.stdin, output: process.stderr });
		// While it asks, the terminal passes Ctrl+C to the question and not to the process.
		terminal.once("SIGINT", () => {
			this.#console.note("\n  Not answered. The request is withdrawn when the run stops.");
			abort.abort();
			process.kill(process.pid, "SIGINT");
		});
		const choices = approval.options.flatMap((option) => choiceWords(approval, option) ?? []);
		const question = `  ${choices.join(", ")}? `;
		try {
			for (;;) {
				const key = (await terminal.question(question, { signal: abort.signal })).trim().toLowerCase()[0] ?? "";
				const decision = keys[key];
				if (decision !== undefined && approval.options.includes(decision) && choiceWords(approval, decision) !== undefined) return decision;
			}
		} catch (error) {
			if (abort.signal.aborted) return undefined;
			throw error;
		} finally {
			terminal.close();
		}
	}
}

/** A choice and its key; undefined for a grant that cannot be put into words. */
function choiceWords(approval: Approval, decision: ApprovalDecision): string | undefined {
	if (decision === "allow_once") return "[a]llow once";
	if (decision === "deny") return "[d]eny";
	const offer = offerWords(approval);
	return offer === undefined ? undefined : `allow ${offer} [w]`;
}

function indented(text: string): string {
	return printable(text).replaceAll("\n", "\n  ");
}
