import { type DeliveryAction, findingWords, formatBytes, type Occurrence, type PayloadPart, type Plan } from "@xworkmate/contracts";
import { hasArrived } from "@xworkmate/contracts/has-arrived";
import { isAlsoHeld } from "@xworkmate/contracts/is-also-held";
import { canRerun } from "@xworkmate/contracts/waits-for-work";
import type { OwnerWords } from "../../../ports/channels/owner-words.ts";
import { type PostFile, threadLink, twelveDigits } from "./answer-plan.ts";
import type { Button } from "./approval-plan.ts";
import { fencedText, messageWords, plainWords } from "./escape-text.ts";
import { POST_LENGTH } from "./split-text.ts";

/** The action that a button below the post of a waiting message requests. */
export type ReviewVerb = "send" | "discard" | "rerun" | "sent" | "not_sent";

/** A message that is waiting for the user's decision, and everything that its post is written from. */
export interface Waiting {
	readonly occurrence: Occurrence;
	readonly action: DeliveryAction;
	readonly plan: Pick<Plan, "title" | "threadId" | "instructions" | "work">;
	/** Exactly what would be sent. Absent if nothing is to be sent, or if the message may have left already. */
	readonly preview?: { readonly payloadHash: string; readonly parts: readonly PayloadPart[] } | undefined;
	readonly appUrl?: string | undefined;
	/** The words for the recipient of Discord messages that name none. */
	readonly discordOwner: OwnerWords;
}

export interface ReviewPlan {
	readonly content: string;
	readonly file?: PostFile;
	readonly buttons: readonly Button[];
}

/**
 * The number of digits of a hash that are used: enough that no two messages are expected to share them, and few enough for a button's id.
 */
const HASH_DIGITS = 16;
const WORDS_LENGTH = 400;
const RESTORED =
	"**It may have been sent already**: a backup was restored, and what was sent after the backup was made is not known. Check whether it arrived before you send it.";
/** The names of channels inside a sentence. */
const channelNames: Readonly<Record<DeliveryAction["channel"], string>> = {
	email: "email",
	whatsapp: "WhatsApp",
	discord: "Discord",
	dashboard: "the inbox",
};
const looks: Readonly<Record<ReviewVerb, Pick<Button, "label" | "style">>> = {
	send: { label: "Send", style: "primary" },
	rerun: { label: "Run again", style: "secondary" },
	discard: { label: "Discard", style: "danger" },
	sent: { label: "It arrived", style: "secondary" },
	not_sent: { label: "It didn't arrive", style: "secondary" },
};

/** A message that is waiting for the user, as a post: the reason, exactly what would be sent, and buttons that carry none of its text. Pure. */
export function planReview(waiting: Waiting): ReviewPlan {
	const { preview } = waiting;
	const buttons = verbsOf(waiting).map((verb) => ({ ...looks[verb], customId: customIdOf(verb, waiting) }));
	const head = headLines(waiting);
	const foot = footLines(waiting);
	const text = preview === undefined ? undefined : textOf(preview.parts);
	if (text === undefined) return { content: [...head, ...foot].join("\n"), buttons };
	const shown = fencedText(text);
	const inline = shown === undefined ? undefined : [...head, shown, ...foot].join("\n");
	if (inline !== undefined && inline.length <= POST_LENGTH) return { content: inline, buttons };
	return { content: [...head, "The whole text is attached.", ...foot].join("\n"), file: { name: "message.txt", data: text }, buttons };
}

/** What a post says once it can no longer be answered: the current state of its message. Pure. */
export function planReviewOutcome(
	action: DeliveryAction,
	occurrence: Pick<Occurrence, "status">,
	title: string,
	discordOwner: OwnerWords,
): string {
	const outcome = reviewOutcomeWords(action, occurrence);
	return [`**${outcome}**: ${placeWords(action, discordOwner)}, ${plainWords(title)}`, ...laterLines(action)].join("\n");
}

/** The channel's last report after the outcome was recorded, such as that the message arrived after all. Pure. */
export function laterLines({ later = [] }: DeliveryAction): readonly string[] {
	return later.slice(-1).map(({ message }) => plainWords(message, WORDS_LENGTH));
}

/** The state of a message, for a user who pressed too late. Pure. */
export function reviewOutcomeWords(action: DeliveryAction, occurrence: Pick<Occurrence, "status">): string {
	const { status, code, settledBy } = action;
	const said = settledBy === undefined ? "" : ", as you recorded";
	switch (status) {
		case "completed":
			return `Sent${said}`;
		case "pending":
			// After "Run again", nothing can be sent until the work has written a new text, which may need review again.
			return occurrence.status === "running" ? "The work is being done again" : "It will be sent as soon as possible";
		case "sending":
			return "It is being sent";
		case "needs_review":
			return "Waiting for you";
		case "unknown":
			return "Unknown whether it arrived";
		case "failed":
			if (hasArrived(action)) return "Delivered";
			return code === "DISCARDED" ? "Discarded" : code === "CANCELLED" ? "Cancelled" : `Not sent${said}`;
	}
}

