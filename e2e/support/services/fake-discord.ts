import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { waitUntil, within } from "../machine/wait-until.ts";

const Button = z.object({ label: z.string(), custom_id: z.string() });
const Message = z.object({
	id: z.string(),
	channel_id: z.string(),
	author: z.object({ id: z.string() }),
	content: z.string(),
	components: z.array(z.object({ components: z.array(Button) })),
	attachments: z.array(z.object({ filename: z.string(), size: z.number(), url: z.string() })),
	message_reference: z.object({ message_id: z.string() }).optional(),
	edits: z.number(),
	flags: z.number(),
	allowed_mentions: z.unknown().optional(),
	nonce: z.string().optional(),
});
export type DiscordPost = z.infer<typeof Message>;
const State = z.object({
	messages: z.array(Message),
	answered: z.array(z.object({ interaction: z.string(), type: z.number(), content: z.string(), isEphemeral: z.boolean() })),
	commands: z.array(z.object({ name: z.string() })),
	requests: z.array(z.object({ method: z.string(), path: z.string(), status: z.number() })),
	gateway: z.array(z.string()),
	isConnected: z.boolean(),
});
export type DiscordState = z.infer<typeof State>;

export const BOT_TOKEN = "fake.bot.token";
const BOT = "100";
/** Channels of the fake: two of a server, and a direct message. */
export const OPS = "300";
export const PLANS = "301";
export const DIRECT = "310";
/** Further channels of the server: tests that share a bot have one each. */
export const ownChannels: readonly string[] = Array.from({ length: 20 }, (_, n) => String(320 + n));
const mira = { id: "200", username: "mira" };
export const jonas = { id: "201", username: "jonas" };
export const stranger = { id: "999", username: "mallory" };

export class FakeDiscord implements AsyncDisposable {
	readonly url: string;
	/** Where it is said, clicked and read, unless a call names another one. */
	readonly channel: string;
	readonly #end: () => Promise<void>;

	constructor(url: string, end: () => Promise<void>, channel = OPS) {
		this.url = url;
		this.channel = channel;
		this.#end = end;
	}

	/** The same Discord, as seen from another channel; ends with this one. */
	in(channel: string): FakeDiscord {
		return new FakeDiscord(this.url, async () => {}, channel);
	}

	/** Settings of a bridge that uses it. */
	get settings(): Record<string, string> {
		return {
			XWORKMATE_DISCORD_TOKEN: BOT_TOKEN,
			XWORKMATE_DISCORD_API: `${this.url}/api`,
			XWORKMATE_DISCORD_APPROVERS: mira.id,
			XWORKMATE_DISCORD_USERS: jonas.id,
			XWORKMATE_DISCORD_CHANNELS: OPS,
			XWORKMATE_DEFAULT_PROVIDER: "script",
		};
	}

	/** An order of e2e/fakes/discord/main.ts. */
	async do(order: Readonly<Record<string, unknown>>): Promise<string> {
		const answer = await fetch(`${this.url}/__fake/do`, { method: "POST", body: JSON.stringify(order) });
		return z.object({ id: z.string().default("") }).parse(await answer.json()).id;
	}

	say(content: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
		return this.do({ kind: "say", channel: this.channel, user: mira, content, ...more });
	}

	click(customId: string, user: object = mira, channel = this.channel): Promise<string> {
		return this.do({ kind: "click", channel, user, customId });
	}

	command(name: string, user: object = mira): Promise<string> {
		return this.do({ kind: "command", channel: this.channel, user, name });
	}

	async state(): Promise<DiscordState> {
		return State.parse(await (await fetch(`${this.url}/__fake/state`)).json());
	}

	/** The bot's posts, in the order in which they were sent. */
	async posts(channel = this.channel): Promise<readonly DiscordPost[]> {
		return (await this.state()).messages.filter(({ author, channel_id: id }) => author.id === BOT && id === channel);
	}

	connected(times = 1): Promise<true> {
		return waitUntil("the bot's connection", 50_000, async () => {
			const { isConnected, gateway } = await this.state();
			return isConnected && gateway.length >= times ? true : undefined;
		});
	}

	/** How often the bot has connected so far. */
	async connections(): Promise<number> {
		return (await this.state()).gateway.length;
	}

	/** A post that fits. */
	post(what: string, fits: (post: DiscordPost) => boolean, channel = this.channel): Promise<DiscordPost> {
		return waitUntil(what, 50_000, async () => (await this.posts(channel)).find(fits));
	}

	/** The post that ends with what was done: a run's last. */
	answered(text: string): Promise<DiscordPost> {
		return this.post(`the answer ${text}`, ({ content }) => content.includes(text) && content.includes("receipt"));
	}

	/** The id of the button with this label. */
	async button(label: string): Promise<string> {
		const post = await this.post(`the button ${label}`, (one) => buttonsOf(one).some((button) => button.label === label));
		return buttonsOf(post).find((button) => button.label === label)?.custom_id ?? "";
	}

	/** What the user alone was shown after a click or a command. */
	reply(interaction: string): Promise<string> {
		return waitUntil("an answer to an interaction", 50_000, async () => {
			const found = (await this.state()).answered.find((one) => one.interaction === interaction && one.content !== "");
			if (found !== undefined && !found.isEphemeral) throw new Error(`everybody sees: ${found.content}`);
			return found?.content;
		});
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.#end();
	}
}

export function buttonsOf({ components }: DiscordPost): readonly z.infer<typeof Button>[] {
	return components.flatMap((row) => row.components);
}

/** Discord, as a process on 127.0.0.1. */
export async function startFakeDiscord(): Promise<FakeDiscord> {
	const main = new URL("../../fakes/discord/main.ts", import.meta.url);
	const child = spawn(process.execPath, [fileURLToPath(main)], { env: { PATH: "/usr/bin:/bin" }, stdio: ["pipe", "pipe", "inherit"] });
	const ended = once(child, "exit");
	const [first] = await within("the address of the fake Discord", 60_000, once(child.stdout, "data"));
	const { url } = z.object({ url: z.string() }).parse(JSON.parse(String(first)));
	return new FakeDiscord(url, async () => {
		child.kill("SIGTERM");
		await within("the end of the fake Discord", 5_000, ended);
	});
}
