import {
	ButtonStyle,
	Client,
	ComponentType,
	DiscordAPIError,
	DiscordjsError,
	DiscordjsErrorCodes,
	Events,
	GatewayCloseCodes,
	GatewayDispatchEvents,
	GatewayIntentBits,
	HTTPError,
	InteractionResponseType,
	MessageFlags,
	RateLimitError,
	REST,
	Routes,
} from "discord.js";
import { z } from "zod";
import {
	type Command,
	DiscordError,
	type DiscordInteraction,
	DiscordMessage,
	type DiscordWire,
	type NewPost,
	type PostBody,
} from "./discord-wire.ts";

export interface ConnectionEvents {
	/** A new session with Discord: earlier events will not be delivered. */
	ready(me: { readonly id: string; readonly name: string }): void;
	/** The session with Discord continues, and the events that were missed have been delivered. */
	resumed(): void;
	lost(why: string): void;
	/** The connection has ended. The caller has to connect again. */
	broken(why: string): void;
	refused(ending: "DISCORD_TOKEN_REJECTED" | "DISCORD_INTENT_MISSING"): void;
	/** A request has to wait, or fails if it would have to wait too long, because Discord limits how many it accepts. */
	slowed(): void;
	/** Discord has accepted a request. */
	accepted(): void;
	dispatched(type: "message" | "interaction", data: unknown): void;
}

export interface Connection extends DiscordWire, AsyncDisposable {
	/**
	 * Settles once it is connected.
	 * @throws DiscordError
	 */
	connect(): Promise<void>;
}

/** A request that Discord would delay for longer than this fails instead, so that its caller decides how long to wait. */
const LONGEST_WAIT_MS = 30_000;
const REQUEST_MS = 15_000;
const CLOSE_MS = 2_000;
const EPHEMERAL = MessageFlags.Ephemeral;
const styles = { primary: ButtonStyle.Primary, secondary: ButtonStyle.Secondary, danger: ButtonStyle.Danger };
/** Keeps the text of a post from mentioning anyone. */
const NO_MENTIONS = { parse: [], replied_user: false };
const { Guilds, GuildMessages, DirectMessages, MessageContent } = GatewayIntentBits;
const INTENTS = [Guilds, GuildMessages, DirectMessages, MessageContent];
/** Any other address would make the library end the process. */
const GatewayUrl = z.string().refine((url) => URL.canParse(url) && /^wss?:$/.test(new URL(url).protocol));
const Ready = z.object({
	application: z.object({ id: z.string() }),
	user: z.object({ id: z.string(), username: z.string() }),
	resume_gateway_url: GatewayUrl,
});

