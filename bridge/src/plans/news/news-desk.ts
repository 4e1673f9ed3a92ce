import type { ChannelId, Timestamp } from "@xworkmate/contracts";
import type { ChannelNews, KeyedTold, MessageNews, ReplyWindows } from "../../ports/channels/channel-news.ts";
import type { ActionAt, ChannelStore, WaitingTold } from "../../ports/channels/channel-store.ts";
import { timestamp } from "../../ports/clock.ts";
import { concernsChannel } from "../domain/concerns-channel.ts";
import { type TellPlanParts, tellPlan } from "./tell-plan.ts";
import { type ReplyParts, tellWaiting } from "./waiting-for-reply.ts";

export interface NewsDeskParts extends TellPlanParts, ReplyParts {
	readonly store: TellPlanParts["store"] & ReplyParts["store"];
	readonly told: ChannelStore;
	readonly windows: ReplyWindows;
	/** Called when a channel reports that, at this time, it refused a message for a reason that concerns the channel itself. May throw. */
	readonly onChannelRefused?: (channel: ChannelId, at: Timestamp) => void;
	readonly clock: TellPlanParts["clock"] & { at(time: number, act: () => void): Disposable };
	readonly onError: (error: unknown) => void;
}

const PAGE = 200;
const AFTER_FAILURE_MS = 1_000;
const LOOK_EVERY_MS = 60_000;
/** How long a report about an unknown message is kept: it may arrive before the answer that gives the message its id. */
const UNKNOWN_MS = 10 * 60_000;
/**
 * How long applied reports are remembered at least: older ones are removed when a bridge starts. Channels repeat unanswered reports for a
 * week.
 */
const REMEMBER_MS = 14 * 24 * 60 * 60_000;
const FORGET_AT_ONCE = 1_000;

/**
 * Takes reports from channels. Each is stored before its sender gets an answer, and is then passed on to the plans. A report about a
 * message that is still being sent waits until sending has ended. The rows in the store are authoritative, and the bridge continues with
 * them after a restart.
 */
export class NewsDesk implements AsyncDisposable {
	readonly #parts: NewsDeskParts;
	readonly #unsubscribe: () => void;
	#timer: Disposable | undefined;
	#looking: Promise<void> | undefined;
	#mustLookAgain = false;
	#hasWaiting = true;
	#hasBegun = false;
	#isStopping = false;

	constructor(parts: NewsDeskParts) {
		this.#parts = parts;
		this.#unsubscribe = parts.log.onCommitted(() => {
			if (this.#hasWaiting) this.#wake();
		});
	}

	/**
	 * Stores reports: they are durable once this resolves. A report that was taken before is ignored.
	 * @throws the store's error
	 */
	async take(told: readonly KeyedTold[]): Promise<void> {
		const { told: store, clock } = this.#parts;
		if ((await store.keep(told, timestamp(clock.now()))) > 0) this.#wake();
	}

	/** Begins to apply reports, including those that an earlier bridge left. */
	async begin(): Promise<void> {
		const { told, clock, onError } = this.#parts;
		this.#hasBegun = true;
		this.#wake();
		const before = timestamp(clock.now() - REMEMBER_MS);
		await told.forget(before, FORGET_AT_ONCE).catch(onError);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#isStopping = true;
		this.#unsubscribe();
		this.#timer?.[Symbol.dispose]();
		await this.#looking;
	}

	#wake(): void {
		this.#hasWaiting = true;
		if (!this.#hasBegun || this.#isStopping) return;
		this.#mustLookAgain = true;
		this.#looking ??= this.#lookAround().finally(() => {
			this.#looking = undefined;
			// A request that came too late for the check that was just ending.
			if (this.#mustLookAgain) this.#wake();
		});
	}

	async #lookAround(): Promise<void> {
		let next = LOOK_EVERY_MS;
		while (this.#mustLookAgain && !this.#isStopping) {
			// Everything committed within one turn of the event loop is handled together.
			await new Promise((resolve) => setImmediate(resolve));
			this.#mustLookAgain = false;
			try {
				const isWhole = await this.#look();
				next = isWhole ? LOOK_EVERY_MS : AFTER_FAILURE_MS;
			} catch (error) {
				this.#parts.onError(error);
				next = AFTER_FAILURE_MS;
			}
		}
		this.#timer?.[Symbol.dispose]();
		if (this.#isStopping || !this.#hasWaiting) return;
		const { clock } = this.#parts;
		this.#timer = clock.at(clock.now() + next, () => this.#wake());
	}

	/** False if something failed and will be retried. */
	async #look(): Promise<boolean> {
		const { told } = this.#parts;
		let left = 0;
		let failed = 0;
		let afterId: number | undefined;
		do {
			const page = await told.waiting(PAGE, afterId);
			afterId = page.at(-1)?.id;
			for (const one of page.toSorted(weightiestFirst)) {
				if (this.#isStopping) return true;
				const end = await this.#handle(one).catch((error: unknown) => this.#failed(error));
				if (end === "told") await told.markHandled([one.id]);
				else left++;
				if (end === "failed") failed++;
			}
		} while (afterId !== undefined);
		this.#hasWaiting = left > 0 || this.#mustLookAgain;
		return failed === 0;
	}

	#failed(error: unknown): "failed" {
		this.#parts.onError(error);
		return "failed";
	}

	/**
	 * `waits`: it is too early for this report.
	 * @throws the store's error
	 */
	async #handle({ told, receivedAt }: WaitingTold): Promise<"told" | "waits"> {
		const { windows, clock } = this.#parts;
		if (told.kind === "reply") {
			await windows.note(told, told.at);
			const until = await windows.until(told);
			if (until !== undefined && Date.parse(until) > clock.now()) await tellWaiting(this.#parts, told.channel, told.address, until);
			return "told";
		}
		const { news } = told;
		const place = await this.#find(news);
		if (place === undefined) {
			// An unknown id in the form of the bridge's own ids belongs to a message that this bridge did not send. A report without such an id
			// may be about a message that has no id yet.
			const mayBeOurs = news.ours === undefined && Date.parse(receivedAt) + UNKNOWN_MS > clock.now();
			return mayBeOurs ? "waits" : "told";
		}
		const { providerMessageId, ours, at } = news;
		const end = await tellPlan(this.#parts, place, { news: news.news, saidAt: at, providerMessageId, attempt: ours?.attempt });
		if (end === "told") this.#tellRefused(news);
		return end;
	}

	/** Never throws, because the report has been recorded. */
	#tellRefused({ channel, news, at }: ChannelNews): void {
		if (news.kind !== "held" || !concernsChannel(channel, news.code)) return;
		try {
			this.#parts.onChannelRefused?.(channel, at);
		} catch (error) {
			this.#parts.onError(error);
		}
	}

	async #find({ channel, providerMessageId, ours }: ChannelNews): Promise<ActionAt | undefined> {
		const { told } = this.#parts;
		if (ours !== undefined) return await told.findAction(ours.actionId, channel);
		return providerMessageId === undefined ? undefined : await told.findAtChannel(channel, providerMessageId);
	}
}

/**
 * Orders reports that wait together: proof of delivery first, then failures, then weaker proofs, and replies last. Their order of arrival
 * has no meaning.
 */
function weightiestFirst(one: WaitingTold, other: WaitingTold): number {
	return weight(one) - weight(other) || one.id - other.id;
}

function weight({ told }: WaitingTold): number {
	return told.kind === "reply" ? 3 : newsWeight(told.news.news);
}

function newsWeight(news: MessageNews): number {
	if (news.kind !== "proved") return 1;
	return news.proof === "delivered" || news.proof === "read" ? 0 : 2;
}
