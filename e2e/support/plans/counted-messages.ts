import type { KillOutlet } from "./kill-outlet.ts";
import type { PlanDesk } from "./plan-desk.ts";
import { Inbox } from "./plan-wire.ts";

/** What arrived, by the services' own journals and by the inbox. Each message is `<channel> <text>`. */
export interface CountedMessages {
	readonly expected: number;
	/** Outside: mails, WhatsApp messages, posts. */
	readonly sent: number;
	readonly rows: number;
	/** Those that arrived more than once. */
	readonly doubles: readonly string[];
	/** Expected ones that never arrived. */
	readonly lost: readonly string[];
	/** Those that arrived but were not expected. */
	readonly strange: readonly string[];
}

/** Counts all that arrived. */
export async function countMessages(desk: PlanDesk, outlet: KillOutlet, expected: readonly string[]): Promise<CountedMessages> {
	const sent = (await outlet.arrived()).map((text) => `${outlet.channel} ${text}`);
	const rows = (await inboxRows(desk)).map((text) => `dashboard ${text}`);
	const counts = new Map<string, number>();
	for (const message of [...sent, ...rows]) counts.set(message, (counts.get(message) ?? 0) + 1);
	return {
		expected: expected.length,
		sent: sent.length,
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
