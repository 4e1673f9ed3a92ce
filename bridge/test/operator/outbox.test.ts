import { RunId } from "@xworkmate/contracts";
import { describe, expect, it } from "vitest";
import { DiscordStatus } from "../../src/operator/discord/discord-status.ts";
import { DiscordError, type DiscordMessage, type DiscordWire, type NewPost } from "../../src/operator/discord/discord-wire.ts";
import { nonceOf, Outbox } from "../../src/operator/discord/outbox.ts";
import type { OperatorPost, OperatorStore } from "../../src/ports/operator-store.ts";
import { FakeClock } from "../ports/fake-clock.ts";

const ME = "100";
const runId = RunId.parse("run-1");
const wanted = { channel: "300", runId, kind: "answer", content: "Hello" };

class MemoryStore implements OperatorStore {
	readonly rows = new Map<string, OperatorPost>();
	threadOf = async () => undefined;
	setThread = async () => {};
	channels = async () => [];
	post = async (nonce: string) => this.rows.get(nonce);
	postsOf = async () => [...this.rows.values()];
	unfinishedPosts = async () => [...this.rows.values()].filter(({ state }) => state === "intended");
	savePost = async (post: OperatorPost) => void this.rows.set(post.nonce, post);
}

/** A channel, of which the test says what goes wrong. */
class Channel {
	readonly messages: DiscordMessage[] = [];
	readonly sent: string[] = [];
	failures: DiscordError[] = [];
	editFailure: DiscordError | undefined;
	unreadable: DiscordError | undefined;
	readonly rowsAtSend: (OperatorPost | undefined)[] = [];
	readonly #store: MemoryStore;

	constructor(store: MemoryStore) {
		this.#store = store;
	}

	get wire(): DiscordWire {
		const never = () => Promise.reject(new Error("not expected"));
		return {
			post: (_channel, post) => this.#post(post),
			messages: async () => {
				if (this.unreadable !== undefined) throw this.unreadable;
				return this.messages;
			},
			...{
				edit: async () => {
					if (this.editFailure !== undefined) throw this.editFailure;
				},
				isDirect: never,
				direct: never,
				reply: never,
				acknowledge: never,
				followUp: never,
				setCommands: never,
				download: never,
			},
		};
	}

	add(id: string, content: string, timestamp: number, author = ME): void {
		const who = { id: author, username: "someone" };
		this.messages.push({
			id,
			channel_id: "300",
			type: 0,
			content,
			author: who,
			timestamp: new Date(timestamp).toISOString(),
			attachments: [],
			components: [],
		});
	}

	async #post({ nonce, content }: NewPost): Promise<string> {
		this.rowsAtSend.push(this.#store.rows.get(nonce));
		this.sent.push(content);
		const failure = this.failures.shift();
		if (failure !== undefined) throw failure;
		return "2001";
	}
}

function scene() {
	const clock = new FakeClock();
	const store = new MemoryStore();
	const channel = new Channel(store);
	const status = new DiscordStatus(clock, true);
	const stop = new AbortController();
	const outbox = new Outbox({ wire: channel.wire, store, status, clock, me: () => ME, log: () => {}, stopped: stop.signal });
	return { clock, store, channel, status, stop, outbox, nonce: nonceOf(runId, "answer") };
}

/** A post of a bridge that was killed before it noted how it went. */
function intended({ store, clock, nonce }: ReturnType<typeof scene>): void {
	store.rows.set(nonce, { nonce, channel: "300", runId, kind: "answer", state: "intended", at: new Date(clock.now()).toISOString() });
}

const MINUTE = 60_000;

