import { type Operator, Redaction, type Routing, type RunId } from "@xworkmate/contracts";
import type { Clock } from "../../ports/clock.ts";
import type { OperatorStore } from "../../ports/operator-store.ts";
import type { RunService } from "../../ports/runs/run-service.ts";
import { ChannelThreads } from "./channel-threads.ts";
import { Conversation } from "./conversation.ts";
import type { Connection, ConnectionEvents } from "./discord-connection.ts";
import { DiscordStatus, LATEST_RUNS } from "./discord-status.ts";
import { DiscordError, DiscordInteraction, DiscordMessage } from "./discord-wire.ts";
import { commands, Interactions } from "./interactions.ts";
import { Outbox } from "./outbox.ts";
import type { PlanReviews } from "./reviews/plan-reviews.ts";
import { ReviewPosts } from "./reviews/review-posts.ts";
import { ReviewPress } from "./reviews/review-press.ts";
import { RunPosts } from "./run-posts.ts";

export interface DiscordOptions {
	readonly token: string;
	readonly approvers: readonly string[];
	readonly users: readonly string[];
	readonly channels: readonly string[];
	readonly apiUrl?: string;
	readonly appUrl?: string;
}

export interface DiscordDeps {
	readonly runs: RunService;
	readonly store: OperatorStore;
	/** The routing of every message, because a message on Discord names no agent. */
	readonly routing: () => Promise<Routing>;
	/** The plan messages that are waiting for a decision by the user. If absent, the user is not asked about them on Discord. */
	readonly reviews?: PlanReviews | undefined;
	readonly clock: Clock;
	readonly warn: (details: object, message: string) => void;
	readonly open: (token: string, apiUrl: string | undefined, events: ConnectionEvents) => Connection;
}

const FIRST_RETRY_MS = 1_000;
const MOST_RETRY_MS = 60_000;
const CLOSE_MS = 2_000;

/** Lets the user talk to the bridge on Discord. It is a client of the core, which never waits for it. */
export class DiscordOperator implements AsyncDisposable {
	readonly #deps: DiscordDeps;
	readonly #status: DiscordStatus;
	readonly #connection: Connection;
	readonly #outbox: Outbox;
	readonly #posts: RunPosts;
	readonly #conversation: Conversation;
	readonly #interactions: Interactions;
	readonly #threads: ChannelThreads;
	readonly #reviews: ReviewPosts | undefined;
	readonly #redaction: Redaction;
	readonly #stop = new AbortController();
	#unsubscribe: () => void = () => undefined;
	#retry: Disposable | undefined;
	#me: string | undefined;