/** Opens a connection to Discord. Only this file uses the library, and it is loaded only if there is a token. */
export function openConnection(token: string, apiUrl: string | undefined, events: ConnectionEvents): Connection {
	const options = {
		version: "10",
		timeout: REQUEST_MS,
		retries: 0,
		rejectOnRateLimit: ({ retryAfter }: { readonly retryAfter: number }) => {
			events.slowed();
			return retryAfter > LONGEST_WAIT_MS;
		},
		...(apiUrl === undefined ? {} : { api: apiUrl.replace(/\/$/, "") }),
	};
	const rest = new REST(options).setToken(token);
	let gateway: Client | undefined;
	let application = "";
	let isRefused = false;
	const refuse = (ending: "DISCORD_TOKEN_REJECTED" | "DISCORD_INTENT_MISSING") => {
		isRefused = true;
		events.refused(ending);
	};
	/** Creates a client for each attempt, because a client that could not log in can't be used again. */
	const newGateway = (): Client => {
		let isReady = false;
		const client = new Client({ intents: INTENTS, rest: options });
		// Events are read and checked here; the library's own model of servers and members would only cost memory.
		Object.defineProperty(client.ws, "handlePacket", { value: () => true });
		client.ws.on(GatewayDispatchEvents.MessageCreate, (data: unknown) => events.dispatched("message", data));
		client.ws.on(GatewayDispatchEvents.InteractionCreate, (data: unknown) => events.dispatched("interaction", data));
		client.ws.on(GatewayDispatchEvents.Resumed, () => events.resumed());
		client.ws.on(GatewayDispatchEvents.Ready, (data: unknown) => {
			const ready = Ready.safeParse(data);
			if (!ready.success) {
				void client.destroy();
				events.broken("Discord's first message can't be read.");
				return;
			}
			isReady = true;
			application = ready.data.application.id;
			events.ready({ id: ready.data.user.id, name: ready.data.user.username });
		});
		client.on(Events.ShardDisconnect, ({ code }) => {
			if (code === GatewayCloseCodes.AuthenticationFailed) refuse("DISCORD_TOKEN_REJECTED");
			else if (code === GatewayCloseCodes.DisallowedIntents) refuse("DISCORD_INTENT_MISSING");
			// Before the client is ready, the call to connect fails with an error, so no event is needed.
			else if (isReady) events.broken(`The connection was closed (${code}).`);
		});
		client.on(Events.ShardReconnecting, () => {
			if (!isRefused) events.lost("The connection was lost.");
		});
		client.on(Events.ShardError, () => {
			if (!isRefused) events.lost("The connection failed.");
		});
		client.on(Events.Error, () => events.lost("The connection failed."));
		return client;
	};

	/**
	 * Reports that a request was accepted, and converts an error of the library. The error's message is not passed on, because it may quote
	 * what was sent.
	 */
	const sent = async <T>(request: Promise<T>): Promise<T> => {
		try {
			const answer = await request;
			events.accepted();
			return answer;
		} catch (error) {
			throw toDiscordError(error);
		}
	};
	const ephemeral = (content: string) => ({ content, flags: EPHEMERAL, allowed_mentions: NO_MENTIONS });

	return {
		async connect() {
			const found = z.object({ url: GatewayUrl }).safeParse(await sent(rest.get(Routes.gatewayBot())));
			if (!found.success) throw new DiscordError("unavailable", "Discord did not return a usable address to connect to.");
			gateway = newGateway();
			await sent(gateway.login(token));
		},
		async post(channel, { nonce, reference, ...post }: NewPost) {
			const reply = reference === undefined ? {} : { message_reference: { message_id: reference, fail_if_not_exists: false } };
			const body = { ...toBody(post), ...reply, nonce, enforce_nonce: true };
			const made = z
				.object({ id: z.string() })
				.safeParse(await sent(rest.post(Routes.channelMessages(channel), { body, ...filesOf(post) })));
			// The message may have been posted. The next attempt checks this by the nonce.
			if (!made.success) throw new DiscordError("unavailable", "Discord's response to a post can't be read.");
			return made.data.id;
		},
		async edit(channel, message, post) {
			await sent(rest.patch(Routes.channelMessage(channel, message), { body: { ...toBody(post), ...keptOf(post) }, ...filesOf(post) }));
		},
		async messages(channel, after) {
			const query = new URLSearchParams({ limit: "100", ...(after === undefined ? {} : { after }) });
			const found = z.array(DiscordMessage).safeParse(await sent(rest.get(Routes.channelMessages(channel), { query })));
			if (!found.success) throw new DiscordError("unavailable", "Discord sent messages that can't be read.");
			return found.data.sort((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
		},
		async isDirect(channel) {
			const found = z.object({ type: z.int() }).safeParse(await sent(rest.get(Routes.channel(channel))));
			if (!found.success) throw new DiscordError("unavailable", "Discord sent channel data that can't be read.");
			return found.data.type === 1;
		},
		async direct(user) {
			const found = z.object({ id: z.string() }).safeParse(await sent(rest.post(Routes.userChannels(), { body: { recipient_id: user } })));
			if (!found.success) throw new DiscordError("unavailable", "Discord sent channel data that can't be read.");
			return found.data.id;
		},
		async reply({ id, token: secret }: DiscordInteraction, content: string) {
			const body = { type: InteractionResponseType.ChannelMessageWithSource, data: ephemeral(content) };
			await sent(rest.post(Routes.interactionCallback(id, secret), { body, auth: false }));
		},
		async acknowledge({ id, token: secret }) {
			const body = { type: InteractionResponseType.DeferredMessageUpdate };
			await sent(rest.post(Routes.interactionCallback(id, secret), { body, auth: false }));
		},
		async followUp({ token: secret }, content) {
			await sent(rest.post(Routes.webhook(application, secret), { body: ephemeral(content), auth: false }));
		},
		async setCommands(commands: readonly Command[]) {
			const body = commands.map((command) => ({ ...command, type: 1 }));
			await sent(rest.put(Routes.applicationCommands(application), { body }));
		},
		download: (url, mostBytes) => download(url, mostBytes, apiUrl),
		async [Symbol.asyncDispose]() {
			const { promise: bound, resolve } = Promise.withResolvers<void>();
			const timer = setTimeout(resolve, CLOSE_MS);
			await Promise.race([gateway?.destroy(), bound]);
			clearTimeout(timer);
			rest.clearHashSweeper();
			rest.clearHandlerSweeper();
		},
	};
}

function toBody({ content, buttons }: PostBody): object {
	const row = (buttons ?? []).map(({ label, customId, style }) => ({
		type: ComponentType.Button,
		label,
		style: styles[style],
		custom_id: customId,
	}));
	return {
		content,
		components: row.length === 0 ? [] : [{ type: ComponentType.ActionRow, components: row }],
		allowed_mentions: NO_MENTIONS,
		// Suppresses link previews, which Discord would fetch at once, no matter where a link leads.
		flags: MessageFlags.SuppressEmbeds,
	};
}

/** The files of an edited post. Without `attachments`, Discord keeps all and adds the new one. 0: the first file that is sent along. */
function keptOf({ file }: PostBody): object {
	return file === undefined ? {} : { attachments: file === null ? [] : [{ id: 0, filename: file.name }] };
}

function filesOf({ file }: PostBody) {
	return file === undefined || file === null
		? {}
		: { files: [{ name: file.name, data: Buffer.from(file.data), contentType: "text/plain; charset=utf-8" }] };
}

function toDiscordError(error: unknown): DiscordError {
	if (error instanceof DiscordError) return error;
	if (error instanceof RateLimitError) {
		return new DiscordError("unavailable", "Discord is limiting requests.", { retryAfterMs: error.retryAfter });
	}
	if (error instanceof DiscordAPIError) {
		const kind = error.status === 401 ? "token" : "refused";
		return new DiscordError(kind, `Discord rejected a request (${error.status}, ${error.code}).`, { code: Number(error.code) });
	}
	if (error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid)
		return new DiscordError("token", "Discord rejected the token.");
	if (error instanceof HTTPError) return new DiscordError("unavailable", `Discord responded with ${error.status}.`);
	return new DiscordError("unavailable", "Discord did not answer.");
}

/** Downloads a file, only from Discord's own hosts or the configured address. */
async function download(url: string, mostBytes: number, apiUrl: string | undefined): Promise<Uint8Array> {
	const hosts = ["https://cdn.discordapp.com", "https://media.discordapp.net", ...(apiUrl === undefined ? [] : [new URL(apiUrl).origin])];
	if (!URL.canParse(url) || !hosts.includes(new URL(url).origin))
		throw new DiscordError("refused", "Its address does not belong to Discord.");
	try {
		const response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(REQUEST_MS) });
		if (!response.ok || response.body === null) throw new DiscordError("unavailable", `Discord responded with ${response.status}.`);
		const chunks: Uint8Array[] = [];
		let bytes = 0;
		for await (const chunk of response.body) {
			chunks.push(chunk);
			bytes += chunk.length;
			if (bytes > mostBytes) throw new DiscordError("refused", "It is larger than Discord reported.");
		}
		return Buffer.concat(chunks);
	} catch (error) {
		throw toDiscordError(error);
	}
}
