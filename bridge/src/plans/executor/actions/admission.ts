import { createHash } from "node:crypto";
import { type ChannelId, type DeliveryAction, type Occurrence, Sha256 } from "@xworkmate/contracts";
import { timestamp } from "../../../ports/clock.ts";
import type { ActionRow } from "../../../ports/plans/plan-store.ts";
import { textOf } from "../../messages.ts";
import { channelNames } from "../../words/channel-words.ts";
import type { ExecutorParts } from "../executor-parts.ts";
import type { Hold } from "./hold.ts";

const HOUR_MS = 60 * 60_000;

type AdmissionParts = Pick<ExecutorParts, "store" | "clock" | "limits" | "channels">;

/**
 * Limits the messages per channel and hour, and holds a text that two plans would send to one recipient within a short time. Created for
 * each check. A check claims the messages that it admits before the next check begins, so messages claimed by earlier checks are counted in
 * the store, and those admitted by this check are counted here. Both may still be refused, and then do not count, so while they fill the
 * limit, other messages are left for a later check.
 */
export class Admission {
	readonly #parts: AdmissionParts;
	/** The number of messages of a channel that have left, and of those that are about to, including those that this check has admitted. */
	readonly #taken = new Map<ChannelId, { readonly left: number; readonly claimed: number }>();
	/** The texts of the messages that this check has admitted, with their plans. */
	readonly #texts = new Map<string, string>();
	readonly #unavailable = new Map<ChannelId, Hold | undefined>();

	constructor(parts: AdmissionParts) {
		this.#parts = parts;
	}

	/**
	 * The reason why a message has to wait for the user; "later" if it is left for the next check; undefined if it may be sent. A message
	 * that was built before always passes: the user has reviewed it, or an earlier check admitted it.
	 */
	async holds(row: ActionRow, occurrence: Occurrence, action: DeliveryAction): Promise<Hold | "later" | undefined> {
		const { channel, planId } = row;
		const taken = this.#taken.get(channel) ?? (await this.#counted(channel));
		if (action.payloadHash === undefined) {
			const { sendsPerHour } = this.#parts.limits;
			if (taken.left >= sendsPerHour) return tooMany(channel, sendsPerHour);
			if (taken.left + taken.claimed >= sendsPerHour) return "later";
			const hash = Sha256.parse(
				createHash("sha256")
					.update(textOf(occurrence, action) ?? "")
					.digest("hex"),
			);
			const key = `${row.lane} ${hash}`;
			// This check has admitted the other plan's message, but it is not recorded as handed over yet. Once it is handed over, the next check
			// finds it in the store.
			if ((this.#texts.get(key) ?? planId) !== planId) return "later";
			const same = await this.#same(row, hash);
			if (same !== undefined) return sentBefore[same];
			this.#texts.set(key, planId);
		}
		this.#taken.set(channel, { ...taken, claimed: taken.claimed + 1 });
		return undefined;
	}

	/** Why a channel cannot be used now; undefined if it can. */
	async unavailable(channel: ChannelId): Promise<Hold | undefined> {
		if (!this.#unavailable.has(channel)) this.#unavailable.set(channel, await this.#problem(channel));
		return this.#unavailable.get(channel);
	}

	async #problem(id: ChannelId): Promise<Hold | undefined> {
		const channel = this.#parts.channels.get(id);
		if (channel === undefined) return noChannel(id);
		const problem = await channel.availability();
		return problem && { code: "CHANNEL_UNAVAILABLE", message: problem.message, fix: problem.fix };
	}

	#counted(channel: ChannelId): ReturnType<AdmissionParts["store"]["leftSince"]> {
		const { store, clock } = this.#parts;
		return store.leftSince(channel, timestamp(clock.now() - HOUR_MS));
	}

	#same({ lane, planId }: ActionRow, hash: Sha256): ReturnType<AdmissionParts["store"]["sameSince"]> {
		const { store, clock, limits } = this.#parts;
		return store.sameSince(lane, hash, planId, timestamp(clock.now() - limits.sameWithinMs));
	}
}

function noChannel(channel: ChannelId): Hold {
	return {
		code: "CHANNEL_UNAVAILABLE",
		message: `This bridge can't send through ${channelNames[channel]}.`,
		fix: "Discard the message, or change the plan to use another channel.",
	};
}

/** The text names only the limit, because more messages may have been sent before the limit was lowered. */
function tooMany(channel: ChannelId, sendsPerHour: number): Hold {
	const most = sendsPerHour === 1 ? "1 message per hour is" : `${sendsPerHour} messages per hour are`;
	return {
		code: "SEND_LIMIT",
		message: `At most ${most} sent automatically through ${channelNames[channel]}, and that limit was reached.`,
		fix: "Find out what is sending so many messages, then send this one or discard it.",
	};
}

/** Why a message is held if another plan has sent the same text, or may have sent it. */
const sentBefore: Readonly<Record<"sent" | "unknown", Hold>> = {
	sent: {
		code: "DUPLICATE_CONTENT",
		message: "Another plan has just sent the same text to the same recipient.",
		fix: "Discard this message, or send it if you want the recipient to get the text twice.",
	},
	unknown: {
		code: "DUPLICATE_CONTENT",
		message: "Another plan may have just sent the same text to the same recipient; XWorkmate doesn't know whether that message was sent.",
		fix: "Check whether that message arrived. If it did not, send this one; otherwise, discard it.",
	},
};
