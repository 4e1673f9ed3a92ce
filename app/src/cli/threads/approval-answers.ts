import type { Approval, ApprovalDecision, ApprovalId } from "@xworkmate/contracts";
import { errorMessage } from "@xworkmate/platform/errors";
import type { AppApi } from "../../api/app-api.ts";
import { hasCode } from "../../errors/has-code.ts";
import { askedView, isCalledOtherwise, namedCall, requestSubject } from "../../text/calls/asked-view.ts";
import { commandLine } from "../../text/command-line.ts";
import { formatSpan } from "../../text/format-measure.ts";
import { localTime } from "../../text/local-time.ts";
import { printable, revealed } from "../../text/printable.ts";
import { Questions } from "../parts/ask-user.ts";
import type { Console } from "../parts/console.ts";
import { calledLine, changeName, saysName } from "../words/requests/asked-lines.ts";
import { callLine, callLines } from "../words/requests/call-lines.ts";
import { unappliedWords } from "../words/requests/decision-words.ts";
import { limitLines, offerWords } from "../words/requests/grant-words.ts";

export type ApproveMode = "ask" | "all" | "none";

const keys: Readonly<Record<string, ApprovalDecision>> = { a: "allow_once", w: "allow_window", d: "deny" };

export interface ApprovalAnswersParts {
	readonly console: Pick<Console, "note" | "asking">;
	readonly mode: ApproveMode;
	/** Whether the user can be asked on a terminal. */
	readonly canAsk: boolean;
	/** Sends an answer to the app that owns the home now. */
	readonly decide: AppApi["decideApproval"];
}

/** Answers requests for approval according to `--approve`, or asks the user on a terminal, about one request at a time. */
export class ApprovalAnswers implements Disposable {
	readonly #parts: ApprovalAnswersParts;
	/** The requests that the user is being asked about or will be asked about, in order. */
	readonly #asked = new Map<ApprovalId, AbortController>();
	/** Resolves when each question so far has been answered or dropped. */
	#turn = Promise.resolve();
	#questions: Questions | undefined;
	#isInterrupted = false;

	constructor(parts: ApprovalAnswersParts) {
		this.#parts = parts;
	}

	/**
	 * Answers a pending request, asks about it, or says how to answer it. Resolves once the request has been answered or dropped, or the user
	 * has been told how to answer it.
	 */
	async see(approval: Approval): Promise<void> {
		const { mode, canAsk } = this.#parts;
		this.drop(approval.approvalId);
		if (approval.state !== "pending") return;
		if (mode === "none") return await this.#send(approval, "deny");
		if (mode === "all") {
			const { options } = approval;
			const decision = options.find((option) => option === "allow_once") ?? options.find((option) => option !== "deny");
			if (decision !== undefined) return await this.#send(approval, decision);
			// The request can only be denied, and `--approve all` does not ask for that, so the user decides.
		}
		if (!canAsk || this.#isInterrupted) {
			this.#show(approval);
			if (mode === "all") this.#sayUntilWhen(approval);
			this.#sayHow(approval);
			return;
		}
		const drop = new AbortController();
		this.#asked.set(approval.approvalId, drop);
		this.#turn = this.#turn.then(() => this.#ask(approval, drop));
		await this.#turn;
	}

	/** Drops the question about a request that is no longer waiting. */
	drop(approvalId: ApprovalId): void {
		this.#asked.get(approvalId)?.abort();
		this.#asked.delete(approvalId);
	}

	/** Drops every question. */
	[Symbol.dispose](): void {
		for (const drop of this.#asked.values()) drop.abort();
		this.#asked.clear();
		this.#close();
	}

	/** Asks about a request, unless it was decided or withdrawn while another question was open. */
	async #ask(approval: Approval, drop: AbortController): Promise<void> {
		const { approvalId } = approval;
		const dropped = drop.signal;
		if (dropped.aborted) return;
		const choices = choicesOf(approval);
		this.#show(approval);
		const others = this.#asked.size - 1;
		if (others > 0)
			this.#parts.console.note(`  ${others === 1 ? "1 more request is" : `${others} more requests are`} waiting after this one.`);
		const questions = this.#questions ?? new Questions(() => this.#interrupt());
		this.#questions = questions;
		const question = `  ${[...choices.values()].map(({ words }) => words).join(", ")}? `;
		const release = this.#parts.console.asking(() => questions.redraw());
		// The console is released as soon as the request is dropped, because a line about the decision follows.
		dropped.addEventListener("abort", release);
		// If the terminal fails, the request stays unanswered.
		const key = await questions.ask(question, [...choices.keys()], dropped).catch(() => undefined);
		release();
		if (!dropped.aborted) {
			const choice = choices.get(key ?? "");
			if (choice !== undefined) await this.#send(approval, choice.decision);
			else {
				this.#close();
				this.#parts.console.note("\n  Not answered.");
				this.#sayHow(approval);
			}
			if (this.#asked.get(approvalId) === drop) this.#asked.delete(approvalId);
		}
		if (this.#asked.size === 0) this.#close();
	}

	#close(): void {
		this.#questions?.[Symbol.dispose]();
		this.#questions = undefined;
	}

	/** Drops the questions and passes Ctrl+C on to the process. While a question is open, the terminal passes it only to the question. */
	#interrupt(): void {
		const what = this.#asked.size === 1 ? "The request is" : "The requests are";
		this.#isInterrupted = true;
		this[Symbol.dispose]();
		this.#parts.console.note(`  Not answered. ${what} withdrawn when the run stops.`);
		process.kill(process.pid, "SIGINT");
	}

