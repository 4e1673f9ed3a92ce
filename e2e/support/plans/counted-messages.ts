import type { FakeSmtp } from "../services/smtp-server.ts";
import type { PlanDesk } from "./plan-desk.ts";
import { Inbox } from "./plan-wire.ts";
import { mailText } from "./set-up-email.ts";

/** What arrived, by the mail server's own journal and files and by the inbox. Each message is `<channel> <text>`. */
export interface CountedMessages {
	readonly expected: number;
	readonly mails: number;
	readonly rows: number;
	/** More than once. */
	readonly doubles: readonly string[];
	/** Never. */
	readonly lost: readonly string[];
	/** Nobody asked for them. */
	readonly strange: readonly string[];
}

/** Counts all that arrived. @throws Error if the mail server's journal and its files differ */
export async function countMessages(desk: PlanDesk, smtp: FakeSmtp, expected: readonly string[]): Promise<CountedMessages> {
	const mails = (await smtp.mails()).map((mail) => `email ${mailText(mail)}`);
	const accepted = (await smtp.journal()).filter(({ event }) => event === "accepted").length;
	if (accepted !== mails.length) throw new Error(`the mail server accepted ${accepted} mails and has ${mails.length}`);
	const rows = (await inboxRows(desk)).map((text) => `dashboard ${text}`);
	const counts = new Map<string, number>();
	for (const message of [...mails, ...rows]) counts.set(message, (counts.get(message) ?? 0) + 1);
	return {
		expected: expected.length,
		mails: mails.length,
		rows: rows.length,
		doubles: [...counts].flatMap(([message, count]) => (count > 1 ? [message] : [])),
		lost: expected.filter((message) => !counts.has(message)),
		strange: [...counts.keys()].filter((message) => !expected.includes(message)),
	};
}

async function inboxRows(desk: PlanDesk): Promise<readonly string[]> {
	const texts: string[] = [];
	let cursor: string | undefined;
	do {
		const page = Inbox.parse(await desk.client.rpc("xworkmate.inbox.list", cursor === undefined ? {} : { cursor }));
		texts.push(...page.items.map(({ text }) => text));
		cursor = page.nextCursor;
	} while (cursor !== undefined);
	return texts;
}
