import { createHash } from "node:crypto";
import { ContractError, formatBytes, limits, type Routing, RunId, SubmitParams, type ThreadId, TurnId } from "@xworkmate/contracts";
import { KeyedQueue } from "@xworkmate/platform/async";
import type { RunService } from "../../ports/runs/run-service.ts";
import { type ChannelThreads, channelOf, sessionOf } from "./channel-threads.ts";
import { DiscordError, type DiscordMessage, type DiscordWire } from "./discord-wire.ts";
import type { Outbox } from "./outbox.ts";
import { plainWords } from "./text/escape-text.ts";

export interface ConversationParts {
	readonly runs: RunService;
	/** The routing of every message, because a message on Discord names no agent. */
	readonly routing: () => Promise<Routing>;
	readonly wire: Pick<DiscordWire, "download" | "messages">;
	readonly threads: ChannelThreads;
	readonly outbox: Outbox;
	readonly mayTalk: (user: string) => boolean;
	readonly me: () => string | undefined;
	readonly follow: (runId: RunId) => void;
	/**
	 * Aborted when the bridge is stopped. Messages that the next bridge will find are then left for it, like those written while no bridge is
	 * running.
	 */
	readonly stopped: AbortSignal;
}

/** Types of messages that a user wrote: a normal message, and a reply. */
const SPOKEN: readonly number[] = [0, 19];
/** The maximum number of pages of a channel's messages that are fetched after the bridge was offline. */
const MOST_PAGES = 10;
const PAGE = 100;
/** The kind of the post that says that a message didn't start a run. */
const REFUSED = "refused";
const REFUSED_EARLIER = "XWorkmate refused it earlier. To run it, send the message again; you will be told if something is wrong with it.";

/** Turns the messages of allowed users into runs. */
export class Conversation {
	readonly #parts: ConversationParts;
	/** The actions of each channel. */
	readonly #queue = new KeyedQueue<string>();

	constructor(parts: ConversationParts) {
		this.#parts = parts;
	}

	/** Settles once the message has become a run, was refused with an explanation, was ignored, or is left for the next bridge. */
	hear(message: DiscordMessage): Promise<void> {
		return this.#queue.add(message.channel_id, () => this.#hear(message));
	}

