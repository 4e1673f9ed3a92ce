import type { ActionId, ChannelId, OccurrenceId, PlanId, Timestamp } from "@xworkmate/contracts";
import { ContractError } from "@xworkmate/contracts";
import type { PlanStore } from "../../ports/plans/plan-store.ts";
import { decideWindowOpened } from "../domain/decide-news.ts";
import { ofOpenAction } from "../executor/actions/open-action.ts";
import type { PlanLog } from "../plan-log.ts";
import type { ResolveRecipient } from "../recipient.ts";

export interface ReplyParts {
	readonly store: Pick<PlanStore, "list">;
	readonly log: PlanLog;
	readonly resolveRecipient: ResolveRecipient;
}

interface Waiting {
	readonly planId: PlanId;
	readonly occurrenceId: OccurrenceId;
	readonly actionId: ActionId;
}

const PAGE = 100;

/**
 * Records in the messages that were waiting for an address to write that it has written, and until when they can be sent. No message is
 * sent automatically, because the user was told that they are held, and decides about them.
 *
 * @throws the store's error
 */
export async function tellWaiting(parts: ReplyParts, channel: ChannelId, address: string, until: Timestamp): Promise<void> {
	const message = `The recipient has written to you, so you can write to them until ${until}.`;
	const fix = "Send the message before then, or discard it.";
	for await (const waiting of waitingFor(parts, channel, address))
		await parts.log.tryChange(
			waiting.planId,
			ofOpenAction(waiting, ({ open }) => decideWindowOpened(open, waiting.actionId, { message, fix })),
		);
}

async function* waitingFor({ store, resolveRecipient }: ReplyParts, channel: ChannelId, address: string): AsyncGenerator<Waiting> {
	let cursor: string | undefined;
	do {
		const page = await store.list({ needsReview: true, limit: PAGE, cursor });
		for (const { plan, open } of page.items)
			for (const { occurrence } of open)
				for (const action of occurrence.delivery) {
					if (action.channel !== channel || action.code !== "WINDOW_CLOSED") continue;
					if (addressOf(resolveRecipient, channel, action.recipient) !== address) continue;
					yield { planId: plan.planId, occurrenceId: occurrence.occurrenceId, actionId: action.actionId };
				}
		cursor = page.nextCursor;
	} while (cursor !== undefined);
}

/** The address of a recipient; undefined if the recipient no longer exists or has no usable address, or if the channel can't be used. */
function addressOf(resolveRecipient: ResolveRecipient, channel: ChannelId, recipient: string | undefined): string | undefined {
	try {
		return resolveRecipient(channel, recipient).address;
	} catch (error) {
		if (error instanceof ContractError) return undefined;
		throw error;
	}
}
