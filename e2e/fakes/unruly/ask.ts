import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as acp from "@agentclientprotocol/sdk";
import { firstWord } from "./script.ts";
import { type StepEnd, say, type UnrulyTurn, update } from "./turn.ts";

// Names that say the opposite of their kind, to catch code that chooses by name or id.
const swapped: acp.PermissionOption[] = [
	{ optionId: "deny-everything", name: "Deny", kind: "allow_once" },
	{ optionId: "deny-always", name: "Never", kind: "allow_always" },
	{ optionId: "allow", name: "Allow", kind: "reject_once" },
	{ optionId: "allow-always", name: "Always allow", kind: "reject_always" },
];
/** For pictures. */
const plain: acp.PermissionOption[] = [
	{ optionId: "allow", name: "Allow", kind: "allow_once" },
	{ optionId: "allow-always", name: "Always allow", kind: "allow_always" },
	{ optionId: "reject", name: "Reject", kind: "reject_once" },
];
const options = process.env.UNRULY_STORIES === undefined ? swapped : plain;

/** Asks once and says what came back: `answer <kind>` or `answer cancelled`. */
export async function ask(turn: UnrulyTurn, title: string): Promise<StepEnd> {
	const answer = await request(turn, executing(title, `ask-${title}`));
	await say(turn, `answer ${answer}\n`);
	return undefined;
}

/**
 * Asks about a command. If it is allowed, `asked.txt` appears in the folder for files, and the call is reported as completed.
 */
export async function askAndDo(turn: UnrulyTurn, title: string): Promise<StepEnd> {
	const toolCallId = `ask-${title}`;
	const answer = await request(turn, executing(title, toolCallId));
	if (answer !== "allow_once") return answer === "cancelled" ? { stopReason: "cancelled" } : undefined;
	await writeFile(join(turn.directory, "asked.txt"), title);
	await update(turn, { sessionUpdate: "tool_call_update", toolCallId, status: "completed" });
	return undefined;
}

/** Asks once and goes on without waiting for the answer. */
export async function askOn(turn: UnrulyTurn, title: string): Promise<StepEnd> {
	request(turn, executing(title, `ask-${title}`)).catch(() => undefined);
	return undefined;
}

/** Asks about a call without saying what it would do: `ASK_BARE <tool call id> <title>`. */
export async function askBare(turn: UnrulyTurn, rest: string): Promise<StepEnd> {
	const [toolCallId, title] = firstWord(rest);
	const answer = await request(turn, { toolCallId, title });
	await say(turn, `answer ${answer}\n`);
	return undefined;
}

/** Asks about an edit that it shows only in the question: `ASK_EDIT <tool call id> <JSON of a diff>`. */
export async function askEdit(turn: UnrulyTurn, rest: string): Promise<StepEnd> {
	const answer = await request(turn, editing(rest));
	await say(turn, `answer ${answer}\n`);
	return undefined;
}

/** As `ASK_EDIT`, but goes on without waiting for the answer. */
export async function askEditOn(turn: UnrulyTurn, rest: string): Promise<StepEnd> {
	request(turn, editing(rest)).catch(() => undefined);
	return undefined;
}

/** Asks again after every answer, until it is cancelled. */
export async function askForever(turn: UnrulyTurn): Promise<StepEnd> {
	for (let count = 1; ; count++) {
		const answer = await request(turn, executing(`question ${count}`, `ask-${count}`));
		if (answer === "cancelled") return turn.ignoresCancel ? undefined : { stopReason: "cancelled" };
	}
}

/** Several questions at once. */
export async function askMany(turn: UnrulyTurn, count: number): Promise<StepEnd> {
	const answers = await Promise.all(
		Array.from({ length: count }, (_, index) => request(turn, executing(`question ${index}`, `many-${index}`))),
	);
	await say(turn, `answers ${answers.join(",")}\n`);
	return undefined;
}

/**
 * Two questions at once about one call, each with a command of its own: `ASK_TWICE <command> <other command>`. Writes `asked-twice` into the
 * folder for files once the client has read both.
 */
export async function askTwice(turn: UnrulyTurn, rest: string): Promise<StepEnd> {
	const asked = firstWord(rest).map((title) => request(turn, executing(title, "twice")));
	// The client reads in order, so it has read the questions when it answers this.
	await turn.client.request("no/such/method", {}).catch(() => undefined);
	await writeFile(join(turn.directory, "asked-twice"), "");
	const answers = await Promise.all(asked);
	await say(turn, `answers ${answers.join(",")}\n`);
	return undefined;
}

function executing(title: string, toolCallId: string): acp.ToolCallUpdate {
	return { toolCallId, title, kind: "execute", status: "pending", rawInput: { command: title } };
}

function editing(rest: string): acp.ToolCallUpdate {
	const [toolCallId, json] = firstWord(rest);
	const { path, newText }: { path: string; newText: string } = JSON.parse(json);
	return { toolCallId, title: "Edit", kind: "edit", status: "pending", content: [{ type: "diff", path, newText }] };
}

async function request(turn: UnrulyTurn, toolCall: acp.ToolCallUpdate): Promise<string> {
	const { outcome } = await turn.client.request(acp.methods.client.session.requestPermission, {
		sessionId: turn.sessionId,
		toolCall,
		options,
	});
	if (outcome.outcome === "cancelled") return "cancelled";
	return options.find((option) => option.optionId === outcome.optionId)?.kind ?? `unknown option ${outcome.optionId}`;
}
