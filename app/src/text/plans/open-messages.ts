import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";

type OccurrencePage = { readonly items: readonly Occurrence[]; readonly nextCursor?: string | undefined };

/** How many due times of a plan, newest first, are searched for those that have not ended. */
const LOOKED_THROUGH = 1_000;

export interface OpenOccurrences {
	readonly items: readonly Occurrence[];
	/** False if the plan has had more due times than were searched. */
	readonly isWhole: boolean;
}

/** The due times of a plan that have not ended, newest first. */
export async function openOccurrences(read: (cursor?: string) => Promise<OccurrencePage>): Promise<OpenOccurrences> {
	const items: Occurrence[] = [];
	let seen = 0;
	let cursor: string | undefined;
	do {
		const page = await read(cursor);
		seen += page.items.length;
		items.push(...page.items.filter(isOpen));
		cursor = page.nextCursor;
	} while (cursor !== undefined && seen < LOOKED_THROUGH);
	return { items, isWhole: cursor === undefined };
}

export function isOpen({ status }: Occurrence): boolean {
	return !OVER.has(status);
}

const OVER: ReadonlySet<Occurrence["status"]> = new Set(["completed", "failed", "cancelled", "skipped"]);

export interface OpenMessage {
	readonly occurrence: Occurrence;
	readonly action: DeliveryAction;
}

/** The messages that need the user: to review them, or to say whether they arrived. */
export function messagesForUser(open: readonly Occurrence[]): readonly OpenMessage[] {
	return messagesOf(open).filter(({ action: { status } }) => status === "needs_review" || status === "unknown");
}

/** What cancelling a plan's pending work cancels. A message that is already being handed over is not cancelled. */
export interface Cancellable {
	/** Due times whose work has not ended, or that have no message. */
	readonly working: number;
	readonly inReview: readonly OpenMessage[];
	/** Messages that are waiting to be sent. */
	readonly waiting: readonly OpenMessage[];
}

export function cancellable(open: readonly Occurrence[]): Cancellable {
	const messages = messagesOf(open);
	return {
		// Includes a due time that waits for the user and has no message, because it is cancelled too.
		working: open.filter(({ status, delivery }) => status === "due" || status === "running" || delivery.length === 0).length,
		inReview: messages.filter(({ action: { status } }) => status === "needs_review"),
		waiting: messages.filter(({ action: { status, stage } }) => status === "pending" || (status === "sending" && stage === "claimed")),
	};
}

function messagesOf(open: readonly Occurrence[]): readonly OpenMessage[] {
	return open.flatMap((occurrence) => occurrence.delivery.map((action) => ({ occurrence, action })));
}
