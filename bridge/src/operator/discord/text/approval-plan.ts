import type { Approval, ApprovalDecision } from "@xworkmate/contracts";
import { askedName, doneToFiles, fileIn } from "@xworkmate/contracts/asked-name";
import { type PostFile, twelveDigits } from "./answer-plan.ts";
import { fencedJson, plainWords } from "./escape-text.ts";
import { spanWords } from "./span-words.ts";
import { POST_LENGTH } from "./split-text.ts";

export interface Button {
	readonly label: string;
	/** Contains the request's id and the answer, but no part of what is requested. */
	readonly customId: string;
	readonly style: "primary" | "secondary" | "danger";
}

export interface ApprovalPlan {
	readonly content: string;
	readonly file?: PostFile;
	readonly buttons: readonly Button[];
}

const WORDS_LENGTH = 400;
const CALLED_LENGTH = 150;
const SECRET_LENGTH = 100;
const SECRETS_LENGTH = 200;
/** A plan is shown in full before it is made. */
const PLAN = "xworkmate.plan.create";
const PLAN_LENGTH = 700;
const asks = {
	read: "wants to read something",
	write: "wants to make a change",
	destructive: "wants to delete or overwrite something",
} as const;
const risks = { read: "Read", write: "Write", destructive: "Destructive" } as const;
const styles = { allow_once: "primary", allow_window: "secondary", deny: "danger" } as const;

/** A request as a post: what is asked, in full, and buttons that carry only its id and an answer. Pure. */
export function planApproval(
	{ record, input }: { readonly record: Approval; readonly input?: string | undefined },
	hasApprovers: boolean,
): ApprovalPlan {
	const whole = wholeInput(record, input);
	const head = headLines(record);
	const foot = footLines(record, hasApprovers);
	const shown = whole === undefined || whole.isText ? undefined : fencedJson(whole.text);
	const inline = shown === undefined ? undefined : [...head, shown, ...inputLines(record, "Whole input"), ...foot].join("\n");
	const buttons = hasApprovers ? record.options.map((option) => buttonOf(record, option)) : [];
	if (inline !== undefined && inline.length <= POST_LENGTH) return { content: inline, buttons };
	if (whole === undefined) return { content: [...head, ...foot].join("\n"), buttons };
	const name = `input-${record.inputHash.slice(0, 12)}.${whole.isText ? "txt" : "json"}`;
	const note =
		record.input?.truncated === true && input === undefined
			? "The part of the input that the agent showed is attached"
			: "The whole input is attached";
	return { content: [...head, ...inputLines(record, note), ...foot].join("\n"), file: { name, data: whole.text }, buttons };
}

/** The post of a request that is over; it has no buttons. Pure. */
export function planOutcome(record: Approval): string {
	const at = record.decidedAt === undefined ? "" : `, <t:${Math.floor(Date.parse(record.decidedAt) / 1_000)}:t>`;
	return `**${outcomeWords(record)}**${at}: ${asked(record)}`;
}

/** How a request was answered, for someone who pressed too late. Pure. */
export function outcomeWords({ state, decision, decidedBy }: Approval): string {
	if (state === "pending") return "Not answered yet";
	if (state === "expired") return "Expired: denied because no one answered in time";
	if (state === "withdrawn" || decision === undefined) return "Withdrawn: it is no longer waiting for an answer";
	const what = { allow_once: "Allowed once", allow_window: "Allowed for a limited time", deny: "Denied" }[decision];
	return `${what} ${deciderWords(decidedBy)}`;
}

function deciderWords(decidedBy = "person"): string {
	if (decidedBy.startsWith("discord:")) return `by ${plainWords(decidedBy.slice("discord:".length), 100)}`;
	if (decidedBy.startsWith("window:")) return "by an earlier permission";
	if (decidedBy === "person") return "in XWorkmate";
	return decidedBy === "gateway" ? "on the gateway" : "by the settings";
}

