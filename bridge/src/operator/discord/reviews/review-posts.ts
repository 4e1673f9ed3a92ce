import { ContractError, type DeliveryAction, type Occurrence, type OccurrenceId, type Plan } from "@xworkmate/contracts";
import type { DiscordWire } from "../discord-wire.ts";
import type { Outbox } from "../outbox.ts";
import { planReview, planReviewOutcome } from "../text/review-plan.ts";
import type { PlanReviews } from "./plan-reviews.ts";

export interface ReviewPostsParts extends PlanReviews {
	readonly wire: Pick<DiscordWire, "direct">;
	readonly outbox: Outbox;
	readonly appUrl: string | undefined;
	readonly log: (error: unknown, what: string) => void;
}

/** How many of the latest events are checked when the bot first connects, for decisions made while it was offline. */
const LATEST_EVENTS = 1_000;
/** How many plans, and how many occurrences of each, are searched for messages that are waiting for the user. */
const MOST_PLANS = 100;
const PAGE = 200;
const WAITING = "review:";

/** Sends the user a direct message about each plan message that is waiting for a decision, and updates it once the user has decided. */
export class ReviewPosts {
	readonly #parts: ReviewPostsParts;
	/** The current text of each post, by kind. */
	readonly #shown = new Map<string, string>();
	/** The direct-message channels, by user. */
	readonly #direct = new Map<string, string>();
	/** Occurrences to check even if the feed has no new events for them. */
	readonly #asked = new Set<OccurrenceId>();
	#after: number | undefined;
	#isStale = false;
	#isMissing = false;
	#working: Promise<void> | undefined;
	#isClosed = false;
	#unsubscribe: () => void = () => undefined;

	constructor(parts: ReviewPostsParts) {
		this.#parts = parts;
	}

	/** Must be called when the bot begins or resumes a session with Discord: checks everything that is waiting. */
	ready(): void {
		this.#unsubscribe();
		this.#unsubscribe = this.#parts.plans.feed.onChanged(() => this.#wake());
		this.#isMissing = true;
		this.#wake();
	}

	/** Must be called when the posts of an occurrence are out of date. */
	lookAgain(occurrenceId: OccurrenceId): void {
		this.#asked.add(occurrenceId);
		this.#wake();
	}

	/** Settles once no post is being worked on. */
	async close(): Promise<void> {
		this.#isClosed = true;
		this.#unsubscribe();
		await this.#working;
	}

	#wake(): void {
		this.#isStale = true;
		if (this.#isClosed || this.#working !== undefined) return;
		this.#working = this.#work()
			.catch((error: unknown) => this.#parts.log(error, "waiting messages could not be shown on Discord"))
			.finally(() => {
				this.#working = undefined;
			});
	}

	async #work(): Promise<void> {
		while (this.#isStale && !this.#isClosed) {
			this.#isStale = false;
			if (this.#isMissing) await this.#catchUp();
			for (const occurrenceId of [...this.#asked]) {
				this.#asked.delete(occurrenceId);
				await this.#lookAt(occurrenceId);
			}
			await this.#follow();
		}
	}

	async #catchUp(): Promise<void> {
		const { plans } = this.#parts;
		this.#after ??= Math.max(0, (await plans.feed.last()) - LATEST_EVENTS);
		const { items } = await plans.list({ needsReview: true, limit: MOST_PLANS });
		for (const { planId } of items) {
			const { items: occurrences } = await plans.occurrences({ planId, limit: MOST_PLANS });
			for (const occurrence of occurrences) if (occurrence.status === "needs_review") await this.#look(occurrence);
		}
		this.#isMissing = false;
	}

	/** Checks each occurrence that has new events, in the state that its latest event shows. */
	async #follow(): Promise<void> {
		const { feed } = this.#parts.plans;
		for (let isMore = true; isMore && !this.#isClosed; ) {
			const events = await feed.read({ afterFeedSeq: this.#after ?? 0, limit: PAGE });
			const changed = new Map<OccurrenceId, Occurrence>();
			for (const { event } of events)
				if ("occurrence" in event.body) changed.set(event.body.occurrence.occurrenceId, event.body.occurrence);
			for (const occurrence of changed.values()) await this.#look(occurrence);
			this.#after = events.at(-1)?.feedSeq ?? this.#after;
			isMore = events.length === PAGE;
		}
	}

	async #lookAt(occurrenceId: OccurrenceId): Promise<void> {
		const planId = occurrenceId.replace(/-\d+$/, "") as Plan["planId"];
		const { items } = await this.#parts.plans.occurrences({ planId, limit: MOST_PLANS });
		const occurrence = items.find((one) => one.occurrenceId === occurrenceId);
		if (occurrence !== undefined) await this.#look(occurrence);
	}

	async #look(occurrence: Occurrence): Promise<void> {
		const { outbox, user, plans } = this.#parts;
		const { occurrenceId, planId, delivery } = occurrence;
		const waiting = delivery.filter(isWaiting);
		const posted = (await outbox.kindsOf(occurrenceId)).filter((kind) => kind.startsWith(WAITING));
		const asked = user();
		if (posted.length === 0 && (waiting.length === 0 || asked === undefined)) return;
		const plan = await plans.get({ planId });
		for (const action of delivery) {
			const kind = isWaiting(action) ? kindOf(occurrence, action) : undefined;
			const prefix = `${WAITING}${action.actionId}:`;
			for (const old of posted) if (old.startsWith(prefix) && old !== kind) await this.#conclude(occurrence, action, old, plan);
			if (kind !== undefined && asked !== undefined)
				await this.#show({ occurrence, action, kind, plan, asked, isNew: !posted.includes(kind) });
		}
	}