	/** Fetches the messages that were written after the last known one. */
	catchUp(channel: string): Promise<void> {
		return this.#queue.add(channel, async () => {
			const { threads, wire } = this.#parts;
			if (!(await threads.isAllowed(channel))) return;
			let after = await this.#lastKnown(await threads.threadOf(channel));
			for (let page = 0; after !== undefined && page < MOST_PAGES; page++) {
				const messages = await wire.messages(channel, after);
				for (const message of messages) await this.#hear(message);
				after = messages.length < PAGE ? undefined : messages.at(-1)?.id;
			}
		});
	}

	/** Runs the actions of a channel one after another, so that messages keep their order. */
	inOrder(channel: string, act: () => Promise<void>): Promise<void> {
		return this.#queue.add(channel, act);
	}

	/** The id of the latest message that became a run or, without one, of the command that began the thread; undefined if there is neither. */
	async #lastKnown(threadId: ThreadId): Promise<string | undefined> {
		const { items } = await this.#parts.runs.list({ threadId, limit: limits.listMax });
		const since = channelOf(threadId)?.since ?? 0n;
		const ids = [since, ...items.flatMap(({ turnId }) => (/^\d{1,20}$/.test(turnId) ? [BigInt(turnId)] : []))];
		const last = ids.reduce((one, other) => (one > other ? one : other));
		return last === 0n ? undefined : String(last);
	}

	/**
	 * True if the bridge is being stopped and the next bridge will find the message, which requires an earlier known message in the thread.
	 */
	async #isLeft(threadId: ThreadId): Promise<boolean> {
		return this.#parts.stopped.aborted && (await this.#lastKnown(threadId)) !== undefined;
	}

	async #hear(message: DiscordMessage): Promise<void> {
		const { author, webhook_id, type, channel_id: channel, id } = message;
		const { runs, threads, outbox, mayTalk, follow } = this.#parts;
		const isPerson = author.bot !== true && webhook_id === undefined && SPOKEN.includes(type);
		if (!isPerson || !mayTalk(author.id) || !(await threads.isAllowed(channel))) return;
		const threadId = await threads.threadOf(channel);
		// A message from before `/new` belongs to the earlier conversation, and does not become a run in this one.
		if (BigInt(id) <= (channelOf(threadId)?.since ?? 0n)) return;
		const turnId = TurnId.parse(id);
		const known = await ifFound(runs.resolve({ threadId, turnId }));
		if (known !== undefined) return follow(known.runId);
		const refusal = await outbox.stateOf(refusalOf(message), REFUSED);
		// The user was or may have been told that the message didn't start a run, and may have sent it again since.
		if (refusal === "sent" || refusal === "intended") return await this.#refuse(message, REFUSED_EARLIER);
		try {
			const params = await this.#params(message, threadId, turnId);
			// A run that began now would be cut off, and a refusal may only be due to the end of this bridge.
			if (await this.#isLeft(threadId)) return;
			follow((await this.#submit(params)).runId);
		} catch (error) {
			if (!(error instanceof ContractError)) throw error;
			if (await this.#isLeft(threadId)) return;
			await this.#refuse(message, `${error.message} ${error.fix}`);
		}
	}

	async #submit(params: SubmitParams) {
		const { runs } = this.#parts;
		try {
			return await runs.submit("session.message", params);
		} catch (error) {
			const isNew = error instanceof ContractError && (error.code === "SESSION_NOT_FOUND" || error.code === "SESSION_CLOSED");
			if (!isNew) throw error;
			return await runs.submit("session.start", params);
		}
	}

	/** @throws ContractError INVALID_PARAMS */
	async #params(message: DiscordMessage, threadId: ThreadId, turnId: TurnId): Promise<SubmitParams> {
		const attachments = await this.#attachments(message);
		const said = this.#withoutAddress(message.content);
		if (said === "" && attachments.length === 0)
			throw new ContractError("INVALID_PARAMS", { detail: "This message has no text.", fix: "Write what the agent should do." });
		const params = SubmitParams.safeParse({
			sessionId: sessionOf(threadId),
			threadId,
			turnId,
			prompt: said === "" ? "See the attached files." : said,
			routing: await this.#parts.routing(),
			...(attachments.length === 0 ? {} : { attachments }),
			origin: { kind: "operator", id: "discord" },
		});
		if (params.success) return params.data;
		throw unsuitable(params.error.issues[0]?.path ?? []);
	}

	/** Removes the bot's name at the beginning, because it only addresses the bot. */
	#withoutAddress(content: string): string {
		const said = content.trimStart();
		const [address, user] = /^<@!?(\d{1,20})>/.exec(said) ?? [];
		return (address !== undefined && user === this.#parts.me() ? said.slice(address.length) : said).trim();
	}

	/**
	 * @throws ContractError INVALID_PARAMS for files that are too large or can't be fetched: without its files, the message could mean
	 * something else
	 */
	async #attachments({ attachments }: DiscordMessage): Promise<object[]> {
		const total = attachments.reduce((sum, { size }) => sum + size, 0);
		const large = attachments.find(({ size }) => size > limits.attachmentBytes);
		if (large !== undefined) throw tooLarge(`${plainName(large.filename)} is ${formatBytes(large.size)}`, limits.attachmentBytes);
		if (total > limits.attachmentsBytes) throw tooLarge(`The files are ${formatBytes(total)} in total`, limits.attachmentsBytes);
		const files: object[] = [];
		for (const { filename: name, url, content_type: mediaType = "application/octet-stream" } of attachments) {
			const bytes = await this.#download(name, url);
			const sha256 = createHash("sha256").update(bytes).digest("hex");
			files.push({ name, mediaType, sizeBytes: bytes.length, sha256, base64: Buffer.from(bytes).toString("base64") });
		}
		return files;
	}

	async #download(name: string, url: string): Promise<Uint8Array> {
		try {
			return await this.#parts.wire.download(url, limits.attachmentBytes);
		} catch (error) {
			if (!(error instanceof DiscordError)) throw error;
			const detail = `The file ${plainName(name)} could not be fetched from Discord`;
			throw new ContractError("INVALID_PARAMS", { detail, fix: "Send the message again.", cause: error });
		}
	}

	/** Explains once why a message did not become a run. */
	async #refuse(message: DiscordMessage, why: string): Promise<void> {
		const { id, channel_id: channel } = message;
		await this.#parts.outbox.post({
			channel,
			runId: refusalOf(message),
			kind: REFUSED,
			reference: id,
			content: `**Your message didn't start a run.** ${plainWords(why, 600)}`,
		});
	}
}

/** The id under which the refusal of a message is posted: there is no run that it could belong to. */
function refusalOf({ id }: DiscordMessage): RunId {
	return RunId.parse(`discord-${id}`);
}

function tooLarge(what: string, mostBytes: number): ContractError {
	const fix = "Send fewer or smaller files, or put them where the agent can read them.";
	return new ContractError("INVALID_PARAMS", { detail: `${what}, but the limit is ${formatBytes(mostBytes)}.`, fix });
}

/** Why a message can't become a run, chosen by the field with the first problem, because the schema's own words are for developers. */
function unsuitable([field, member, part]: readonly PropertyKey[]): ContractError {
	const isFile = field === "attachments";
	if (isFile && part === undefined)
		return new ContractError("INVALID_PARAMS", { detail: "The message has too many files.", fix: "Send fewer files." });
	if (isFile && part === "name")
		return new ContractError("INVALID_PARAMS", {
			detail: "The name of an attached file can't be used.",
			fix: "Rename the file, then send the message again.",
		});
	if (isFile)
		return new ContractError("INVALID_PARAMS", { detail: "An attached file can't be used.", fix: "Send the message without that file." });
	if (field === "prompt") return new ContractError("INVALID_PARAMS", { detail: "The message is too long.", fix: "Shorten the message." });
	if (field === "routing" && member === "providerId")
		return new ContractError("INVALID_PARAMS", {
			detail: "The agent for messages from Discord can't be used.",
			fix: "Check the default agent under Settings, then send the message again.",
		});
	return new ContractError("INVALID_PARAMS", {
		detail: "XWorkmate can't make a run of this message.",
		fix: "Send the message in XWorkmate instead.",
	});
}

function plainName(name: string): string {
	return name.slice(0, 100);
}

/**
 * Resolves to undefined instead of rejecting with NOT_FOUND.
 * @throws any other error
 */
async function ifFound<T>(asked: Promise<T>): Promise<T | undefined> {
	try {
		return await asked;
	} catch (error) {
		if (error instanceof ContractError && error.code === "NOT_FOUND") return undefined;
		throw error;
	}
}