	constructor(options: DiscordOptions, deps: DiscordDeps) {
		const { token, approvers, users, channels, apiUrl, appUrl } = options;
		const { runs, store, routing, reviews: waiting, clock, open } = deps;
		this.#deps = deps;
		this.#redaction = new Redaction([token]);
		const hasApprovers = approvers.length > 0;
		const status = new DiscordStatus(clock, hasApprovers);
		const wire = open(token, apiUrl, this.#events());
		const me = () => this.#me;
		const mayTalk = (user: string) => approvers.includes(user) || users.includes(user);
		const log = (error: unknown, what: string) => this.#log(error, what);
		const threads = new ChannelThreads(store, wire, channels);
		const outbox = new Outbox({ wire, store, status, clock, me, log, stopped: this.#stop.signal });
		const posts = new RunPosts({ runs, threads, outbox, clock, hasApprovers, appUrl, log });
		const follow = (runId: RunId) => posts.follow(runId);
		const conversation = new Conversation({ runs, routing, wire, threads, outbox, mayTalk, me, follow, stopped: this.#stop.signal });
		const reviews = waiting === undefined ? undefined : new ReviewPosts({ ...waiting, wire, outbox, appUrl, log });
		const lookAgain = reviews?.lookAgain.bind(reviews);
		const press = waiting === undefined || lookAgain === undefined ? undefined : new ReviewPress({ ...waiting, wire, lookAgain });
		this.#interactions = new Interactions({ runs, wire, threads, conversation, approvers, mayTalk, reviews: press });
		this.#reviews = reviews;
		this.#status = status;
		this.#connection = wire;
		this.#threads = threads;
		this.#outbox = outbox;
		this.#posts = posts;
		this.#conversation = conversation;
	}

	/** Returns immediately. */
	begin(): void {
		this.#unsubscribe = this.#deps.runs.log.onCommittedAny((runId, events) => {
			if (this.#me !== undefined) this.#posts.committed(runId, events);
		});
		void this.#connect(FIRST_RETRY_MS);
	}

	async view(): Promise<Operator> {
		return this.#status.view(await this.#outbox.unknownCount());
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#unsubscribe();
		this.#stop.abort();
		this.#retry?.[Symbol.dispose]();
		const { promise: bound, resolve } = Promise.withResolvers<void>();
		using _bound = this.#deps.clock.at(this.#deps.clock.now() + CLOSE_MS, resolve);
		await Promise.race([Promise.all([this.#posts.close(), this.#reviews?.close()]), bound]);
		await this.#connection[Symbol.asyncDispose]();
	}

	async #connect(waitMs: number): Promise<void> {
		try {
			await this.#connection.connect();
		} catch (error) {
			if (this.#stop.signal.aborted || this.#status.isRefused) return;
			if (error instanceof DiscordError && error.kind === "token") return this.#refused("DISCORD_TOKEN_REJECTED");
			this.#status.lost(error instanceof DiscordError ? error.message : "Discord can't be reached.");
			this.#log(error, "the bridge could not connect to Discord and will try again");
			this.#connectLater(Math.max(waitMs, error instanceof DiscordError ? error.retryAfterMs : 0));
		}
	}

	#connectLater(waitMs: number): void {
		const { clock } = this.#deps;
		this.#retry = clock.at(clock.now() + waitMs, () => void this.#connect(Math.min(waitMs * 2, MOST_RETRY_MS)));
	}

	#refused(ending: "DISCORD_TOKEN_REJECTED" | "DISCORD_INTENT_MISSING"): void {
		if (this.#status.isRefused) return;
		this.#status.refused(ending);
		this.#deps.warn({ code: ending }, "Discord rejected the bot: the bridge tries again only after a restart");
	}

	/** Checks for everything that was missed while there was no connection. `name`: the bot's name, if Discord reported it. */
	#connected(name: string | undefined): void {
		this.#status.connected(name);
		this.#reviews?.ready();
		this.#attempt(this.#catchUp(), "messages sent while Discord was unreachable could not be fetched");
	}

	#events(): ConnectionEvents {
		return {
			ready: ({ id, name }) => {
				if (this.#stop.signal.aborted) return;
				this.#me = id;
				this.#connected(name);
				this.#attempt(this.#connection.setCommands(commands), "the commands could not be registered on Discord");
			},
			resumed: () => {
				if (this.#stop.signal.aborted) return;
				this.#connected(undefined);
			},
			lost: (why) => {
				if (!this.#stop.signal.aborted) this.#status.lost(why);
			},
			broken: (why) => {
				if (this.#stop.signal.aborted) return;
				this.#status.lost(why);
				this.#connectLater(MOST_RETRY_MS);
			},
			refused: (ending) => this.#refused(ending),
			slowed: () => this.#status.slowed(),
			accepted: () => this.#status.accepted(),
			dispatched: (type, data) => this.#dispatched(type, data),
		};
	}

	#dispatched(type: "message" | "interaction", data: unknown): void {
		if (type === "message") {
			const message = DiscordMessage.safeParse(data);
			if (message.success) this.#attempt(this.#conversation.hear(message.data), "a message from Discord could not be processed");
			return;
		}
		const interaction = DiscordInteraction.safeParse(data);
		if (interaction.success)
			this.#attempt(this.#interactions.take(interaction.data), "a button or command on Discord could not be processed");
	}

	/** Handles messages written while the bridge was offline, and posts what is still missing on Discord. */
	async #catchUp(): Promise<void> {
		for (const channel of await this.#threads.all()) {
			this.#attempt(this.#conversation.catchUp(channel), "messages of a channel could not be fetched");
		}
		const { items } = await this.#deps.runs.list({ limit: LATEST_RUNS });
		for (const { runId } of items) this.#posts.committed(runId, []);
	}

	#attempt(work: Promise<void>, what: string): void {
		void work.catch((error: unknown) => {
			if (error instanceof DiscordError && error.kind === "token") this.#refused("DISCORD_TOKEN_REJECTED");
			this.#log(error, what);
		});
	}

	#log(error: unknown, what: string): void {
		const message = this.#redaction.text(error instanceof Error ? error.message : String(error));
		const code = error instanceof DiscordError && error.code !== undefined ? { code: error.code } : {};
		this.#deps.warn({ reason: message, ...code }, what);
	}
}