	async #show(look: {
		readonly occurrence: Occurrence;
		readonly action: DeliveryAction;
		readonly kind: string;
		readonly plan: Plan;
		readonly asked: string;
		readonly isNew: boolean;
	}): Promise<void> {
		const { outbox, appUrl, discordOwner } = this.#parts;
		const { occurrence, action, kind, plan, asked, isNew } = look;
		const preview = await this.#preview(occurrence, action);
		const post = planReview({ occurrence, action, plan, preview, appUrl, discordOwner: discordOwner() });
		const shown = JSON.stringify(post);
		if (this.#shown.get(kind) === shown) return;
		const channel = await this.#directOf(asked);
		const message = await outbox.post({ channel, runId: occurrence.occurrenceId, kind, ...post });
		if (message === undefined) return;
		// The file of an earlier text would contradict the hash and the button.
		if (isNew || (await outbox.edit(channel, message, { ...post, file: post.file ?? null })) === "done") this.#shown.set(kind, shown);
	}

	/**
	 * Updates a post that can no longer be answered: replaces its text with the current state of its message, and removes its buttons and
	 * its file. The text is updated until the message has ended.
	 */
	async #conclude(occurrence: Occurrence, action: DeliveryAction, kind: string, { title }: Plan): Promise<void> {
		const { outbox, discordOwner } = this.#parts;
		const { occurrenceId } = occurrence;
		const over = overOf(kind, action);
		const content = planReviewOutcome(action, occurrence, title, discordOwner());
		if (this.#shown.get(kind) === content || (await outbox.isNoted(occurrenceId, over))) return;
		const post = await outbox.posted(occurrenceId, kind);
		if (post === undefined) return;
		const edited = await outbox.edit(post.channel, post.message, { content, buttons: [], file: null });
		if (edited !== "done" && edited !== "gone") return;
		const isOver = action.status === "completed" || action.status === "failed" || edited === "gone";
		if (isOver) {
			this.#shown.delete(kind);
			await outbox.note(occurrenceId, over, post.channel, post.message);
		} else this.#shown.set(kind, content);
	}

	/** A preview of what would be sent; undefined if there is nothing to send. */
	async #preview({ occurrenceId }: Occurrence, { actionId, status }: DeliveryAction) {
		if (status === "unknown") return undefined;
		try {
			return await this.#parts.plans.preview({ occurrenceId, actionId });
		} catch (error) {
			if (error instanceof ContractError) return undefined;
			throw error;
		}
	}

	async #directOf(user: string): Promise<string> {
		const channel = this.#direct.get(user) ?? (await this.#parts.wire.direct(user));
		this.#direct.set(user, channel);
		return channel;
	}
}

function isWaiting({ status }: DeliveryAction): boolean {
	return status === "needs_review" || status === "unknown";
}

/**
 * The mark that is recorded once a post says how its message ended. It changes if the channel reports more later, such as that the message
 * arrived after all.
 */
function overOf(kind: string, { later = [] }: DeliveryAction): string {
	return later.length === 0 ? `over:${kind}` : `over:${kind}:${later.length}`;
}

/**
 * The kind of a post. It stays the same while the message waits for the same thing, and changes if the message waits again after another
 * attempt or more work.
 */
function kindOf({ runs }: Occurrence, { actionId, status, attempts }: DeliveryAction): string {
	return `${WAITING}${actionId}:${status}:${runs.length}.${attempts}`;
}
