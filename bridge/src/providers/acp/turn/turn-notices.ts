import { sentence } from "@xworkmate/contracts";
import type { Late } from "../process/agent-report.ts";

/** The notice for a turn whose earlier conversation could not be continued. */
export function restartNotice(reason: string) {
	const message = `The agent is starting a new conversation, so it doesn't know what was said before. ${sentence(reason)}`;
	return { kind: "notice", level: "warning", code: "CONVERSATION_RESTARTED", message } as const;
}

/**
 * The notice for a turn in which the agent wrote messages that could not be read. There may be more of them than `count`: a line that is not
 * JSON is counted once, and only if it begins as a message does.
 */
export function unreadableNotice(count: number) {
	const messages = count === 1 ? "1 message" : `${count} messages`;
	const message = `At least ${messages} from the agent couldn't be read, so something it said or did may be missing here.`;
	return { kind: "notice", level: "warning", code: "MESSAGES_UNREADABLE", message } as const;
}

const lateWords: Readonly<Record<Late, string>> = { text: "text", tool_call: "tool calls" };

/** The notice for a turn whose agent reported something after the end of the run before, whose record can't change any more. */
export function lateNotice(what: readonly Late[]) {
	const sent = what.map((one) => lateWords[one]).join(" and ");
	const message = `After the previous run had ended, the agent still sent ${sent}. This is not shown, so it may have done more than that run says.`;
	return { kind: "notice", level: "warning", code: "LATE_ACTIVITY", message } as const;
}