/** The answer that a button gives, and the request that it answers; undefined for anything else. Pure. */
export function readCustomId(customId: string): { readonly decision: ApprovalDecision; readonly approvalId: string } | undefined {
	const [, decision, approvalId] = /^(allow_once|allow_window|deny):([A-Za-z0-9][A-Za-z0-9_-]{0,63})$/.exec(customId) ?? [];
	if (approvalId === undefined) return undefined;
	return decision === "allow_once" || decision === "allow_window" || decision === "deny" ? { decision, approvalId } : undefined;
}

function buttonOf({ approvalId, windowSeconds = 900 }: Approval, option: ApprovalDecision): Button {
	const labels = { allow_once: "Allow once", allow_window: `Allow for ${spanWords(windowSeconds * 1_000)}`, deny: "Deny" };
	return { label: labels[option], customId: `${option}:${approvalId}`, style: styles[option] };
}

function headLines(record: Approval): readonly string[] {
	const { asker, risk, toolId, unaccepted, secrets = [], directory } = record;
	const who = plainWords(asker?.providerId ?? "An agent", 64);
	return [
		`**${who} ${risk === undefined ? "asks for your approval" : toolId === PLAN ? "wants to create a plan" : asks[risk]}**`,
		...(toolId === undefined || risk === undefined ? [] : [`${risks[risk]}: ${plainWords(toolId, 200)}`]),
		asked(record),
		...calledLines(record),
		...(unaccepted === true ? ["This tool's code isn't accepted yet, so what it says about this call may not be true."] : []),
		...(secrets.length === 0 ? [] : [`The tool gets these secrets: ${secretsNamed(secrets)}`]),
		...(directory === undefined ? [] : [`In the folder ${plainWords(directory, 100)}`]),
	];
}

/** Names that do not fit are left out whole and counted, because an approval is for all of these secrets. */
function secretsNamed(secrets: readonly string[]): string {
	const [first = "", ...others] = secrets.map((name) => plainWords(name, SECRET_LENGTH));
	let shown = first;
	for (const [index, name] of others.entries()) {
		const longer = `${shown}, ${name}`;
		if (longer.length > SECRETS_LENGTH) return `${shown} and ${others.length - index} more, shown in XWorkmate`;
		shown = longer;
	}
	return shown;
}

function asked(record: Approval): string {
	const { words = "", toolId, toolKind } = record;
	const { subject, isFile } = subjectOf(record);
	const what = words !== "" ? words : isFile ? doneToFiles(toolKind, subject) : subject;
	return plainWords(what, toolId === PLAN ? PLAN_LENGTH : WORDS_LENGTH) || "(no words)";
}

/** The command or the file of an agent's own call, and its title only if neither is known. The title of a typed call is the bridge's. */
function subjectOf({ title, input, toolId }: Approval): { readonly subject: string; readonly isFile: boolean } {
	if (toolId !== undefined) return { subject: title, isFile: false };
	const { name, isCommand } = askedName(title, input);
	const file = isCommand ? undefined : fileIn(input);
	return { subject: file ?? name, isFile: file !== undefined };
}

/** An agent can word its title freely, so next to a command or a file it is marked as the agent's own description. */
function calledLines(record: Approval): readonly string[] {
	const { title, asker } = record;
	const { subject } = subjectOf(record);
	if (title === "" || title.endsWith(subject) || subject.startsWith(title)) return [];
	return [`-# ${plainWords(asker?.providerId ?? "The agent", 64)} describes this as: ${plainWords(title, CALLED_LENGTH)}`];
}

function inputLines({ inputHash }: Approval, what: string): readonly string[] {
	return [`-# ${what}, hash ${twelveDigits(inputHash)}.`];
}

function footLines({ expiresAt }: Approval, hasApprovers: boolean): readonly string[] {
	const until = `-# Denied automatically <t:${Math.floor(Date.parse(expiresAt) / 1_000)}:R>.`;
	return hasApprovers ? [until] : ["-# No one can approve requests on Discord, so answer this one in XWorkmate.", until];
}

/** `isText`: the input is an agent's own text, in an unknown format. */
function wholeInput({ input }: Approval, whole: string | undefined): { readonly text: string; readonly isText: boolean } | undefined {
	if (whole !== undefined) return { text: whole, isText: false };
	if (input === undefined || input.text === "") return undefined;
	return { text: input.text, isText: !isJson(input.text) };
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
