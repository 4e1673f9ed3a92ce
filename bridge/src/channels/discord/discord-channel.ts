import { type Channel, type ChannelTestStep, type LintFinding, type PayloadPart, Redaction, type Unavailable } from "@xworkmate/contracts";
import { z } from "zod";
import type { Attempt, Built, DeliveryChannel, HandOver, Message, SendOutcome, Unsettled } from "../../ports/channels/channel.ts";
import type { MessageNews } from "../../ports/channels/channel-news.ts";
import { type Clock, timestamp } from "../../ports/clock.ts";
import type { Payload } from "../../ports/plans/plan-event.ts";
import type { ReadStored } from "../set-up/channels-file.ts";
import { settingFix } from "../set-up/setting-fix.ts";
import { type ApiEnd, type ApiLimits, type ApiRequest, askApi } from "./api-exchange.ts";
import { buildPost, MOST_CHARACTERS, PostEnvelope, postParts } from "./build-post.ts";
import { readPlace } from "./discord-address.ts";
import {
	type DiscordApi,
	type DiscordBot,
	discordOwner,
	discordSettings,
	discordSettingsProblem,
	isApi,
	readBot,
} from "./discord-settings.ts";
import { findPost } from "./find-post.ts";
import { postOutcome, questionOutcome } from "./post-outcome.ts";

const defaultLimits: ApiLimits = { connectMs: 15_000, idleMs: 30_000 };
const Opened = z.object({ id: z.string().regex(/^\d{1,20}$/) });
const nothingLeaves: HandOver = () => Promise.resolve();

export interface DiscordChannelOptions {
	readonly bot: DiscordBot;
	/** Reads the current settings. */
	readonly read: () => ReadStored;
	/** Checks a deliverable, and returns what the channel objects to. */
	readonly lint: (text: string) => readonly LintFinding[];
	readonly clock: Pick<Clock, "now">;
	readonly limits?: ApiLimits;
}

interface Place {
	readonly id: string;
}

/** Sends posts as the bridge's own bot, in direct messages and channels. */
export class DiscordChannel implements DeliveryChannel {
	readonly channel = "discord";
	readonly constraints =
		"Your deliverable will be sent as a Discord message. Under 2000 characters. Bold, italics, links, short lists and headings of up to three # render; tables, images and HTML don't. Mentions don't notify anyone.";
	readonly #options: DiscordChannelOptions;
	/** The direct-message channel of each user that was looked up, by the user's id. A user's channel never changes. */
	readonly #direct = new Map<string, Place>();

	constructor(options: DiscordChannelOptions) {
		this.#options = options;
	}

	lint(text: string): readonly LintFinding[] {
		return this.#options.lint(text);
	}

	contentProblem(text: string): string | undefined {
		if (text.trim() === "") return "The message is empty.";
		if (!text.isWellFormed() || text.includes("\0")) return "The message has characters that Discord can't show.";
		return text.length > MOST_CHARACTERS ? "The message is longer than the 2000 characters that Discord allows." : undefined;
	}

	owner(): string | undefined {
		const read = this.#options.read();
		return read.kind === "unusable" ? undefined : discordOwner(read.stored);
	}

	async render(message: Message): Promise<Built> {
		return buildPost(message);
	}

	partsOf(payload: Payload): Promise<readonly PayloadPart[]> {
		return postParts(payload);
	}

	async availability(): Promise<Unavailable | undefined> {
		const ready = this.#ready();
		return isApi(ready) ? undefined : ready;
	}