	/**
	 * Sends an answer. If that fails, the request may still be waiting, so the user is told how to answer it. The app's own errors say whether
	 * the answer was sent.
	 */
	async #send(approval: Approval, decision: ApprovalDecision): Promise<void> {
		const { console, decide } = this.#parts;
		try {
			const { record, applied } = await decide({ approvalId: approval.approvalId, decision });
			if (!applied) console.note(`· ${unappliedWords(record)}`);
		} catch (error) {
			const isKnown = hasCode(error, "ANSWER_NOT_SENT") || hasCode(error, "ANSWER_UNCONFIRMED");
			console.note(`· ${isKnown ? "" : "Your answer wasn't confirmed: "}${printable(errorMessage(error))}`);
			this.#sayHow(approval);
		}
	}

	/** Says how long the run waits. With `--approve all`, the user does not expect a request that it can't allow. */
	#sayUntilWhen({ expiresAt }: Approval): void {
		const until = localTime(expiresAt, Date.now());
		this.#parts.console.note(
			`  --approve all can't allow this request. The run waits until you deny the request or it expires (${until}).`,
		);
	}

	#sayHow(approval: Approval): void {
		const { console } = this.#parts;
		const { approvalId, options } = approval;
		const answers = (["allow", "deny"] as const).filter((answer) => answer === "deny" || options.includes("allow_once"));
		const commands = answers.map((answer) => commandLine(`approvals ${answer} ${approvalId}`));
		console.note(`  Answer it: ${commands.join("\n         or: ")}`);
		const offer = offerWords(approval);
		if (offer !== undefined) console.note(`  Allow ${offer}: ${commandLine(`approvals allow-window ${approvalId}`)}`);
	}

	#show(approval: Approval): void {
		const call = callLine(approval);
		if (call === undefined) this.#showRequest(approval);
		else this.#showCall(approval, call);
		for (const line of limitLines(approval)) this.#parts.console.note(line);
	}

	#showRequest(approval: Approval): void {
		const { input, proposed, says } = approval;
		const view = askedView(approval);
		const main = view.command ?? view.text;
		const head = main === undefined || main.includes("\n") || (view.command === undefined && view.title) ? requestSubject(approval) : main;
		this.#parts.console.note(`Approval needed: ${indented(head)} (${namedCall(approval).toolKind})`);
		const line = (name: string, value: string | undefined) =>
			value !== undefined && this.#parts.console.note(`  ${name}: ${indented(value)}`);
		if (view.description !== undefined) this.#parts.console.note(`  the agent says: ${indented(view.description)}`);
		if (main !== undefined && main !== head) this.#parts.console.note(`  ${indented(main)}`);
		for (const { name, value } of view.parts) line(name, value);
		line(changeName, proposed?.text);
		line(saysName, says?.text);
		line("folder", view.directory);
		for (const file of approval.alsoNamed ?? []) line("also mentions", file);
		line("time limit", view.limitMs === undefined ? view.limit : formatSpan(view.limitMs));
		for (const { name, value } of view.fields) line(name, value);
		if (isCalledOtherwise(view)) this.#parts.console.note(`  ${calledLine(view)}`);
		if ([input, proposed, says].some((preview) => preview?.truncated === true))
			this.#parts.console.note("  (Only the beginning is shown. If in doubt, deny.)");
	}

	#showCall(approval: Approval, call: string): void {
		this.#parts.console.note(`Approval needed: ${call}`);
		for (const line of callLines(approval)) this.#parts.console.note(line);
		const { input, approvalId } = approval;
		if (input !== undefined) this.#parts.console.note(`  input: ${indented(input.text)}`);
		if (input?.truncated === true) this.#parts.console.note(`  The whole input: ${commandLine(`approvals show ${approvalId}`)}`);
	}
}

/** The answers that the user can give, by their keys. */
function choicesOf(approval: Approval): ReadonlyMap<string, { readonly decision: ApprovalDecision; readonly words: string }> {
	return new Map(
		Object.entries(keys).flatMap(([key, decision]) => {
			const words = approval.options.includes(decision) ? choiceWords(approval, decision) : undefined;
			return words === undefined ? [] : [[key, { decision, words }] as const];
		}),
	);
}

/** A choice and its key; undefined for a grant that cannot be put into words. */
function choiceWords(approval: Approval, decision: ApprovalDecision): string | undefined {
	if (decision === "allow_once") return "[a]llow once";
	if (decision === "deny") return "[d]eny";
	const offer = offerWords(approval);
	return offer === undefined ? undefined : `allow ${offer} [w]`;
}

function indented(text: string): string {
	return revealed(text).replaceAll("\n", "\n  ");
}
