import type { DeliveryAction, MethodResult, Occurrence, Sha256 } from "@xworkmate/contracts";
import { canRerun, waitsForWork } from "@xworkmate/contracts/waits-for-work";
import { AppError } from "../../errors/app-error.ts";
import { WrongUsage } from "../../errors/wrong-usage.ts";
import { planCodeWords } from "../../strings/plans/plan-code-words.ts";
import { commandLine } from "../../text/command-line.ts";
import { mayHaveBeenSentLines } from "../../text/plans/may-have-been-sent.ts";
import { oneLine } from "../../text/printable.ts";
import { askKey, askText } from "../parts/ask-user.ts";
import type { Output } from "../parts/output.ts";
import { print } from "../parts/print.ts";
import { type ExitCode, exitCode } from "../words/exit-code.ts";
import { alreadyWords, namedMessages } from "./decided-already.ts";
import { findOccurrence, type NamedOccurrence } from "./find-occurrence.ts";
import { editFlag, readMessage } from "./message-file.ts";
import { idInCommand } from "./message-names.ts";
import { actionLine, occurrenceLines, previewLines, readNow, reasonLines, SHOWN_DIGITS } from "./plan-lines.ts";
import { severalMeant } from "./which-of-several.ts";

/** The flags of `xworkmate plans review`: at most one decision. Without a decision, the user is asked on the terminal. */
export interface ReviewFlags {
	readonly send?: boolean;
	/** A file with the message to send instead, or - for standard input. */
	readonly edit?: string;
	readonly rerun?: boolean;
	readonly discard?: boolean;
	/** With `discard`: all messages of the due time that are waiting, if there are several. */
	readonly all?: boolean;
	/** The hash of what was reviewed, or its first digits. */
	readonly payload?: string;
	/** True if the HTML of an email is printed too. */
	readonly html?: boolean;
}

/** Other messages of the due time may have been sent before. */
const NOTHING_SENT = "This command has sent nothing.";

type Preview = MethodResult<"xworkmate.plans.preview">;
type Decision = "send" | "edit" | "rerun" | "discard";

const keys = { s: "send", e: "edit", r: "rerun", d: "discard", l: "leave" } as const;

/** Shows what is held and why, and exactly what would be sent. Then does what the flags say, or asks the user. */
export async function reviewMessage(output: Output, id: string, flags: ReviewFlags): Promise<ExitCode> {
	if (flags.all === true && flags.discard !== true)
		throw new WrongUsage("--all only works with --discard.", "Leave out --all, and review each message by its id.");
	const found = await findOccurrence(output.api, id, held, {
		none: "Nothing in",
		words: "is waiting for your review",
		several: "are waiting for your review",
		command: "plans review",
	}).catch((error: unknown) => {
		if (error instanceof AppError && error.code === "NOTHING_WAITS") return error;
		throw error;
	});
	if (found instanceof AppError) return decidedAlready(output, id, flags, found);
	const review = new Review(output, found, flags);
	if (flags.rerun === true) return review.decide("rerun");
	const [action, second] = found.actions;
	if (second !== undefined) return review.ofSeveral();
	if (flags.discard === true) return review.decide("discard");
	if (flags.edit !== undefined) return review.edit(action, await readMessage(flags.edit));
	if (flags.send === true) return review.send(action);
	return review.show(action);
}

/** Succeeds if the same decision was made before. @throws AppError NOTHING_WAITS (`refused`) if it was not */
async function decidedAlready(
	output: Output,
	id: string,
	{ send, edit, discard, payload }: ReviewFlags,
	refused: AppError,
): Promise<ExitCode> {
	const decision = send === true ? "send" : edit !== undefined ? "edit" : discard === true ? "discard" : undefined;
	const named = decision === undefined ? undefined : await namedMessages(output.api, id, () => true);
	if (decision === undefined || named === undefined) throw refused;
	const { occurrence, actions } = named;
	const said = alreadyWords(decision, occurrence, actions, payload?.toLowerCase());
	if (said === undefined) throw refused;
	print(output, { occurrence, applied: false }, [said, ...occurrenceLines(occurrence, readNow())]);
	return exitCode.success;
}

/** The held messages of an occurrence; empty if it is held as a whole, undefined if it is not held. */
function held({ status, delivery }: Occurrence): readonly DeliveryAction[] | undefined {
	const waiting = delivery.filter((action) => action.status === "needs_review");
	return waiting.length > 0 || (status === "needs_review" && delivery.length === 0) ? waiting : undefined;
}

class Review {
	readonly #output: Output;
	readonly #found: NamedOccurrence;
	readonly #flags: ReviewFlags;

	constructor(output: Output, found: NamedOccurrence, flags: ReviewFlags) {
		this.#output = output;
		this.#found = found;
		this.#flags = flags;
	}