	/**
	 * Repeating a message is harmless for a few minutes, because it has the same nonce. Even so, a message that Discord may have accepted
	 * is not repeated automatically.
	 */
	async send(payload: Payload, handOver: HandOver, signal: AbortSignal, _attempt?: Attempt): Promise<SendOutcome> {
		const api = this.#ready();
		if (!isApi(api)) return { kind: "held", code: "CHANNEL_UNAVAILABLE", message: api.message, fix: api.fix };
		const place = await this.#placeOf(api, PostEnvelope.parse(JSON.parse(payload.envelope)).to, signal);
		const outcome = "kind" in place ? questionOutcome(place) : postOutcome(await this.#post(api, place, payload, handOver, signal));
		return withoutToken(outcome, api);
	}

	async settle({ payload, since }: Unsettled, signal: AbortSignal): Promise<MessageNews | undefined> {
		const api = this.#ready();
		if (!isApi(api)) return undefined;
		const place = await this.#placeOf(api, PostEnvelope.parse(JSON.parse(payload.envelope)).to, signal);
		if ("kind" in place) return undefined;
		const ask = (path: string) => this.#ask({ api, method: "GET", path }, nothingLeaves, signal);
		const found = await findPost(ask, place.id, payload, { since: Date.parse(since), now: () => this.#options.clock.now() });
		return found === undefined ? undefined : { kind: "proved", proof: "delivered" };
	}

	async view(): Promise<Channel> {
		const read = this.#options.read();
		const { settings } = read.kind === "unusable" ? { settings: {} } : read.stored;
		const unavailable = await this.availability();
		const owner = this.owner();
		return {
			channel: this.channel,
			ready: unavailable === undefined,
			...(unavailable !== undefined && { unavailable }),
			...(owner !== undefined && { owner }),
			settings: { ...settings },
			secrets: [],
		};
	}

	async test(
		address: string,
		signal: AbortSignal,
	): Promise<{ readonly ok: boolean; readonly steps: readonly ChannelTestStep[]; readonly problem?: Unavailable }> {
		const api = this.#ready();
		if (!isApi(api)) return { ok: false, steps: [{ step: "settings", ok: false, message: api.message }], problem: api };
		const steps: ChannelTestStep[] = [{ step: "settings", ok: true, message: "The bot's token is set." }];
		const failed = (step: ChannelTestStep["step"], outcome: SendOutcome) => testEnd(steps, step, withoutToken(outcome, api));
		const me = await this.#ask({ api, method: "GET", path: "/users/@me" }, nothingLeaves, signal);
		if (me.kind === "broken") return failed("connect", questionOutcome(me));
		steps.push({ step: "connect", ok: true, message: `${api.base.host} answers.` });
		if (me.status !== 200) return failed("sign_in", questionOutcome(me));
		steps.push({ step: "sign_in", ok: true, message: "Discord accepted the bot's token." });
		const place = await this.#placeOf(api, address, signal);
		if ("kind" in place) return failed("send", questionOutcome(place));
		const at = timestamp(this.#options.clock.now());
		const text = "This is a test message from XWorkmate. Discord works.";
		const { payload } = buildPost({ title: "XWorkmate: test message", text, address, files: [], at });
		const outcome = postOutcome(await this.#post(api, place, payload, nothingLeaves, signal));
		if (outcome.kind !== "accepted") return failed("send", outcome);
		const where = readPlace(address).kind === "channel" ? "channel" : "direct messages with that user";
		const done = [
			{ step: "send", ok: true, message: "Discord received the message." },
			{ step: "accepted", ok: true, message: `The message is in the ${where}.` },
		] as const;
		return { ok: true, steps: [...steps, ...done] };
	}

	/** The channel of an address. For a person, the direct-message channel is opened, which does not send anything yet. */
	async #placeOf(api: DiscordApi, address: string, signal: AbortSignal): Promise<Place | ApiEnd> {
		const { kind, id } = readPlace(address);
		if (kind === "channel") return { id };
		const known = this.#direct.get(id);
		if (known !== undefined) return known;
		const body = { mediaType: "application/json", bytes: Buffer.from(JSON.stringify({ recipient_id: id })) };
		const end = await this.#ask({ api, method: "POST", path: "/users/@me/channels", body }, nothingLeaves, signal);
		const opened = end.kind === "answered" && end.status === 200 ? Opened.safeParse(end.body).data : undefined;
		if (opened === undefined) return end;
		this.#direct.set(id, opened);
		return opened;
	}

	#post(api: DiscordApi, { id }: Place, { mediaType, bytes }: Payload, handOver: HandOver, signal: AbortSignal): Promise<ApiEnd> {
		return this.#ask({ api, method: "POST", path: `/channels/${id}/messages`, body: { mediaType, bytes } }, handOver, signal);
	}

	#ask(asked: Omit<ApiRequest, "limits">, handOver: HandOver, signal: AbortSignal): Promise<ApiEnd> {
		return askApi({ ...asked, limits: this.#options.limits ?? defaultLimits }, handOver, signal);
	}

	#ready(): DiscordApi | Unavailable {
		const read = this.#options.read();
		if (read.kind === "unusable") return read.problem;
		const problem = discordSettingsProblem(read.stored);
		if (problem === undefined) return readBot(this.#options.bot);
		const fix = settingFix(this.channel, read.stored, { settings: discordSettings, secrets: [] });
		return { code: "CHANNEL_SETTINGS_INVALID", message: `Discord: ${problem}.`, fix };
	}
}

/** Removes the token from the message, because a server that poses as Discord may quote the token it was sent. */
function withoutToken(outcome: SendOutcome, { token }: DiscordApi): SendOutcome {
	return outcome.kind === "accepted" ? outcome : { ...outcome, message: new Redaction([token]).text(outcome.message) };
}

function testEnd(steps: readonly ChannelTestStep[], step: ChannelTestStep["step"], outcome: SendOutcome) {
	if (outcome.kind === "accepted") return { ok: true, steps };
	const { message } = outcome;
	const failed = { step, ok: false, message: message.slice(0, 1_000) };
	return { ok: false, steps: [...steps, failed], problem: problemOf(outcome) };
}

function problemOf(outcome: Exclude<SendOutcome, { kind: "accepted" }>): Unavailable {
	const { kind, message } = outcome;
	if (kind === "passing") return { code: "CHANNEL_UNAVAILABLE", message, fix: "Test the channel again later." };
	if (kind === "no_answer") return { code: "NO_ANSWER", message, fix: "Check whether the test message has arrived." };
	return { code: outcome.code, message, fix: outcome.fix };
}