describe("the outbox", () => {
	it("writes a post before it sends it, and its id after", async () => {
		const { outbox, channel, store, nonce } = scene();
		expect(await outbox.post(wanted)).toBe("2001");
		expect(channel.rowsAtSend[0]).toMatchObject({ nonce, state: "intended" });
		expect(store.rows.get(nonce)).toMatchObject({ state: "sent", message: "2001" });
		expect(await outbox.post(wanted)).toBe("2001");
		expect(channel.sent).toHaveLength(1);
	});

	it("has nonces that Discord takes, one for each post", () => {
		expect(nonceOf("run-1", "answer")).toHaveLength(24);
		expect(nonceOf("run-1", "answer")).not.toBe(nonceOf("run-1", "answer:1"));
	});

	it("sends again with the same nonce while Discord remembers it", async () => {
		const there = scene();
		intended(there);
		there.clock.advance(MINUTE);
		expect(await there.outbox.post(wanted)).toBe("2001");
	});

	it("finds an old post in the channel and does not send it again", async () => {
		const there = scene();
		intended(there);
		there.channel.add("1990", "Hello", there.clock.now(), "200");
		there.channel.add("1991", "Hello", there.clock.now());
		there.clock.advance(10 * MINUTE);
		expect(await there.outbox.post(wanted)).toBe("1991");
		expect(there.channel.sent).toEqual([]);
		expect(await there.outbox.unknownCount()).toBe(0);
	});

	it("sends an old post of which the channel shows that it never arrived", async () => {
		const there = scene();
		there.channel.add("1000", "much earlier", there.clock.now() - 60 * MINUTE);
		intended(there);
		there.clock.advance(10 * MINUTE);
		expect(await there.outbox.post(wanted)).toBe("2001");
	});

	it("sends nothing, and says so, when it cannot be known whether an old post arrived", async () => {
		const there = scene();
		intended(there);
		there.clock.advance(10 * MINUTE);
		for (let n = 0; n < 100; n++) there.channel.add(String(3_000 + n), `later ${n}`, there.clock.now());
		expect(await there.outbox.post(wanted)).toBeUndefined();
		expect(there.channel.sent).toEqual([]);
		expect(await there.outbox.unknownCount()).toBe(1);
	});

	it("does not send again what Discord refused", async () => {
		const { outbox, channel, status, store, nonce } = scene();
		channel.failures = [new DiscordError("refused", "No.", { code: 50_013 })];
		expect(await outbox.post(wanted)).toBeUndefined();
		expect(store.rows.get(nonce)).toMatchObject({ state: "failed" });
		expect(status.view(0).findings.map(({ code }) => code)).toEqual(["DISCORD_PERMISSION_MISSING"]);
		expect(await outbox.post(wanted)).toBeUndefined();
		expect(channel.sent).toHaveLength(1);
	});

	it("names what Discord refused and when, as what was, until a post there is accepted", async () => {
		const there = scene();
		const { outbox, channel, status, clock } = there;
		const said = () => status.view(0).findings.map(({ message }) => message);
		channel.failures = [new DiscordError("refused", "No.", { code: 50_013 })];
		await outbox.post(wanted);
		clock.advance(MINUTE);
		expect(said()).toEqual(["Discord did not let the bot post in channel 300 (2026-01-01T00:00:00.000Z)."]);
		await outbox.post({ ...wanted, kind: "answer:1" });
		expect(said()).toEqual([]);
	});

	it("calls a refusal to show the channel's messages no refused post", async () => {
		const there = scene();
		intended(there);
		there.clock.advance(10 * MINUTE);
		there.channel.unreadable = new DiscordError("refused", "No.", { code: 50_001 });
		await there.outbox.post(wanted);
		expect(there.status.view(0).findings.map(({ message }) => message)).toEqual([
			"Discord did not let the bot read the messages of channel 300 (2026-01-01T00:10:00.000Z).",
		]);
	});

	it("keeps a post for another token", async () => {
		const { outbox, channel, status, store, nonce } = scene();
		channel.failures = [new DiscordError("token", "No.")];
		expect(await outbox.post(wanted)).toBeUndefined();
		expect(store.rows.get(nonce)).toMatchObject({ state: "intended" });
		expect(status.view(0)).toMatchObject({ state: "refused" });
		expect(await outbox.post(wanted)).toBeUndefined();
		expect(channel.sent).toHaveLength(1);
	});

	it.each([
		["done", undefined],
		["gone", new DiscordError("refused", "Unknown Message", { code: 10_008 })],
		["refused", new DiscordError("refused", "Missing Permissions", { code: 50_013 })],
		["failed", new DiscordError("unavailable", "Later.")],
	] as const)("tells what became of an edit: %s", async (outcome, failure) => {
		const { outbox, channel, stop } = scene();
		channel.editFailure = failure;
		stop.abort();
		expect(await outbox.edit("300", "2001", { content: "Hello" })).toBe(outcome);
	});

	it("gives up waiting at the end, and when the bridge stops", async () => {
		const { outbox, channel, stop } = scene();
		channel.failures = Array.from({ length: 100 }, () => new DiscordError("unavailable", "Later."));
		const posting = outbox.post(wanted);
		stop.abort();
		expect(await posting).toBeUndefined();
	});
});
