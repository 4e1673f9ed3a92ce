import { sentence } from "@xworkmate/contracts";

/** The notice for a turn whose earlier conversation could not be continued. */
export function restartNotice(reason: string) {
	const message = `The agent starts a new conversation and does not know what was said before. ${sentence(reason)}`;
	return { kind: "notice", level: "warning", code: "CONVERSATION_RESTARTED", message } as const;
}

/** The notice for a turn in which the agent wrote messages that could not be read. */
export function unreadableNotice(count: number) {
	const messages = count === 1 ? "1 message" : `${count} messages`;
	const message = `${messages} from the agent couldn't be read, so something it said or did may be missing here.`;
	return { kind: "notice", level: "warning", code: "MESSAGES_UNREADABLE", message } as const;
}
