import { type Approval, type ApprovalDecision, spanWords } from "@xworkmate/contracts";
import { answerNames } from "@xworkmate/contracts/answer-names";
import { askedName, doneToFiles, fileIn } from "@xworkmate/contracts/asked-name";
import { type PostFile, twelveDigits } from "./answer-plan.ts";
import { fencedJson, fencedText, plainWords } from "./escape-text.ts";
import { POST_LENGTH } from "./split-text.ts";

export interface Button {
	readonly label: string;
	/** Contains the answer, and the request's id or a message's id, revision and hash, but no part of what is requested or sent. */
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
const NAME_LENGTH = 100;
const NAMES_LENGTH = 200;
/** The tool whose requests show the plan in full, before it is made. */
const PLAN = "xworkmate.plan.create";
const PLAN_LENGTH = 700;
const asks = {
	read: "wants to read something",
	write: "wants to make a change",
	destructive: "wants to delete or overwrite something",
} as const;
const risks = { read: "Read", write: "Write", destructive: "Destructive" } as const;
const styles = { allow_once: "primary", allow_window: "secondary", deny: "danger" } as const;

/** A request as a post: what is asked, in full or attached, and buttons that carry only its id and an answer. Pure. */
export function planApproval(
	{ record, input }: { readonly record: Approval; readonly input?: string | undefined },
	hasApprovers: boolean,
): ApprovalPlan {
	const whole = wholeInput(record, input);
	const head = headLines(record);
	const foot = footLines(record, hasApprovers);
	const shown = whole === undefined || whole.isText ? undefined : fencedJson(whole.text);
	const change = changeLines(record);
	const inline = shown && change && [...head, shown, ...inputLines(record, "Whole input"), ...change, ...foot].join("\n");
	const buttons = hasApprovers ? record.options.map((option) => buttonOf(record, option)) : [];
	if (inline !== undefined && inline.length <= POST_LENGTH) return { content: inline, buttons };
	const isPart = record.input?.truncated === true && input === undefined;
	const attached = attachment(record, whole, isPart ? "part of the input that the agent showed" : "whole input");
	if (attached === undefined) return { content: [...head, ...foot].join("\n"), buttons };
	return { content: [...head, ...inputLines(record, attached.note), ...foot].join("\n"), file: attached.file, buttons };
}

/**
 * The texts that a post has no room for, or can't show, as one file. `inputName`: the words for the input, depending on what is known of
 * it.
 */
function attachment(
	{ inputHash, proposed, says }: Approval,
	whole: Input | undefined,
	inputName: string,
): { readonly note: string; readonly file: PostFile } | undefined {
	const digits = inputHash.slice(0, 12);
	if (proposed === undefined && says === undefined) {
		if (whole === undefined) return undefined;
		const file = { name: `input-${digits}.${whole.isText ? "txt" : "json"}`, data: whole.text };
		return { note: `The ${inputName} is attached`, file };
	}
	const names = [
		...(whole === undefined ? [] : [`the ${inputName}`]),
		...(proposed === undefined ? [] : [`${proposed.truncated ? "part of " : ""}the reported change`]),
		...(says === undefined ? [] : [`${says.truncated ? "the beginning of " : ""}what the agent says about it`]),
	];
	const list = new Intl.ListFormat("en", { type: "conjunction" }).format(names);
	const note = `${list.charAt(0).toUpperCase()}${list.slice(1)} ${names.length === 1 ? "is" : "are"} attached`;
	const data = [
		...(whole === undefined ? [] : [`Input:\n${whole.text}\n`]),
		...(proposed === undefined ? [] : [`${changeHead(proposed)}\n${proposed.text}\n`]),
		...(says === undefined ? [] : [`${saysHead(says)}\n${says.text}\n`]),
	].join("\n");
	return { note, file: { name: `request-${digits}.txt`, data } };
}

/** What the agent reports and says besides the input; undefined if a text could end the code block that it is put in. */
function changeLines({ proposed, says }: Approval): readonly string[] | undefined {
	const change = proposed && fencedText(proposed.text);
	const text = says && fencedText(says.text);
	if ((proposed !== undefined && change === undefined) || (says !== undefined && text === undefined)) return undefined;
	return [...(proposed && change ? [changeHead(proposed), change] : []), ...(says && text ? [saysHead(says), text] : [])];
}

function saysHead({ truncated }: NonNullable<Approval["says"]>): string {
	return `What the agent says about it${truncated ? " (only its beginning is stored)" : ""}:`;
}

function changeHead({ truncated }: NonNullable<Approval["proposed"]>): string {
	return `The change, as the agent reports it${truncated ? " (not all of it is stored)" : ""}:`;
}

/** The post of a request that is over; it has no buttons. Pure. */
export function planOutcome(record: Approval): string {
	const at = record.decidedAt === undefined ? "" : `, <t:${Math.floor(Date.parse(record.decidedAt) / 1_000)}:t>`;
	return `**${outcomeWords(record)}**${at}: ${asked(record)}`;
}

/** How a request was answered, for a user who pressed too late. Pure. */
export function outcomeWords({ state, decision, decidedBy }: Approval): string {
	if (state === "pending") return "Not answered yet";
	if (state === "expired") return "Expired: denied because no one answered in time";
	if (state === "withdrawn" || decision === undefined) return "Withdrawn: it is no longer waiting for an answer";
	const what = { allow_once: "Allowed once", allow_window: "Allowed for a limited time", deny: "Denied" }[decision];
	return `${what} ${deciderWords(decidedBy)}`;
}

function deciderWords(decidedBy = "person"): string {
	if (decidedBy.startsWith("discord:")) return `by ${plainWords(decidedBy.slice("discord:".length), 100)}`;
	if (decidedBy.startsWith("window:")) return "by a temporary permission";
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
	const { asker, risk, toolId, unaccepted, secrets = [], directory, alsoNamed = [] } = record;
	const who = plainWords(asker?.providerId ?? "An agent", 64);
	return [
		`**${who} ${risk === undefined ? "asks for your approval" : toolId === PLAN ? "wants to create a plan" : asks[risk]}**`,
		...(toolId === undefined || risk === undefined ? [] : [`${risks[risk]}: ${plainWords(toolId, 200)}`]),
		asked(record),
		...calledLines(record),
		...(unaccepted === true ? ["This tool's code hasn't been accepted yet, so what it says about this call may not be true."] : []),
		...(secrets.length === 0 ? [] : [`The tool gets these secrets: ${namesWithin(secrets)}`]),
		...(directory === undefined ? [] : [`In the folder ${plainWords(directory, 100)}`]),
		...(alsoNamed.length === 0 ? [] : [`Also mentions: ${namesWithin(alsoNamed)}`]),
	];
}

/** Names that do not fit are left out whole and counted, because an approval is for all of these secrets or files. */
function namesWithin(names: readonly string[]): string {
	const [first = "", ...others] = names.map((name) => plainWords(name, NAME_LENGTH));
	let shown = first;
	for (const [index, name] of others.entries()) {
		const longer = `${shown}, ${name}`;
		if (longer.length > NAMES_LENGTH) return `${shown} and ${others.length - index} more, shown in XWorkmate`;
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

/**
 * The agent's title, marked as its own description, because an agent can word it freely. Empty if the title says no more than the command
 * or the file, or if the agent gave none, because the title in the request is then the bridge's.
 */
function calledLines(record: Approval): readonly string[] {
	const { title, asker, unstated = [] } = record;
	const { subject } = subjectOf(record);
	if (unstated.includes("title") || title === "" || title.endsWith(subject) || subject.startsWith(title)) return [];
	return [`-# ${plainWords(asker?.providerId ?? "The agent", 64)} describes this as: ${plainWords(title, CALLED_LENGTH)}`];
}

function inputLines({ inputHash }: Approval, what: string): readonly string[] {
	return [`-# ${what}, hash ${twelveDigits(inputHash)}.`];
}

function footLines(approval: Approval, hasApprovers: boolean): readonly string[] {
	// The time is not shown as a duration from now: if the bridge is stopped, the post stays, and would claim that the request was denied
	// some time ago.
	const until = `-# Expires <t:${Math.floor(Date.parse(approval.expiresAt) / 1_000)}:f> and is then denied automatically.`;
	return hasApprovers
		? [...answerLines(approval), until]
		: ["-# No one can approve requests on Discord, so answer this one in XWorkmate.", until];
}

/** Which of the agent's answers "Allow once" gives, if that answer's name says more or the agent offers several. */
function answerLines(approval: Approval): readonly string[] {
	const found = answerNames(approval);
	if (found === undefined) return [];
	const others = found.others.map((name) => `“${plainWords(name, 100)}”`).join(", ");
	const more = others === "" ? "" : ` The agent also offers ${others}, which you can't choose here.`;
	return [`-# “Allow once” sends the agent the answer “${plainWords(found.name, 100)}”.${more}`];
}

interface Input {
	readonly text: string;
	/** True if the input is an agent's own text, in an unknown format. */
	readonly isText: boolean;
}

function wholeInput({ input }: Approval, whole: string | undefined): Input | undefined {
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