	/**
	 * If several messages are held, each has to be reviewed on its own, but `--discard --all` discards all of them, and a hash given with
	 * `--send` says which one to send.
	 * @throws AppError SEVERAL_WAIT for `--edit`, and for `--discard` without `--all`
	 */
	async ofSeveral(): Promise<ExitCode> {
		const { occurrence, actions } = this.#found;
		const { send, edit, discard, all, payload } = this.#flags;
		const command = "plans review";
		if (discard === true) {
			if (all === true) return this.decide("discard");
			const orAll = `To discard all of them: ${this.#command(undefined, "--discard --all")}`;
			throw severalMeant(occurrence, actions, { what: "Say which of these messages to discard", command, flags: "--discard", orAll });
		}
		if (edit !== undefined)
			throw severalMeant(occurrence, actions, { what: "Say which of these messages to edit", command, flags: editFlag(edit) });
		if (send !== true || payload === undefined) return this.#listAll(send === true ? [NOTHING_SENT] : []);
		const previews = await Promise.all(actions.map(async (action) => ({ action, preview: await this.#preview(action) })));
		const [first, second] = previews.filter(({ preview }) => preview?.payloadHash.startsWith(payload.toLowerCase()));
		if (first?.preview !== undefined && second === undefined) return this.decide("send", first.action, first.preview.payloadHash);
		this.#listAll([`${first === undefined ? "No message has" : "Several messages have"} that hash. Nothing was sent.`]);
		return exitCode.beforeRun;
	}

	#listAll(said: readonly string[]): ExitCode {
		const { occurrence, actions } = this.#found;
		if (this.#output.json) print(this.#output, { occurrence }, []);
		else this.#say([...actions.flatMap((action) => [...this.#reason(action), `  Review it: ${this.#command(action, "")}`]), ...said]);
		return exitCode.needsReview;
	}

	async show(action: DeliveryAction | undefined): Promise<ExitCode> {
		const { console, json } = this.#output;
		const preview = await this.#preview(action);
		if (json) {
			print(this.#output, { occurrence: this.#found.occurrence, ...(preview !== undefined && { preview }) }, []);
			return exitCode.needsReview;
		}
		this.#say([...this.#reason(action), ...this.#shown(preview)]);
		if (!console.canAsk) {
			this.#say(this.#commands(action, preview));
			return exitCode.needsReview;
		}
		const rerun = this.#canRerun ? ["[r]un again"] : [];
		const choices = ["[d]iscard", ...rerun, ...(action === undefined ? [] : ["[e]dit"]), ...(preview === undefined ? [] : ["[s]end"])];
		const key = await askKey(`${[...choices.reverse(), "[l]eave it"].join(", ")}? `, Object.keys(keys));
		const decision = keys[key as keyof typeof keys] ?? "leave";
		const isOffered = (decision !== "send" || preview !== undefined) && (decision !== "rerun" || this.#canRerun);
		if (decision === "leave" || !isOffered) return exitCode.needsReview;
		if (decision === "edit") return this.#editOnTerminal(action);
		return this.decide(decision, action, preview?.payloadHash);
	}

	/** Sends what was reviewed, which `--payload` identifies. */
	async send(action: DeliveryAction | undefined): Promise<ExitCode> {
		const preview = await this.#preview(action);
		if (preview === undefined) {
			const fix =
				action === undefined
					? `To see the review: ${this.#command(action, "")}`
					: `Write one: ${this.#command(action, "--edit message.md")}`;
			throw new AppError("INVALID_INPUT", "There is no message to send.", fix);
		}
		return this.#sendLookedAt("send", action, preview);
	}

	async edit(action: DeliveryAction | undefined, content: string): Promise<ExitCode> {
		const preview = await this.#preview(action, content);
		if (preview === undefined)
			throw new AppError("INVALID_INPUT", "There is no message to edit.", `To see the review: ${this.#command(action, "")}`);
		return this.#sendLookedAt("edit", action, preview, content);
	}

	async decide(decision: Decision, action?: DeliveryAction, payloadHash?: Sha256, content?: string): Promise<ExitCode> {
		const { occurrence, actions } = this.#found;
		const one = action ?? (actions.length === 1 ? actions[0] : undefined);
		const { occurrence: now, applied } = await this.#output.api.reviewMessage({
			...{ occurrenceId: occurrence.occurrenceId, revision: occurrence.revision, decision },
			...(one !== undefined && decision !== "rerun" && { actionId: one.actionId }),
			...(payloadHash !== undefined && { payloadHash }),
			...(content !== undefined && { content }),
		});
		const asked = now.delivery.filter(({ actionId }) => one === undefined || actionId === one.actionId);
		const already = applied || decision === "rerun" ? undefined : alreadyWords(decision, now, asked, payloadHash);
		const said = applied
			? decision === "discard" && asked.length > 1
				? "Discarded. They will not be sent."
				: doneWords[decision]
			: (already ?? "Something changed in the meantime, so your decision was not applied. The current state:");
		const follow = applied && decision !== "discard" ? [`  Follow it: ${commandLine(`plans watch ${now.occurrenceId}`)}`] : [];
		print(this.#output, { occurrence: now, applied }, [said, ...occurrenceLines(now, readNow()), ...follow]);
		return applied || already !== undefined ? exitCode.success : exitCode.beforeRun;
	}

	async #sendLookedAt(
		decision: "send" | "edit",
		action: DeliveryAction | undefined,
		preview: Preview,
		content?: string,
	): Promise<ExitCode> {
		const { payload } = this.#flags;
		if (payload !== undefined && preview.payloadHash.startsWith(payload.toLowerCase()))
			return this.decide(decision, action, preview.payloadHash, content);
		this.#say([...this.#reason(action, content !== undefined), ...this.#shown(preview)]);
		const changed = payload === undefined ? NOTHING_SENT : "The message does not have that hash. Nothing was sent.";
		const how = decision === "send" ? "--send" : editFlag(this.#flags.edit ?? "-");
		this.#say([changed, `Send exactly this: ${this.#command(action, `${how} --payload ${preview.payloadHash.slice(0, SHOWN_DIGITS)}`)}`]);
		return payload === undefined ? exitCode.needsReview : exitCode.beforeRun;
	}

	async #editOnTerminal(action: DeliveryAction | undefined): Promise<ExitCode> {
		const content = await askText("Write the message, then press Ctrl+D on a new line:\n");
		const preview = await this.#preview(action, content);
		if (preview === undefined) return exitCode.needsReview;
		this.#say(this.#shown(preview));
		if ((await askKey("[s]end this, [l]eave it? ", ["s", "l"])) !== "s") return exitCode.needsReview;
		return this.decide("edit", action, preview.payloadHash, content);
	}

	/** Undefined if there is no message: the gate refused it, or the occurrence is held as a whole. */
	async #preview(action: DeliveryAction | undefined, content?: string): Promise<Preview | undefined> {
		const { occurrence } = this.#found;
		if (action === undefined) return undefined;
		if (content === undefined && action.content === undefined && occurrence.deliverable === undefined) return undefined;
		const { occurrenceId } = occurrence;
		return this.#output.api.previewMessage({ occurrenceId, actionId: action.actionId, ...(content !== undefined && { content }) });
	}

	/** Why a message is held. `isRewritten`: true if the user replaces the text, so that reasons about the earlier text are left out. */
	#reason(action: DeliveryAction | undefined, isRewritten = false): readonly string[] {
		const { plan, occurrence } = this.#found;
		if (action === undefined) return [oneLine(plan.title, 200), ...occurrenceLines(occurrence, readNow())];
		const reasons = isRewritten && isOfText(action) ? mayHaveBeenSentLines(action) : reasonLines(action);
		return [oneLine(plan.title, 200), actionLine(action, readNow()), ...reasons.map((line) => `  ${line}`)];
	}

	#shown(preview: Preview | undefined): readonly string[] {
		if (preview === undefined) return ["There is no message yet, so nothing can be sent."];
		return ["This is exactly what would be sent:", ...previewLines(preview.parts, preview.lint, this.#flags.html === true)];
	}

	#commands(action: DeliveryAction | undefined, preview: Preview | undefined): readonly string[] {
		const canSend =
			action?.code === undefined || planCodeWords[action.code].actions.some((each) => each === "send" || each === "send_anyway");
		const send =
			preview === undefined ? [] : [`Send it: ${this.#command(action, `--send --payload ${preview.payloadHash.slice(0, SHOWN_DIGITS)}`)}`];
		return [
			...(canSend ? send : []),
			...(action === undefined ? [] : [`Write it yourself: ${this.#command(action, "--edit message.md")}`]),
			...(this.#canRerun ? [`Run the work again${this.#forAll}: ${this.#command(action, "--rerun")}`] : []),
			`Discard it: ${this.#command(action, "--discard")}`,
		];
	}

	get #canRerun(): boolean {
		return canRerun(this.#found.plan, this.#found.occurrence);
	}

	/** Says that a rerun applies to all messages that share the work, even if only one is named; empty if there is only one. */
	get #forAll(): string {
		const count = this.#found.occurrence.delivery.filter(waitsForWork).length;
		return count > 1 ? `, for all ${count} messages that are waiting for it` : "";
	}

	#command(action: DeliveryAction | undefined, flags: string): string {
		return commandLine(`plans review ${idInCommand(this.#found.occurrence, action)} ${flags}`.trim());
	}

	#say(lines: readonly string[]): void {
		for (const line of lines) this.#output.console.line(line);
	}
}

const doneWords: Readonly<Record<Decision, string>> = {
	send: "Your decision to send the message, exactly as it was shown, was recorded.",
	edit: "Your decision to send your text, exactly as it was shown, was recorded.",
	rerun: "The work will be done again.",
	discard: "Discarded. It will not be sent.",
};

/** True if a message is held because of its text. */
function isOfText({ code }: DeliveryAction): boolean {
	return code !== undefined && (/^(?:GATE|LINT)_/.test(code) || code === "UNVERIFIED_CLAIM" || code === "DUPLICATE_CONTENT");
}