/** The action that a button requests; undefined for any other id. Pure. */
export function readReviewId(customId: string):
	| {
			readonly verb: ReviewVerb;
			readonly actionId: string;
			readonly occurrenceId: string;
			readonly revision: number;
			readonly hash: string;
	  }
	| undefined {
	const [, verb, actionId, revision, hash = ""] =
		/^m-(send|discard|rerun|sent|not_sent):([A-Za-z0-9][A-Za-z0-9_-]{0,63}):([1-9]\d{0,8}):([0-9a-f]{16})?$/.exec(customId) ?? [];
	if (verb === undefined || actionId === undefined || !isVerb(verb)) return undefined;
	return { verb, actionId, occurrenceId: actionId.replace(/-\d+$/, ""), revision: Number(revision), hash };
}

function isVerb(text: string): text is ReviewVerb {
	return Object.hasOwn(looks, text);
}

function customIdOf(verb: ReviewVerb, { action, occurrence, preview }: Waiting): string {
	return `m-${verb}:${action.actionId}:${occurrence.revision}:${(preview?.payloadHash ?? "").slice(0, HASH_DIGITS)}`;
}

function verbsOf({ action, occurrence, plan, preview }: Waiting): readonly ReviewVerb[] {
	if (action.status === "unknown") return ["sent", "not_sent"];
	return [...(preview === undefined ? [] : ["send" as const]), ...(canRerun(plan, occurrence) ? ["rerun" as const] : []), "discard"];
}

const alsoHeldWords = {
	UNVERIFIED_CLAIM: "It was also held because it said that something was done, and nothing confirmed it.",
	WORK_UNVERIFIED: "It was also held because the work couldn't be verified.",
} as const;

function headLines({ action, occurrence, plan, discordOwner }: Waiting): readonly string[] {
	const { message, fix, code = "", lint = [], mayHaveBeenSent } = action;
	const isUnknown = action.status === "unknown";
	const gate = occurrence.gate?.valid === false && code.startsWith("GATE_") ? occurrence.gate : undefined;
	// The gate's own message calls the agent a brain, and programs depend on that text. The user is shown this sentence instead.
	const declined = gate?.reason === "declined" ? "The agent declined to write this message." : undefined;
	const found = lint.map(findingWords).join("; ");
	const why =
		declined ??
		message ??
		gate?.words ??
		(found === "" ? "It must be reviewed first." : `It wasn't sent, because the checks found something in its text: ${found}.`);
	return [
		`**${isUnknown ? "A message may not have arrived" : "A message needs your review"}**: ${plainWords(plan.title)}`,
		placeWords(action, discordOwner),
		messageWords(code, why, WORDS_LENGTH),
		...(fix === undefined ? [] : [plainWords(fix, WORDS_LENGTH)]),
		...alsoHeldLines(action),
		...(mayHaveBeenSent === true && !isUnknown ? [RESTORED] : []),
		...(isUnknown ? ["Check whether it arrived, then choose. It is never sent again automatically."] : []),
	];
}

/** What speaks against the message besides the reason that its code names, because the user may send it from this post. */
function alsoHeldLines(action: DeliveryAction): readonly string[] {
	const { heldFor = [], doubt } = action;
	const reasons = heldFor.flatMap((one) => (isAlsoHeld(action, one) ? [one] : []));
	return reasons.map((one) =>
		one === "WORK_UNVERIFIED" && doubt !== undefined ? `${alsoHeldWords[one]} ${plainWords(doubt, WORDS_LENGTH)}` : alsoHeldWords[one],
	);
}

function footLines({ action, preview, plan: { threadId }, appUrl }: Waiting): readonly string[] {
	const link = threadLink(threadId, appUrl);
	const page = action.status === "unknown" ? link : `To edit the message, use XWorkmate.${link === "" ? "" : ` ${link}`}`;
	const files = preview?.parts.filter(({ kind }) => kind === "file") ?? [];
	const names = files.map(({ name = "a file", bytes }) => `${plainWords(name, 60)} (${formatBytes(bytes)})`).join(", ");
	return [
		...(files.length === 0 ? [] : [`-# With ${plural(files.length)}: ${names.slice(0, WORDS_LENGTH).replace(/\\$/, "")}`]),
		...(preview === undefined ? [] : [`-# This is exactly what will be sent, hash ${twelveDigits(preview.payloadHash)}.`]),
		...[`-# ${plainWords(action.code ?? "", 60)}${page === "" ? "" : ` · ${page}`}`],
	];
}

function plural(count: number): string {
	return `${count} file${count === 1 ? "" : "s"}`;
}

function placeWords({ channel, recipient }: DeliveryAction, discordOwner: OwnerWords): string {
	const owner = channel === "discord" ? discordOwner : "you";
	const way = channel === "dashboard" ? "As an inbox message" : `By ${channelNames[channel]}`;
	return `${way} to ${recipient === undefined ? owner : plainWords(recipient, 64)}`;
}

function textOf(parts: readonly PayloadPart[]): string | undefined {
	return parts.find(({ kind }) => kind === "text" || kind === "row")?.text;
}
