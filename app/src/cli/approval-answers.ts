import { createInterface } from "node:readline/promises";
import type { Approval, ApprovalDecision } from "@xworkmate/contracts";
import { commandLine } from "../command-line.ts";
import type { AppApi } from "../core/app-api.ts";
import type { Console } from "./console.ts";
import { decisionWords } from "./decision-words.ts";
import { printable } from "./printable.ts";

export type ApproveMode = "ask" | "all" | "none";

const keys: Readonly<Record<string, ApprovalDecision>> = { a: "allow_once", w: "allow_window", d: "deny" };
const words: Readonly<Record<ApprovalDecision, string>> = {
	allow_once: "[a]llow once",
	allow_window: "allow for 15 minutes [w]",
	deny: "[d]eny",
};

/** Answers requests for approval as `--approve` says; asks the user on a terminal. */
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

	/** A record of the run's stream: a pending one is answered, any other ends the question on screen. */
	async see(approval: Approval): Promise<void> {
		this.#asking.get(approval.approvalId)?.abort();
		this.#asking.delete(approval.approvalId);
		if (approval.state !== "pending") return;
		const decision = await this.#decision(approval);
		if (decision === undefined) return;
		const { record, applied } = await this.#api.decideApproval(approval.approvalId, decision);
		if (!applied) this.#console.note(`· already answered elsewhere: ${decisionWords(record)}`);
	}

	async #decision(approval: Approval): Promise<ApprovalDecision | undefined> {
		if (this.#mode === "all") return approval.options.find((option) => option === "allow_once") ?? approval.options[0];
		if (this.#mode === "none") return "deny";
		this.#show(approval);
		if (this.#console.interactive) return this.#ask(approval);
		this.#console.note(
			`  Answer it: ${commandLine(`approvals allow ${approval.approvalId}`)}\n         or: ${commandLine(`approvals deny ${approval.approvalId}`)}`,
		);
		return undefined;
	}

	#show(approval: Approval): void {
		this.#console.note(`Approval needed: ${printable(approval.title)} (${approval.toolKind})`);
		if (approval.input === undefined) return;
		const cut = approval.input.truncated ? "\n  (Only the beginning is shown. If in doubt, deny.)" : "";
		this.#console.note(`  ${printable(approval.input.text).replaceAll("\n", "\n  ")}${cut}`);
	}

	async #ask(approval: Approval): Promise<ApprovalDecision | undefined> {
		const abort = new AbortController();
		this.#asking.set(approval.approvalId, abort);
		const terminal = createInterface({ input: process.stdin, output: process.stderr });
		const question = `  ${approval.options.map((option) => words[option]).join(", ")}? `;
		try {
			for (;;) {
				const key = (await terminal.question(question, { signal: abort.signal })).trim().toLowerCase()[0] ?? "";
				const decision = keys[key];
				if (decision !== undefined && approval.options.includes(decision)) return decision;
			}
		} catch (error) {
			if (abort.signal.aborted) return undefined;
			throw error;
		} finally {
			terminal.close();
		}
	}
}
